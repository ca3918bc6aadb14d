//! Several processes in one file.

use flamelane_link::{Linked, Rules, link, shared};
use flamelane_testkit::draw;

use crate::{idle, read_json};

fn linked(drawings: &[&str]) -> Linked {
    link(read_json(&draw::processes(drawings)), Rules::default())
}

/// Each device as `number process: busy`, in µs.
fn devices(linked: &Linked) -> Vec<String> {
    let device = |time: &flamelane_link::DeviceTime| {
        let row = &linked.trace.devices[time.device.index()];
        let process = row
            .process
            .map_or("?", |process| linked.trace.text(linked.trace.process(process).label));
        format!("{} {process}: {}", row.id, time.busy_ns() / 1000)
    };
    linked.devices.iter().map(device).collect()
}

fn absorbed(linked: &Linked) -> Vec<i64> {
    linked.waits.iter().map(|wait| wait.absorbed / 1000).collect()
}

const FIRST: &str = "
    main | {ProfilerStep#0                  }{ProfilerStep#1                  } [end]
         | [forward    ] [tokenize         ]  [forward    ] [tokenize         ]
         |  aa   <sync   >                     bb   <sync   >
    gpu  |   aaaaaaaaa                          bbbbbbbbb
    ";

#[test]
fn processes_that_use_one_device_number_have_a_device_each() {
    let second = "
        main |    {ProfilerStep#0                  }{ProfilerStep#1                  } [end]
             |    [backward   ] [shuffle          ]  [backward   ] [shuffle          ]
             |     aa   <sync   >                     bb   <sync   >
        gpu  |                aaaaaaaaa                          bbbbbbbbb
        ";
    let linked = linked(&[FIRST, second]);
    assert_eq!(devices(&linked), ["0 4242: 18", "0 5242: 18"]);
    assert_eq!(absorbed(&linked), [5, 5, 3, 3], "each waits for its own work");
    assert_eq!(linked.steps.of_span, [0, 2, 1, 3], "a step of its own process");
    let owners = idle(&linked);
    for frame in ["tokenize", "shuffle"] {
        assert!(owners.contains(frame), "{owners}");
    }
    assert_eq!(linked.per_step.sum(), 2 * linked.window.wall());
    let threads = linked.trace.lanes.iter().filter(|lane| lane.device.is_none());
    let names: Vec<&str> = threads.map(|lane| linked.trace.text(lane.name)).collect();
    assert_eq!(names.len(), 2);
    assert_ne!(names[0], names[1], "threads of one name are two");
}

#[test]
fn a_process_waits_for_its_own_devices() {
    let second = "
        main | {ProfilerStep#0                  }{ProfilerStep#1                  } [end]
             |  aa   <sync   >                     bb   <sync   >
        gpu1 |    aaaaaaaaaaaaa                       bbbbbbbbbbbbb
        ";
    let linked = linked(&[FIRST, second]);
    assert_eq!(devices(&linked), ["0 4242: 18", "1 5242: 26"]);
    assert_eq!(absorbed(&linked), [5, 5, 9, 9]);
    assert_eq!(shared(&linked), [], "no number is used twice");
}

#[test]
fn how_much_of_the_idle_time_another_process_works_is_known() {
    let second = "
        main | {ProfilerStep#0                  }{ProfilerStep#1                  } [end]
             |  aa                                 bb
        gpu  |          aaaaaaaaaa                         bbbbbbbbbb
        ";
    let linked = linked(&[FIRST, second]);
    let found: Vec<(usize, i64, i64)> =
        shared(&linked).iter().map(|of| (of.device, of.idle / 1000, of.elsewhere / 1000)).collect();
    assert_eq!(found, [(0, 50, 16), (1, 48, 14)]);
}

#[test]
fn work_of_unknown_launch_stays_with_the_process_that_has_most_of_the_row() {
    let second = "
        main | {ProfilerStep#0                  }{ProfilerStep#1                  } [end]
             |       aa                            bb
        gpu  |          aaaa
        gpu:9|                                             bbbb
        ";
    let first = "
        main | {ProfilerStep#0                  }{ProfilerStep#1                  } [end]
             |  aa  cc                             bb
        gpu  |    aa   cc            ###             bb
        ";
    let linked = linked(&[first, second]);
    assert_eq!(devices(&linked), ["0 4242: 9", "0 5242: 8"]);
}

#[test]
fn the_tail_belongs_to_a_step_of_the_devices_process() {
    let second = "
        main |      {ProfilerStep#0                       }{ProfilerStep#1                  } [end]
             |       aa                                      bb
        gpu  |           aaaaaaaaaa                             bbbbbbbbbb
        ";
    let linked = linked(&[FIRST, second]);
    let last = |row: usize| linked.idle.step_of_gap[row].last().copied();
    let process = |step: Option<u32>| {
        let lane = linked.steps.list[step.unwrap() as usize].lane;
        linked.trace.lane(lane).process
    };
    for row in 0..2 {
        let device = linked.devices[row].device;
        assert_eq!(Some(process(last(row))), linked.trace.devices[device.index()].process);
    }
}

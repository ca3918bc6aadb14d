//! Charts of drawn traces.

#![expect(clippy::unwrap_used, reason = "tests may fail where they stand")]

use flamelane_link::{Choice, Rules, link};
use flamelane_model::{Chart, ChartRow};
use flamelane_read::{Content, Limits};
use flamelane_testkit::draw;

fn chart(drawing: &str) -> Chart {
    let json = draw::json(drawing);
    let read = flamelane_read::open(&mut json.as_bytes(), &Limits::default(), Some("kineto"));
    match read.unwrap().content {
        Content::Trace(trace) => {
            let linked = link(*trace, Rules { choice: Choice::Whole, ..Rules::default() });
            let (_, nodes) = flamelane_fold::fold_placed(&linked);
            flamelane_chart::chart(&linked, &nodes)
        }
        Content::Profile(_) => panic!("a trace"),
    }
}

/// The rows of all lanes as `lane: name start-end, …`, in µs since the first span.
fn lines(chart: &Chart) -> Vec<String> {
    let micros = |ns: i64| (ns - chart.extent.from) / 1000;
    let spans = |row: &ChartRow| {
        let span = |i: usize| {
            let name = &chart.frames[row.frame[i] as usize].name;
            format!("{name} {}-{}", micros(row.start[i]), micros(row.end[i]))
        };
        (0..row.start.len()).map(span).collect::<Vec<_>>().join(", ")
    };
    let lines = chart.lanes.iter().flat_map(|lane| {
        lane.rows.iter().map(|row| format!("{}: {}", lane.name, spans(row))).collect::<Vec<_>>()
    });
    lines.collect()
}

/// What launched each device span, by name.
fn launches(chart: &Chart) -> Vec<(&str, &str)> {
    let rows = || chart.lanes.iter().flat_map(|lane| &lane.rows);
    let all: Vec<u32> = rows().flat_map(|row| row.frame.clone()).collect();
    let name = |frame: u32| chart.frames[frame as usize].name.as_str();
    let mut pairs = Vec::new();
    for row in rows() {
        for (frame, launch) in row.frame.iter().zip(&row.launch) {
            let by = launch.checked_sub(1).map_or("nothing", |number| name(all[number as usize]));
            pairs.push((name(*frame), by));
        }
    }
    pairs
}

const ONE_OP: &str = "
    main | [forward             ] [end]
         |  (mm )    <sync  >
         |   aa
    gpu  | ##   aaaaaa
    ";

#[test]
fn every_span_has_its_row() {
    assert_eq!(
        lines(&chart(ONE_OP)),
        [
            "stream 7: earlier 0-2, a 5-11",
            "thread 4242 (main): forward 0-22, end 23-28",
            "thread 4242 (main): mm 1-6, cudaStreamSynchronize 10-18",
            "thread 4242 (main): cudaLaunchKernel 2-4",
        ]
    );
}

#[test]
fn work_knows_what_launched_it() {
    let chart = chart(ONE_OP);
    let pairs = launches(&chart);
    assert_eq!(pairs.len(), 2);
    assert!(pairs.contains(&("a", "cudaLaunchKernel")), "{pairs:?}");
    assert!(pairs.iter().any(|(_, by)| *by == "nothing"), "{pairs:?}");
}

#[test]
fn all_kernels_of_a_replay_name_one_launch() {
    let chart = chart(
        "
        main | gg          [end]
        gpu  |   g g g
        ",
    );
    assert_eq!(launches(&chart), [("g", "cudaGraphLaunch"); 3]);
}

#[test]
fn idle_time_points_to_the_stack_that_owns_it() {
    let chart = chart(
        "
        main | aa [tokenize    ] aa [end]
        gpu  |  aa                aa
        ",
    );
    let idle = &chart.idle[0];
    let names = |owner: u32| -> Vec<&str> {
        let stack = idle.owners[owner as usize].stack.iter();
        stack.map(|&frame| chart.frames[frame as usize].name.as_str()).collect()
    };
    let longest = idle.pieces.iter().max_by_key(|(time, _)| time.len()).unwrap();
    assert_eq!(names(longest.1).last(), Some(&"tokenize"));
    assert_eq!(idle.owners[longest.1 as usize].class, "late host");
}

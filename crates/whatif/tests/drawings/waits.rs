//! What the host waits for, and what streams wait for.

use flamelane_whatif::{Change, Declined, Replay};

use crate::{UNIT, exact, gain, linked, linked_at, syncs};

/// A wait that is dropped takes what one with nothing to wait for does, by default 3 µs.
const IDLE_WAIT: i64 = 3_000;
/// Spacing on a stream where the capture shows none.
const SPACING: i64 = 1_500;
/// From an event to the work that waits for it, where the capture shows none.
const EVENT_DELAY: i64 = 2_000;

#[test]
fn without_a_wait_the_host_goes_on_at_once_and_the_stream_is_next() {
    // `b` starts behind `a`, which is done at 14, not at 20.
    let drawing = "
        main |    [item         ]
             | aa <sync        > bb
        gpu  |   aaaaaaaaaaaa      bb
        ";
    assert_eq!(gain(drawing), 6 * UNIT - SPACING);
}

#[test]
fn the_host_keeps_its_own_work() {
    // The wait lasts 14; the work behind it stays.
    let drawing = "
        main |    [item         ][work         ]
             | aa <sync        >                bb
        gpu  |   aaaaaaaaaaaa                     bb
        ";
    assert_eq!(gain(drawing), 14 * UNIT - IDLE_WAIT);
}

#[test]
fn behind_the_first_wait_stands_the_second() {
    let drawing = "
        main | [item           ][second         ]
             | aa <sync        > bb <sync       > cc
        gpu  |   aaaaaaaaaaaa      bbbbbbbbbbbbb    cc
        ";
    let linked = linked(drawing);
    let replay = exact(&linked);
    // `b` starts at 14, not at 20, and the host still waits for it.
    let first = replay.predict(&syncs(&linked, "item")).unwrap();
    assert_eq!(first.gain, 6 * UNIT - SPACING);
    // `c` starts behind `b` at 33, not at 37.
    let second = replay.predict(&syncs(&linked, "second")).unwrap();
    assert_eq!(second.gain, 4 * UNIT - SPACING);
}

#[test]
fn a_wait_for_the_device_is_for_every_stream() {
    let linked = linked(
        "
        main   | [item       ]
               | aa bb <sync   > cc <cudaDeviceSynchronize> dd
        gpu    |   aaaaaaaaaaa     cc                         dd
        gpu:20 |      bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
        ",
    );
    // `c` comes earlier, but `d` comes after the wait for `b`.
    let said = exact(&linked).predict(&syncs(&linked, "item")).unwrap();
    assert_eq!((said.gain, said.count), (0, 1));
}

#[test]
fn a_wait_for_an_event_is_for_the_work_before_its_record() {
    let linked = linked(
        "
        main   | [item                                       ]
               | aa <cudaEventRecord> bb <cudaEventSynchronize> cc
        gpu    |   aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbb
        gpu:20 |                                                  cccccccccccccccccccccccccccccc
        ",
    );
    // For `a`, which ends at 44: for `b` the replay would take 20 longer.
    let said = exact(&linked).predict(&syncs(&linked, "item")).unwrap();
    // `c` starts at 27.3, so that `b` ends last, at 64; before `c` did, at 79.
    assert_eq!(said.gain, 15 * UNIT);
}

#[test]
fn a_stream_waits_for_the_event_that_was_recorded() {
    // `b` starts behind `a`, at 61: neither with its launch nor behind `x`.
    let linked = linked(
        "
        main   | aa <cudaEventRecord> xx <cudaStreamWaitEvent> bb
        gpu    |   aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaxxxxxxxxxxxx
        gpu:20 |                                                              bbbbbbbbbbbbbbbbbb
        ",
    );
    exact(&linked);
}

#[test]
fn without_recorded_events_a_stream_waits_for_the_last_work_of_another() {
    // The host is at the launch of `b` at 26.3 without its wait, and `a` ends at 42.
    let drawing = |call: &str| {
        format!(
            "
            main   | [item                                    ]
                   | aa <sync                                   > {call} bb
            gpu    |   aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
            gpu:20 |                                                                      bbbbbb
            "
        )
    };
    let waits = gain(&drawing("<cudaStreamWaitEvent>"));
    assert_eq!(waits, 27 * UNIT - EVENT_DELAY);
    // Without an edge `b` runs beside `a`, and nothing is later than the end of `a`.
    let free = gain(&drawing("<cudaStreamQuery    >"));
    assert_eq!(free, 33 * UNIT);
}

#[test]
fn recorded_times_refute_an_edge() {
    // `b` runs beside `a`, whatever the stream was told to wait for.
    let linked = linked(
        "
        main   | aa <cudaStreamWaitEvent> bb
        gpu    |   aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        gpu:20 |                            bbbbbb
        ",
    );
    exact(&linked);
}

#[test]
fn work_from_before_the_capture_is_waited_for_and_makes_no_constant() {
    // The first wait is for it; what a wait for nothing takes is told by the second.
    let linked = linked(
        "
        main | <cudaDeviceSynchronize                       > aa    <sync > bb
        gpu  | ############################################     aaaa          bb
        ",
    );
    assert_eq!(exact(&linked).constants().idle_wait, 7 * UNIT);
}

#[test]
fn a_wait_is_for_the_earlier_work_that_was_done_when_it_returned() {
    // On the other stream earlier work goes on.
    let linked = linked(
        "
        main   | <cudaDeviceSynchronize                       > aa      bb
        gpu    | ############################################     aaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        gpu:20 | ####################################################     bb
        ",
    );
    exact(&linked);
}

#[test]
fn an_event_that_was_done_before_its_work_is_another_event() {
    // The host is back while `a` still runs.
    let linked = linked_at(
        "
        main   | aa <cudaEventRecord> <cudaEventSynchronize> bb
        gpu    |   aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        gpu:20 |                                               bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
        ",
        1_000,
    );
    exact(&linked);
}

#[test]
fn work_launched_just_before_its_stream_is_free_shows_no_spacing() {
    // `b` starts one after `a` because its launch takes 4 to arrive.
    let linked = linked(
        "
        main | aa  bb
        gpu  |     aaa bbb
        ",
    );
    let spacing = exact(&linked).constants().spacing;
    assert!(spacing < UNIT, "{spacing}");
}

#[test]
fn a_long_wait_for_nothing_is_no_constant() {
    // Were it one, it would explain itself.
    let declined = Replay::new(&linked(
        "
        main | aa       <sync                                           > bb
        gpu  |   aaa                                                        bbb
        ",
    ))
    .unwrap_err();
    assert!(matches!(declined, Declined::Misses(check) if check.error() < -0.5), "{declined}");
}

#[test]
fn a_wait_for_work_that_nothing_shows_is_not_replayed() {
    let declined = Replay::new(&linked(
        "
        main | aa <sync                                                > bb
        gpu  |   aaa                                                       bbb
        ",
    ))
    .unwrap_err();
    assert!(matches!(declined, Declined::Misses(check) if check.error() < -0.5), "{declined}");
}

#[test]
fn a_launch_that_finds_the_queue_full_ends_when_a_place_is_free() {
    // `c` finds a place when `a` is done. Without the wait `a` starts 4 earlier, and so does `d`;
    // were the long call the host's own work, `d` would start 9.7 earlier.
    let linked = linked(
        "
        main   | [item     ]
               | zz <sync    > aa bb cccccccccccccccccccc dd
        gpu    |   zzzzzzzzzz    aaaaaaaaaaaaaaaaaaaaabbbbbbbbbbbbbbbbbbbbbbcccccccccc
        gpu:20 |                                            dddddddddddddddddddddddddddddddddddd
        ",
    );
    let said = exact(&linked).predict(&syncs(&linked, "item")).unwrap();
    assert_eq!(said.gain, 4 * UNIT);
}

#[test]
fn where_there_is_nothing_to_change_there_is_no_prediction() {
    let linked = linked(
        "
        main | aa   bb
        gpu  |   aa   bb
        ",
    );
    let replay = exact(&linked);
    for change in [Change::DropSync(Vec::new()), Change::OverlapCopies, Change::Graph(None)] {
        assert_eq!(replay.predict(&change), None);
    }
}

//! Copies: which block, and what becomes of them beside the work.

use flamelane_whatif::{Change, Replay};

use crate::{UNIT, exact, linked, read, syncs};
use flamelane_link::Choice;

#[test]
fn a_copy_to_pageable_memory_blocks_until_it_is_done() {
    let linked = linked(
        "
        main | [item         ]
             | aa DDDDDDDDDDDDD bb
        gpu  |   aaaaaaaaaaDD     bb
        ",
    );
    // The copy stays on its stream: `b` starts behind it, at 14, not at 19.
    let replay = Replay::new(&linked).unwrap();
    let said = replay.predict(&syncs(&linked, "item")).unwrap();
    assert_eq!(said.gain, 5 * UNIT - replay.constants().spacing);
}

const LOOP: &str = "
    main   | zz    HH <sync             > aa <sync                                  > HH <sync             > bb
    gpu:14 |         HHHHHHHHHHHHHHHHHHHH                                               HHHHHHHHHHHHHHHHHHHH
    gpu    |   zz                           aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa                           bbbbbbbbbb
    ";

#[test]
fn a_copy_one_ahead_starts_with_the_work_before_and_its_wait_becomes_an_edge() {
    let linked = linked(LOOP);
    let replay = exact(&linked);
    let said = replay.predict(&Change::OverlapCopies).unwrap();
    assert_eq!(said.count, 2);
    // The first copy has nothing to run beside: `a` waits for it on the device, and the host for
    // `a`. The second one is done when the host comes to `b`: it wins the wait of 19, what it
    // returned too late (3), less what a wait for nothing takes.
    let constants = replay.constants();
    assert_eq!(said.gain, 22 * UNIT - constants.idle_wait - constants.event_delay);
}

#[test]
fn a_copy_to_the_host_stays_behind_what_it_carries() {
    let linked = linked(
        "
        main | aa DDDDDDDDDDDDDDDDDDDDDDDDDDD bb
        gpu  |   aaaaaaaaaaaaaaaaaaaaDDDDDD     bb
        ",
    );
    let replay = Replay::new(&linked).unwrap();
    let said = replay.predict(&Change::OverlapCopies).unwrap();
    // The host needs it as before, and an edge between streams is a little later than the next
    // in a queue.
    let constants = replay.constants();
    assert_eq!((said.count, said.gain), (1, constants.spacing - constants.event_delay));
}

#[test]
fn a_copy_that_waits_for_unseen_work_is_declined() {
    // It starts long after it could.
    let json = flamelane_testkit::draw::scaled(
        "
        main   | aa DDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDDD bb
        gpu    |   aaaa                                        bb
        gpu:20 |                                         DDD
        ",
        UNIT,
    )
    .to_json(flamelane_testkit::Layout::Kineto);
    assert!(Replay::new(&read(&json, Choice::KeptSteps)).is_err());
}

#[test]
fn a_host_that_waits_for_the_event_of_a_copy_does_so_no_more() {
    let linked = linked(
        "
        main   | zz HH <cudaEventRecord> <cudaEventSynchronize                           > aa
        gpu    |   zz                                                                        aaaa
        gpu:14 |      HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH
        ",
    );
    let replay = exact(&linked);
    let said = replay.predict(&Change::OverlapCopies).unwrap();
    // `a` waits for the copy on the device, until 72, and no more for the host, until 76.
    assert_eq!(said.gain, 4 * UNIT - replay.constants().event_delay);
}

#[test]
fn a_host_that_waits_for_a_copy_to_it_still_does() {
    // To pinned memory: the call returns at once, and the host waits for its stream.
    let json = flamelane_testkit::draw::scaled(
        "
        main | aa   bb DD <sync         > cc
        gpu  |   aaa  bbbbbbbbbbDDDDDDDD    cc
        ",
        UNIT,
    )
    .to_json(flamelane_testkit::Layout::Kineto);
    let linked = read(&json.replace("Pageable", "Pinned"), Choice::KeptSteps);
    let replay = exact(&linked);
    let said = replay.predict(&Change::OverlapCopies).unwrap();
    assert_eq!((said.count, said.gain), (1, -replay.constants().event_delay));
}

//! Host threads that wait for each other, and those that do not.

use crate::{UNIT, exact, linked, syncs};

/// A main thread that hands over to a worker and goes on when that is done.
fn handed(waiting: &str) -> String {
    format!(
        "
        main   | (fwd            )  {waiting}  (opt  )
               | aa <sync     >                        cc
        worker |                     (backward    )
               |                      bb
        gpu    |   aaaaaaaaaa           bbbbbb           ccc
        "
    )
}

#[test]
fn a_worker_goes_on_when_it_is_handed_the_work_and_hands_it_back() {
    for waiting in ["[run_backward     ]", "                   "] {
        let linked = linked(&handed(waiting));
        // Both hand-overs come 10.7 earlier: a wait of 11 without what one for nothing takes.
        let replay = exact(&linked);
        let said = replay.predict(&syncs(&linked, "fwd")).unwrap();
        assert_eq!(said.gain, 11 * UNIT - replay.constants().idle_wait, "{waiting}");
    }
}

#[test]
fn gaps_between_operators_are_the_threads_own() {
    // Now and then nothing is open on either thread, and one stops shortly before the other goes
    // on. The main thread comes 9.7 earlier without its wait; the other one ends last, as before.
    let linked = linked(
        "
        main   | (one           ) (one) (one) (one) (one)
               | aa <sync      >   aa    aa    aa    aa
        other  |  (two) (two) (two) (two) (two) (two) (two) (two)
               |   bb    bb    bb    bb    bb    bb    bb    bb
        gpu    |   aaaaaaaa          aa    aa    aa    aa
        gpu:20 |     bb    bb    bb    bb    bb    bb    bb    bb
        ",
    );
    let said = exact(&linked).predict(&syncs(&linked, "one")).unwrap();
    assert_eq!((said.gain, said.count), (0, 1));
}

#[test]
fn a_lock_is_opened_by_the_thread_that_ran_last() {
    // The main thread runs on while the worker does.
    let linked = linked(
        "
        main   | (work                                      )
               | aa <sync     >
        worker | [acquire of _thread.lock] (go )
               |                            bb
        gpu    |   aaaaaaaaaa                 bbbb
        ",
    );
    let replay = exact(&linked);
    let said = replay.predict(&syncs(&linked, "work")).unwrap();
    assert_eq!(said.gain, 11 * UNIT - replay.constants().idle_wait);
}

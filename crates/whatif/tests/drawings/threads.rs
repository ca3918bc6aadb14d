//! Host threads that wait for each other, and those that do not.

use flamelane_whatif::{Change, Constants};

use crate::{UNIT, exact, linked, linked_at, syncs};

/// A main thread that hands over to a worker and goes on when that is done.
fn handed(range: &str, waiting: &str) -> String {
    format!(
        "
        main   | {range}
               | (fwd            )  {waiting}  (opt  )
               | aa <sync     >                        cc
        worker |                     (backward    )
               |                      bb
        gpu    |   aaaaaaaaaa           bbbbbbbbbbbbbbbb ccc
        "
    )
}

#[test]
fn a_worker_goes_on_when_it_is_handed_the_work_and_hands_it_back() {
    // It is seen to wait, or nothing is recorded of it, also below a range.
    let range = "{train                                       }";
    let nothing = "                   ";
    for (range, waiting) in [("", "[run_backward     ]"), ("", nothing), (range, nothing)] {
        let linked = linked(&handed(range, waiting));
        // Both hand-overs come 10.7 earlier: a wait of 11 without what one for nothing takes.
        let replay = exact(&linked);
        let said = replay.predict(&syncs(&linked, "fwd")).unwrap();
        assert_eq!(said.gain, 11 * UNIT - replay.constants().idle_wait, "{waiting}");
    }
}

#[test]
fn gaps_between_operators_are_the_threads_own() {
    // Nothing is open on the other thread for 4 at a time, and the main one stops 2 before it goes
    // on. That one comes 9.7 earlier without its wait; the other one ends last, as before.
    let linked = linked(
        "
        main   | (one         ) (one ) (o ) (one  ) (one   )
               | aa <sync    >  aa     aa   aa       aa
        other  |  (two)    (two)    (two)    (two)    (two)    (two)
               |   bb       bb       bb       bb       bb       bb
        gpu    |   aaaaaaaaa      aa     aa   aa       aa
        gpu:20 |     bb       bb       bb       bb       bb       bb
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

#[test]
fn a_lock_that_was_taken_later_is_opened_by_somebody_else() {
    // The main thread has stopped before the worker waits, for 50 µs.
    let linked = linked_at(
        "
        main   | (work          )
               | aa <sync     >
        worker |  (run           )[acquire of _thread.lock](go )
               |                                            bb
        gpu    |   aaaaaaaaaa                                 bbbb
        ",
        2_000,
    );
    let said = exact(&linked).predict(&syncs(&linked, "work")).unwrap();
    assert_eq!((said.gain, said.count), (0, 1));
}

#[test]
fn who_was_woken_comes_earlier_by_what_was_won_until_then() {
    // The main thread wins 10.7 before it opens the lock, and 15.7 behind that.
    let linked = linked(
        "
        main   | (work              )           (more               )
               | aa <sync     >                  cc <sync          >
        worker | [acquire of _thread.lock  ]                         (go )
               |                                                      bb
        gpu    |   aaaaaaaaaa                      cccccccccccccccc     bbbbbbbbbbbbb
        ",
    );
    let replay = exact(&linked);
    let said = replay.predict(&syncs(&linked, "cudaStreamSynchronize")).unwrap();
    assert_eq!(said.count, 2);
    assert_eq!(said.gain, 11 * UNIT - replay.constants().idle_wait);
}

#[test]
fn who_was_woken_below_a_frame_that_became_a_graph_goes_on_when_that_is_launched() {
    let linked = linked(
        "
        main   | [model                             ] zz
               |  aa  bb  cc  dd  ee  ff  gg  hh
        worker | [acquire of _thread.lock] (go )
               |                            kk
        gpu    |     a   b   c   d   e   f   g   h      z
        gpu:20 |                               kkkkkkkkkkkkkkkkkkkkkkkkkkkkkk
        ",
    );
    let said = exact(&linked).predict(&Change::Graph(None)).unwrap();
    // It was woken at 25; the graph is launched at 1 and takes 1.08.
    let launch = Constants::GRAPH_LAUNCH + 8 * Constants::GRAPH_KERNEL;
    assert_eq!(said.gain, 24 * UNIT - launch);
}

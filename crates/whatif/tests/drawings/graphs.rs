//! Graphs: replays, launches that become one, and calls that hand over late.

use flamelane_link::Choice;
use flamelane_model::Ns;
use flamelane_testkit::{Layout, draw};
use flamelane_whatif::{Change, Constants, Replay};

use crate::{UNIT, exact, linked, read, syncs};

#[test]
fn inside_a_replay_the_recorded_distances_hold() {
    let linked = linked(
        "
        main | [item     ]
             | aa <sync  > gg
        gpu  |   aaaaaaaa    ggg gg     ggggg  g
        ",
    );
    let replay = exact(&linked);
    let said = replay.predict(&syncs(&linked, "item")).unwrap();
    // All of it starts behind `a`, at 10, not at 14.
    assert_eq!(said.gain, 4 * UNIT - replay.constants().spacing);
    assert_eq!(replay.constants().graph_launch, Some(2 * UNIT));
}

/// Eight launches, 4 apart, each of a kernel that takes 1.
const FENCE: &str = "
    main | [model                            ] zz
         |  aa  bb  cc  dd  ee  ff  gg  hh
    gpu  |     a   b   c   d   e   f   g   h      z
    ";

#[test]
fn launches_below_a_frame_become_one() {
    let linked = linked(FENCE);
    let replay = exact(&linked);
    let said = replay.predict(&Change::Graph(Some("model".to_owned()))).unwrap();
    assert_eq!(said.count, 1);
    // One launch at the beginning of the frame; eight kernels as close as a stream goes, the first
    // one when the call is over and a launch is on its way. The work behind follows the host.
    let launch = Constants::GRAPH_LAUNCH + 8 * Constants::GRAPH_KERNEL;
    let constants = replay.constants();
    let last = launch + constants.kernel_latency + 8 * UNIT + 7 * constants.spacing;
    let host = launch + UNIT + constants.kernel_latency;
    let after = host.max(last + constants.spacing) + UNIT;
    // The window begins with the first launch and ends with `z`, 39 later.
    assert_eq!(said.gain, 39 * UNIT - after);
    assert_eq!(replay.predict(&Change::Graph(None)), Some(said), "the frame that launches most");
}

#[test]
fn an_operator_that_launches_once_a_call_is_no_region_though_it_holds_all_launches() {
    let linked = linked(
        "
        main | [model                            ] zz
             | [m] [m] [m] [m] [m] [m] [m] [m]
             |  aa  bb  cc  dd  ee  ff  gg  hh
        gpu  |     a   b   c   d   e   f   g   h      z
        ",
    );
    let replay = exact(&linked);
    let said = replay.predict(&Change::Graph(None)).expect("the frame around them");
    assert!(said.gain > 0);
    assert_eq!(replay.predict(&Change::Graph(Some("model".to_owned()))), Some(said));
}

#[test]
fn a_frame_that_waits_is_no_graph() {
    let linked = linked(
        "
        main | [model                                     ] zz
             |  aa  bb  cc  dd  ee  ff  gg  hh  <sync    >
        gpu  |     a   b   c   d   e   f   g   hhhhhhh         z
        ",
    );
    let replay = exact(&linked);
    assert_eq!(replay.predict(&Change::Graph(None)), None);
    assert_eq!(replay.predict(&Change::Graph(Some("model".to_owned()))), None);
}

#[test]
fn a_frame_below_which_another_thread_works_is_no_graph() {
    let linked = linked(
        "
        main   | [train                                                                          ]
               | [model                             ]  [run_backward               ]
               |  aa  bb  cc  dd  ee  ff  gg  hh
        worker |                                         (bwd                    )
               |                                          kk  ll  mm  nn  oo  pp
        gpu    |    a   b   c   d   e   f   g   h            k   l   m   n   o   p
        ",
    );
    let replay = Replay::new(&linked).unwrap();
    let said = replay.predict(&Change::Graph(None)).unwrap();
    assert!(said.assumptions[0].contains("`model`"), "{said:?}");
    assert_eq!(replay.predict(&Change::Graph(Some("train".to_owned()))), None);
}

#[test]
fn a_launch_that_takes_long_hands_its_work_over_at_its_end() {
    // The code of `b` is loaded first.
    let linked = linked(
        "
        main | aa   cc   dd   bbbbbbbbbbbbbbbbbbbbbbbbbbbb
        gpu  |   aaa  ccc  ddd                          bbb
        ",
    );
    exact(&linked);
}

#[test]
fn a_launch_that_takes_long_is_no_later_than_its_work_was_seen() {
    // What it does behind that is none of the work's business.
    let linked = linked(
        "
        main | aa   cc   dd   bbbbbbbbbbbbbbbbbbbbbbbbbbbb
        gpu  |   aaa  ccc  ddd  bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
        ",
    );
    exact(&linked);
}

#[test]
fn each_piece_of_the_window_is_replayed_by_itself() {
    let drawing = "
        main | {part             }   [rest  ]   {part             }
             | aa <sync     > bb     xx         aa <sync     > bb
        gpu  |   aaaaaaaaaa     bb     xxxxx      aaaaaaaaaa     bb
        ";
    let json = draw::scaled(drawing, UNIT).to_json(Layout::Kineto);
    let linked = read(&json, Choice::Range("part".to_owned()));
    assert_eq!(linked.window.pieces.len(), 2);
    let replay = exact(&linked);
    let said = replay.predict(&syncs(&linked, "part")).unwrap();
    // In each `b` starts behind `a`.
    let each: Ns = 5 * UNIT - replay.constants().spacing;
    assert_eq!((said.gain, said.count), (2 * each, 2));
}

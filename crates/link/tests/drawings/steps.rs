//! Steps and windows: how steps are found, and what each choice of the window selects.

use flamelane_link::{Choice, Linked, NO_STEP, Rules};
use flamelane_model::Interval;

use crate::linked_by;

const SERVING: &str = "
    main | {step[DECODE]  }{step[EXTEND]  }{step[DECODE]  } [end]
         |  aa              bb              cc
    gpu  |     aaa             bbb             ccc
    ";

fn chosen(choice: Choice) -> Linked {
    linked_by(SERVING, Rules { choice, ..Rules::default() })
}

fn kept(linked: &Linked) -> Vec<bool> {
    linked.steps.list.iter().map(flamelane_link::Step::is_kept).collect()
}

fn pieces(linked: &Linked) -> Vec<(i64, i64)> {
    let us = |piece: &Interval| (piece.from / 1000, piece.to / 1000);
    linked.window.pieces.iter().map(us).collect()
}

#[test]
fn steps_are_chosen_by_position() {
    let linked = chosen(Choice::Steps(1, 1));
    assert_eq!(kept(&linked), [false, true, false]);
    assert_eq!(pieces(&linked), [(16, 32)]);
    assert_eq!(linked.window.selected, [false, true, false]);
    assert_eq!(linked.window.rule, "1 of 3 steps chosen, marked by `step[…]`");
}

#[test]
fn steps_are_chosen_by_phase_and_each_run_of_them_is_a_piece() {
    let linked = chosen(Choice::Phase("decode".to_owned()));
    assert_eq!(pieces(&linked), [(0, 16), (32, 48)]);
    assert_eq!(linked.window.selected, [true, false, true]);
}

#[test]
fn the_tail_of_a_piece_belongs_to_the_last_step_of_its_run() {
    let linked = chosen(Choice::Phase("decode".to_owned()));
    assert_eq!(linked.per_step.idle, [13_000, 0, 13_000]);
    assert_eq!(linked.per_step.sum(), linked.window.wall());
}

#[test]
fn a_stretch_of_time_selects_what_was_launched_in_it() {
    let linked = chosen(Choice::Time(5_000, 20_000));
    assert_eq!(pieces(&linked), [(5, 20)]);
    assert_eq!(linked.window.selected, [false, true, false]);
    assert_eq!(linked.devices[0].busy_ns(), 2_000);
}

#[test]
fn occurrences_of_a_range_are_a_window() {
    let linked = chosen(Choice::Range("step[EXTEND]".to_owned()));
    assert_eq!(pieces(&linked), [(16, 32)]);
}

#[test]
fn a_choice_that_nothing_meets_is_an_empty_window_and_not_another_one() {
    for choice in [
        Choice::Steps(7, 9),
        Choice::Phase("backward".to_owned()),
        Choice::Range("nothing".to_owned()),
    ] {
        let linked = chosen(choice.clone());
        assert_eq!(linked.window.wall(), 0, "{choice:?}");
        assert!(linked.window.selected.iter().all(|selected| !selected), "{choice:?}");
    }
}

#[test]
fn a_step_that_the_recording_cuts_is_left_out() {
    let linked = linked_by(
        "
        main | {ProfilerStep#0}{ProfilerStep#1}{ProfilerStep#2}
             |  aa              bb              cc
        gpu  |    aaa             bbb             ccc
        ",
        Rules::default(),
    );
    assert_eq!(kept(&linked), [true, true, false]);
    assert_eq!(linked.steps.list[2].left_out, Some("cut by the edge of the recording"));
}

#[test]
fn without_markers_steps_end_with_the_optimizer() {
    let linked = linked_by(
        "
        main | [forward   ]{Optimizer.step#A}[forward   ]{Optimizer.step#A} [end]
             |  aa                            bb
        gpu  |    aaa                           bbb
        ",
        Rules::default(),
    );
    assert_eq!(linked.steps.kind, "optimizer");
    assert_eq!(linked.steps.of_span, [0, 1]);
    assert_eq!(linked.steps.list[0].host.to, linked.steps.list[1].host.from);
}

#[test]
fn without_markers_and_optimizers_steps_begin_with_replays() {
    let linked = linked_by(
        "
        main | gg    hh    ii    jj    [end]
        gpu  |   g g   h h   i i   j j
        ",
        Rules::default(),
    );
    assert_eq!(linked.steps.kind, "graph launch");
    assert_eq!(linked.steps.of_span, [0, 0, 1, 1, 2, 2, 3, 3]);
}

#[test]
fn a_single_replay_makes_no_step() {
    let linked = linked_by(
        "
        main | gg          [end]
        gpu  |   g g g
        ",
        Rules::default(),
    );
    assert_eq!((linked.steps.kind, linked.steps.list.len()), ("none", 0));
    assert_eq!(linked.steps.of_span, [NO_STEP; 3]);
    assert!(linked.window.rule.starts_with("no steps found"));
}

#[test]
fn a_marker_named_in_the_rules_wins_over_one_known_by_name() {
    let drawing = "
        main | {ProfilerStep#0                }{ProfilerStep#1                } [end]
             | {tick 1        }{tick 2        }{tick 3        }{tick 4        }
             |  aa              bb              cc              dd
        gpu  |    aaa             bbb             ccc             ddd
        ";
    let step_prefixes = vec!["tick".to_owned()];
    let linked = linked_by(drawing, Rules { step_prefixes, ..Rules::default() });
    assert_eq!(linked.steps.marker.as_deref(), Some("tick"));
    assert_eq!(linked.steps.list.len(), 4);
}

#[test]
fn a_repeated_range_that_holds_the_launches_is_a_marker_and_one_that_does_not_is_none() {
    let linked = linked_by(
        "
        main | {iteration 1   }{iteration 2   }{iteration 3   } [end]
             |  {log}           {log}           {log}
             |        aa              bb              cc
        gpu  |          aaa             bbb             ccc
        ",
        Rules::default(),
    );
    assert_eq!(linked.steps.marker.as_deref(), Some("iteration N"));
}

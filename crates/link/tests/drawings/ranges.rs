//! Ranges as drawings: what the device did for each annotation, to the nanosecond.

use flamelane_link::{Range, Rules, ranges};

use super::linked_by;

fn range(drawing: &str, name: &str) -> Range {
    let linked = linked_by(drawing, Rules::default());
    ranges(&linked).into_iter().find(|range| range.name == name).unwrap()
}

#[test]
fn a_range_sums_its_occurrences() {
    let drawing = "
        main   | [run                                                ]
               |  {forward   }       {forward   }   {forward  }
               |   aa bb              cc
        gpu    |     aaaa   bbbb        cccc
        gpu:20 |                             dddd
        other  |                       dd
        ";
    let forward = range(drawing, "forward");
    // The third launches nothing; d is launched in the second by another thread, and runs on.
    assert_eq!((forward.count, forward.n_with_work), (3, 2));
    assert_eq!(forward.host, 12_000 + 12_000 + 11_000);
    assert_eq!(forward.envelope, 11_000 + 9_000, "4..15 and 24..33");
    assert_eq!(forward.union, 8_000 + 8_000);
    assert_eq!(forward.sum, 16_000);
    assert_eq!(forward.onset, 3_000 + 3_000);
    assert!((forward.density() - 16.0 / 20.0).abs() < 1e-12);
}

#[test]
fn work_that_overlaps_counts_once_in_the_union_and_twice_in_the_sum() {
    let drawing = "
        main   | {forward           }
               |  aa bb
        gpu    |    aaaaaaaa
        gpu:20 |        bbbbbbbb
        ";
    let forward = range(drawing, "forward");
    assert_eq!((forward.envelope, forward.union, forward.sum), (12_000, 12_000, 16_000));
    assert!((forward.density() - 1.0).abs() < 1e-12);
    assert_eq!(forward.onset, 3_000);
}

#[test]
fn work_belongs_to_the_range_that_launched_it_not_to_the_one_that_it_runs_in() {
    let drawing = "
        main | {forward} {sample    }
             |  aa        bb
        gpu  |            aaaabbbb
        ";
    let (forward, sample) = (range(drawing, "forward"), range(drawing, "sample"));
    assert_eq!((forward.union, forward.onset), (4_000, 11_000));
    assert_eq!((sample.union, sample.onset), (4_000, 5_000));
}

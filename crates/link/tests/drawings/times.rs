//! Waits, trust and classes: whose time is whose, and which times are believed.

use flamelane_link::{Choice, Class, IdleClass, Rules, link};
use flamelane_model::{NONE, SyncKind, SyncRow};

use crate::{linked_by, read};

fn whole() -> Rules {
    Rules { choice: Choice::Whole, ..Rules::default() }
}

const TWO_STREAMS: &str = "
    main   | aa bb <sync        >
    gpu    |    aaaaaa
    gpu:20 |       bbbbbbbbb
    ";

#[test]
fn a_wait_absorbs_the_time_in_which_any_device_was_busy() {
    let linked = linked_by(TWO_STREAMS, whole());
    assert_eq!(linked.waits.len(), 1);
    assert_eq!(linked.waits[0].absorbed, 9_000);
}

#[test]
fn a_wait_for_a_named_stream_absorbs_only_that_streams_work() {
    let mut trace = read(TWO_STREAMS);
    let correlation = trace.calls.correlation[2];
    assert_ne!(correlation, NONE);
    let kind = SyncKind::HostWait;
    trace.syncs.push(SyncRow { kind, stream: 7, device: 0, span: (0, 0), correlation });
    let linked = link(trace, whole());
    assert_eq!(linked.waits[0].absorbed, 3_000);
}

#[test]
fn a_gap_after_an_event_wait_is_the_streams() {
    let linked = linked_by(
        "
        main | (op                                  )
             | aa <cudaStreamWaitEvent > bb
        gpu  |  aaaaaaaaaaaaaaaaaaaaaaaaaaaaa         bb
        ",
        Rules::default(),
    );
    assert_eq!(linked.idle.by_class[IdleClass::StreamWait as usize], 9_000);
}

#[test]
fn the_last_span_may_not_be_longer_than_the_file_without_it() {
    let linked = linked_by(
        "
        main | (op                                )
             | aa bb cc dd ee ff gg hh ii
        gpu  |  aaabbbcccdddeeefffggghhhiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii
        ",
        Rules::default(),
    );
    assert_eq!(linked.trust.clipped, [8]);
    assert_eq!(linked.trust.end[8], 36_000);
}

#[test]
fn nor_may_the_last_but_one_whose_successor_it_covers() {
    let linked = linked_by(
        "
        main | (op                                )
             | aa bb cc dd ee ff gg hh ii jj
        gpu  |  aaabbbcccdddeeefffggghhhiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii
             |                               jjj
        ",
        Rules::default(),
    );
    assert_eq!(linked.trust.clipped, [8]);
    assert_eq!(linked.trust.end[8], linked.trace.device.start[9]);
}

#[test]
fn a_kernel_of_no_family_below_a_collective_is_communication() {
    let linked = linked_by(
        "
        main   | (record_param_comms)(aten::add)
               |  aa                  bb
        gpu    |    aaaa                bbbb
        ",
        whole(),
    );
    assert_eq!(linked.families.class, [Class::Comm, Class::Compute]);
    assert_eq!(linked.devices[0].partition.comm, 4_000);
}

#[test]
fn a_copy_within_one_device_computes_and_one_to_the_host_copies() {
    let linked = linked_by(
        "
        main | (op                )
             | AA HH DD
        gpu  |   AAA HHH DDD
        ",
        whole(),
    );
    assert_eq!(linked.families.class, [Class::Compute, Class::Copy, Class::Copy]);
}

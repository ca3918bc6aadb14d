//! Waits read as costs, and input that is late.

use flamelane_find::Kind;

use crate::tape::Tape;

/// W01: requests whose kernels queue up, a copy that blocks until they are done, host work.
#[test]
fn a_slow_copy_that_is_not_slow() {
    let mut tape = Tape::default();
    for request in 0..3 {
        let begin = f64::from(request) * 10_000.0;
        tape.range("request", begin, 10_000.0);
        tape.python("model.py(1): forward", begin, 1_100.0);
        for kernel in 0..50 {
            tape.kernel("conv", begin + f64::from(kernel) * 20.0, 180.0);
        }
        // 7895 of the call are absorbed by kernels, 124 by its own copy.
        let done = begin + 9_006.0;
        tape.python("post.py(1): to_numpy", begin + 1_100.0, 8_900.0);
        tape.op("aten::copy_", begin + 1_100.0, 8_050.0);
        tape.launch("cudaMemcpyAsync", begin + 1_111.0, done + 124.0 - begin - 1_111.0);
        tape.work(("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)"), (done, 124.0), 7, 1_000_000);
    }
    let found = tape.found();
    assert_eq!((found.verdict, found.answer.n_steps), ("gpu-bound", 3));
    let first = found.first();
    assert_eq!(first.kind, Kind::PageableCopy);
    // 870 behind each copy; 6 more to the next request's first kernel behind two of them.
    assert_eq!(first.owned, 3 * 870_000 + 2 * 6_000);
    assert_eq!(first.max_gain, first.owned, "never the 8 ms that it blocked");
    assert_eq!(found.figure(Kind::PageableCopy, "absorbed_ns"), 3 * (7_895_000 + 124_000));
    assert_eq!(found.figure(Kind::PageableCopy, "exposed_ns"), 0);
    assert!(first.sentence.contains("`copy_` in `to_numpy`"), "{}", first.sentence);
}

/// A read of a value: a short kernel, a copy of one byte, a wait. Says when it returned.
fn read(tape: &mut Tape, at: f64, frame: &str, op: &str) -> f64 {
    tape.launch("cudaLaunchKernel", at, 5.0);
    tape.queued("reduce", at + 6.0, 3.0);
    tape.launch("cudaMemcpyAsync", at + 6.0, 4.0);
    tape.copied("Memcpy DtoH (Device -> Pageable)", at + 12.0, 2.0);
    let end = tape.sync(at + 15.0);
    tape.op(op, at, end - at);
    tape.python(frame, at, end - at);
    end
}

/// W02: three and a quarter reads a token, then host work.
#[test]
fn reads_of_values_then_host_work() {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for token in 0..8 {
        let begin = at;
        tape.python("model.py(1): forward", at, 700.0);
        for kernel in 0..100 {
            tape.kernel("decode", at + 7.0 * f64::from(kernel), 20.0);
        }
        at = read(&mut tape, at + 700.0, "gen.py(1): stop_criteria", "aten::is_nonzero");
        tape.python("gen.py(2): update_inputs", at, 300.0);
        at = read(&mut tape, at + 300.0, "gen.py(3): all_finished", "aten::item");
        tape.python("gen.py(4): update_cache", at, 300.0);
        at = read(&mut tape, at + 300.0, "gen.py(5): to_list", "aten::item");
        if token % 4 == 3 {
            at = read(&mut tape, at, "gen.py(6): margin", "aten::item");
        }
        tape.python("gen.py(7): detokenize", at, 600.0);
        at += 600.0;
        tape.range(&format!("decode_step#{token}"), begin, at - begin);
    }
    let found = tape.found();
    assert_eq!((found.verdict, found.answer.n_steps), ("sync-bound", 8));
    assert_eq!(found.first().kind, Kind::SyncCliff);
    assert_eq!(found.first().count, 8, "one drains the queue, the others join");
    for site in ["`item` in `all_finished` × 8", "`to_list` × 8", "`margin` × 2", "detokenize"] {
        assert!(found.says(site), "{site}: {:?}", found.first().evidence);
    }
    // Two thirds of 1.2 ms of host work stay with the first read, which absorbed 1.3 ms.
    let owned = found.owned(Kind::SyncCliff);
    assert!((1_200..1_290).contains(&owned), "{owned}");
    assert!(found.first().max_gain <= found.first().owned, "not what the read blocked");
}

/// W12: every fourth step waits for the loader.
#[test]
fn every_fourth_step_waits() {
    let mut tape = Tape::default();
    let mut at = 0.0;
    for step in 0_usize..24 {
        let begin = at;
        let wait = [80_000.0, 1_300.0, 0.0, 0.0][step % 4];
        if wait > 0.0 {
            tape.op("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", at, wait);
            tape.python("queue.get", at, wait);
        }
        at += wait;
        for kernel in 0..92 {
            tape.kernel("train", at + 7.0 * f64::from(kernel), 100.0);
        }
        at = tape.sync(at + 700.0) + 200.0;
        tape.range(&format!("ProfilerStep#{step}"), begin, at - begin);
    }
    let found = tape.found();
    assert_eq!((found.verdict, found.answer.n_steps), ("input-bound", 24));
    let first = found.first();
    assert_eq!(first.kind, Kind::InputWait);
    assert_eq!(first.owned, 6 * 81_300_000, "all of each wait, and nothing else");
    assert_eq!(found.count_figure(Kind::InputWait, "period_steps"), 4);
    assert!(first.experiment.contains("at least 13 workers"), "{}", first.experiment);
}

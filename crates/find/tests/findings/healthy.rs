//! Generated runs that are healthy by construction.

use flamelane_find::{Thresholds, find, health};
use flamelane_link::{Rules, link};
use flamelane_read::{Content, Limits};
use flamelane_testkit::{Layout, Options, Scenario};

#[test]
fn two_hundred_healthy_runs_have_no_headline() {
    for seed in 0..200_u64 {
        let options = Options {
            seed,
            steps: 6 + (seed % 7) as u32,
            layers: 4 + (seed % 5) as u32,
            noise_percent: 3,
            ..Options::new(Scenario::OverlapSteps)
        };
        let mut json = Vec::new();
        options.simulate().write_json(Layout::Kineto, &mut json).unwrap();
        let read = flamelane_read::open(&mut &json[..], &Limits::default(), Some("kineto"));
        let Content::Trace(trace) = read.unwrap().content else { panic!("a trace") };
        let linked = link(*trace, Rules::default());
        let limits = Thresholds::default();
        let answer = find(&linked, &health(&linked), &limits);
        let first = answer.findings.iter().find(|finding| finding.headline);
        assert!(first.is_none(), "seed {seed}: {:?}", first.map(|f| &f.sentence));
        assert_eq!(answer.tally().judge(&limits).name(), "gpu-bound", "seed {seed}");
    }
}

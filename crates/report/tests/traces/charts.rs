//! The laws of charts, on every trace.

use std::collections::BTreeMap;

use flamelane_link::{Linked, Origin};
use flamelane_model::ChartRow;

/// Every believed device span and every host span has a row of its lane, nothing overlaps in a
/// row, work points to an earlier-numbered call's row, and idle pieces are the idle time.
pub(crate) fn check(file: &str, linked: &Linked) {
    let chart = flamelane_chart::chart(linked);
    let (trace, trust) = (&linked.trace, &linked.trust);
    let rows = || chart.lanes.iter().flat_map(|lane| &lane.rows);
    let spans: usize = chart.lanes.iter().map(|lane| lane.len() + lane.n_hidden as usize).sum();
    let believed = trust.counts.iter().filter(|&&counts| counts).count();
    assert_eq!(spans, believed + trace.host.len(), "{file}: spans of the chart");
    for row in rows() {
        let n = row.start.len();
        assert_eq!((row.end.len(), row.frame.len()), (n, n), "{file}: columns");
        assert!((1..n).all(|next| row.end[next - 1] <= row.start[next]), "{file}: overlap");
        assert!((0..n).all(|i| row.start[i] <= row.end[i]), "{file}: length");
        assert!(n == 0 || chart.extent.from <= row.start[0], "{file}: extent");
        assert!(n == 0 || chart.extent.to >= row.end[n - 1], "{file}: extent");
    }
    launches(
        file,
        linked,
        &rows().collect::<Vec<_>>(),
        chart.lanes.iter().all(|l| l.n_hidden == 0),
    );
    for (time, idle) in linked.devices.iter().zip(&chart.idle) {
        let sum: i64 = idle.pieces.iter().map(|(piece, _)| piece.len()).sum();
        assert_eq!(sum, time.partition.idle, "{file}: idle pieces");
        let later = idle.pieces.windows(2).all(|pair| pair[0].0.to <= pair[1].0.from);
        assert!(later, "{file}: idle pieces by time");
    }
}

/// As many spans a call as the linker found, where none is hidden.
fn launches(file: &str, linked: &Linked, rows: &[&ChartRow], is_whole: bool) {
    let starts: Vec<i64> = rows.iter().flat_map(|row| row.start.iter().copied()).collect();
    let links = rows.iter().flat_map(|row| row.launch.iter().copied());
    let mut shown: BTreeMap<i64, usize> = BTreeMap::new();
    for number in links.filter(|&number| number > 0) {
        *shown.entry(starts[number as usize - 1]).or_default() += 1;
    }
    let mut known: BTreeMap<i64, usize> = BTreeMap::new();
    for (span, origin) in linked.origins.iter().enumerate() {
        if let (Origin::Call(call), true) = (*origin, linked.trust.counts[span]) {
            let host = linked.trace.calls.span[call.index()].index();
            *known.entry(linked.trace.host.start[host]).or_default() += 1;
        }
    }
    if is_whole {
        assert_eq!(shown, known, "{file}: launches by the time of their call");
    }
}

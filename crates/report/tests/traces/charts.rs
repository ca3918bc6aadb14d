//! The laws of charts, on every trace.

use std::collections::BTreeMap;

use flamelane_link::{Linked, Origin};
use flamelane_model::{Chart, ChartRow, Profile, StackId, Weight};

/// Every believed device span and every host span has a row of its lane, nothing overlaps in a
/// row, work points to an earlier-numbered call's row, idle pieces are the idle time, and what each
/// node of the profile has is the time of its spans, its idle pieces, its stretches.
pub(crate) fn check(file: &str, linked: &Linked) {
    let (profile, nodes) = flamelane_fold::fold_placed(linked);
    let chart = flamelane_chart::chart(linked, &nodes);
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
    time_of_nodes(file, linked, &chart, &profile);
    for (time, idle) in linked.devices.iter().zip(&chart.idle) {
        let sum: i64 = idle.pieces.iter().map(|(piece, _)| piece.len()).sum();
        assert_eq!(sum, time.partition.idle, "{file}: idle pieces");
        let later = idle.pieces.windows(2).all(|pair| pair[0].0.to <= pair[1].0.from);
        assert!(later, "{file}: idle pieces by time");
    }
}

/// The time of the chart adds up to that of each node of the profile.
fn time_of_nodes(file: &str, linked: &Linked, chart: &Chart, profile: &Profile) {
    let sums = |pieces: &mut dyn Iterator<Item = (StackId, i64)>| {
        let mut sums = vec![0; profile.stacks.len()];
        pieces.for_each(|(node, ns)| sums[node.index()] += ns);
        sums
    };
    let rows = chart.lanes.iter().filter(|lane| lane.device.is_some()).flat_map(|lane| &lane.rows);
    let spans = rows.flat_map(|row| {
        assert_eq!(row.node.len(), row.start.len(), "{file}: nodes of device spans");
        (0..row.node.len()).map(|i| (row.node[i], row.end[i] - row.start[i]))
    });
    let mut gpu = sums(&mut spans.filter(|(node, _)| node.index() > 0));
    let device = &linked.trace.device;
    let is_as_recorded = |span: usize| linked.trust.end[span] == device.end[span];
    let cut = (0..device.len()).filter(|&span| linked.window.selected[span]);
    if cut.clone().all(is_as_recorded) && chart.lanes.iter().all(|lane| lane.n_hidden == 0) {
        assert_eq!(gpu, profile.selves(&Weight::Gpu), "{file}: device time by node");
    } else {
        for (shown, told) in gpu.iter_mut().zip(profile.selves(&Weight::Gpu)) {
            assert!(*shown <= told, "{file}: device time by node is at most what was recorded");
        }
    }
    let owned = chart.idle.iter().flat_map(|idle| {
        idle.pieces.iter().map(|(time, owner)| (idle.owners[*owner as usize].node, time.len()))
    });
    assert_eq!(sums(&mut { owned }), profile.selves(&Weight::Idle), "{file}: idle time by node");
    let courses = chart.lanes.iter().flat_map(|lane| &lane.course);
    let wall = sums(&mut courses.map(|(time, node)| (*node, time.len())));
    assert_eq!(wall, profile.selves(&Weight::Wall), "{file}: wall time by node");
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

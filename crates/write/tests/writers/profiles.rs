//! Profiles for the tests of writers, from drawings and by chance.

use flamelane_model::{Frame, FrameKind, Profile, StackId, Weight};
use proptest::prelude::*;

/// A profile from lines `a;b/kernel;c 12`: a frame may name its kind, else it is an op.
pub(crate) fn profile(lines: &str) -> Profile {
    let mut profile = Profile::new();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (path, value) = line.rsplit_once(' ').unwrap();
        let node = path.split(';').fold(profile.stacks.root(), |node, frame| {
            let (name, kind) = match frame.rsplit_once('/') {
                Some((name, word)) => (name, FrameKind::parse(word).unwrap()),
                None => (frame, FrameKind::Op),
            };
            let name = profile.strings.intern(name);
            profile.stacks.child(node, Frame { name, kind })
        });
        profile.add(Weight::Gpu, node, value.parse().unwrap());
        profile.add(Weight::Launches, node, 1);
    }
    profile
}

/// Any profile: a random tree over a few ugly names, some nodes without a value.
pub(crate) fn any_profile() -> impl Strategy<Value = Profile> {
    let names = prop::collection::vec(any_name(), 1..6);
    let node = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..14usize, 0..40i64);
    (names, prop::collection::vec(node, 0..60)).prop_map(|(names, nodes)| {
        let mut profile = Profile::new();
        let mut made = vec![StackId(0)];
        for (parent, name, kind, value) in nodes {
            let name: &String = name.get(&names);
            let frame = Frame { name: profile.strings.intern(name), kind: FrameKind::ALL[kind] };
            let node = profile.stacks.child(*parent.get(&made), frame);
            made.push(node);
            // Cubes: light and heavy frames side by side.
            profile.add(Weight::Gpu, node, (value / 10).pow(9) + value % 10);
            profile.add(Weight::Launches, node, value % 3);
        }
        profile
    })
}

/// Names as files hold them, and worse.
fn any_name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-cA-C]{1,3}",
        "(void )?a::b<c(<d>)?>\\(e\\)",
        "\\PC{0,6}",
        prop::collection::vec(any::<char>(), 0..4).prop_map(String::from_iter),
        Just("]]></script><script>alert(1)</script>&amp;\"'\u{0}\u{ffff}".to_owned()),
        Just("nn.Module: Linear_3".to_owned()),
    ]
}

/// Sum over the outermost frames whose name `test` accepts of their totals: the slow, obvious way.
pub(crate) fn matched(profile: &Profile, test: impl Fn(&str) -> bool) -> i64 {
    let selves = profile.selves(&Weight::Gpu);
    let accepted = |node: StackId| test(profile.strings.text(profile.stacks.frame(node).name));
    // A stack's own value is matched once however often its frames are.
    let nodes = profile.stacks.nodes();
    nodes.filter(|node| profile.stacks.climb(*node).any(accepted)).map(|n| selves[n.index()]).sum()
}

//! Grows a profile to a given number of nodes: deep, uneven, repeating, as real ones are.

use flamelane_model::{Frame, FrameKind, Profile, StackId, StrId, Weight};

/// A small generator of numbers: the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below.max(1)
    }
}

/// Adds stacks below the ones there until there are `n_nodes`.
pub(crate) fn to(profile: &mut Profile, n_nodes: usize) {
    let mut dice = Dice(7);
    let names: Vec<StrId> = (0..4_000)
        .map(|i| {
            profile.strings.intern(&format!(
                "app/module_{}/part_{}.py({}): function_{i}",
                i % 37,
                i % 211,
                i * 3 + 1
            ))
        })
        .collect();
    let kernels: Vec<StrId> = (0..300)
        .map(|i| {
            profile
                .strings
                .intern(&format!("void kernel_family_{}<float, {i}>(float*, int)", i % 23))
        })
        .collect();
    let roots: Vec<StackId> = profile.stacks.nodes().collect();
    while profile.stacks.len() < n_nodes {
        let depth = 3 + dice.roll(40);
        let mut node = roots[dice.roll(roots.len())];
        for _ in 0..depth {
            // Mostly a few common callees, sometimes a rare one: heavy paths and a long tail.
            let pick = if dice.roll(4) > 0 { dice.roll(12) } else { dice.roll(names.len()) };
            node = profile.stacks.child(node, Frame { name: names[pick], kind: FrameKind::Python });
        }
        let kernel = Frame { name: kernels[dice.roll(kernels.len())], kind: FrameKind::Kernel };
        let leaf = profile.stacks.child(node, kernel);
        let ns = 500 + dice.roll(200_000) as i64;
        profile.add(Weight::Gpu, leaf, ns);
        profile.add(Weight::Calls, leaf, 1);
        profile.add(Weight::Wall, node, ns / 3);
        profile.add(Weight::Idle, node, ns / 9);
    }
}

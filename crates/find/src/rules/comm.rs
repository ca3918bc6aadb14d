//! `exposed-comm`: collective time without compute, on whatever stream.

use flamelane_link::Class;

use crate::draft::{Draft, Drafts};
use crate::finding::{Figure, Words};
use crate::kind::Kind;
use crate::scene::Scene;
use crate::words::{percent, time};

/// One draft a collective kernel's name.
pub(crate) fn claim(scene: &Scene<'_>, drafts: &mut Drafts) {
    let linked = scene.linked;
    for &device in &scene.judged {
        let mut last = None;
        for bare in &linked.exposed[device] {
            if bare.class != Class::Comm || !scene.counts(bare.step) {
                continue;
            }
            let name = linked.trace.device.name[bare.span as usize];
            let root = linked.nested.stacks.root();
            let site = linked.launch_stack(bare.span as usize).unwrap_or(root);
            let number = drafts.of(Kind::ExposedComm, name.0, site);
            let draft = drafts.get(number);
            draft.add(site, bare.time, device, bare.step);
            if last.replace(bare.span) != Some(bare.span) {
                draft.count += 1;
            }
            if draft.evidence.is_empty() {
                draft
                    .evidence
                    .push(("collective", Figure::Text(linked.trace.text(name).to_owned())));
            }
        }
    }
}

/// The sentence of a draft.
pub(crate) fn tell(scene: &Scene<'_>, draft: &Draft) -> Words {
    let name = flamelane_model::labels::shortest(
        draft.text("collective"),
        flamelane_model::FrameKind::Kernel,
    );
    let sentence = format!(
        "`{name}` runs {} with no compute beside it: {} a step ({}); one rank alone cannot tell a \
         slow transfer from waiting for a late rank",
        scene.often(draft.count),
        time(scene.per_step(draft.owned)),
        percent(scene.share_of_step(draft.owned)),
    );
    let experiment = "record all ranks and look who arrives last; then overlap (bucketed or asynchronous \
                      collectives), or send less";
    Words { subject: format!("`{name}`"), sentence, experiment: experiment.to_owned() }
}

//! Families of device work.

use std::collections::BTreeMap;

use flamelane_link::{COMM, Rules, UNKNOWN, family};
use flamelane_model::{Frame, FrameKind, Profile};

/// The family of every device frame of the profile.
pub fn families(profile: &Profile, rules: &Rules) -> BTreeMap<Frame, String> {
    let mut families = BTreeMap::new();
    for node in profile.stacks.nodes() {
        let frame = profile.stacks.frame(node);
        if frame.kind.is_device() && !families.contains_key(&frame) {
            let name = profile.strings.text(frame.name);
            families.extend(family_of(frame.kind, name, rules).map(|family| (frame, family)));
        }
    }
    families
}

/// The family of a device frame: of a kernel by its name, else the kind.
pub(crate) fn family_of(kind: FrameKind, name: &str, rules: &Rules) -> Option<String> {
    if !matches!(kind, FrameKind::Kernel | FrameKind::Comm) {
        return kind.is_device().then(|| kind.name().to_owned());
    }
    let told = family(name, rules);
    // Who launched it tells what its name does not.
    let is_comm = kind == FrameKind::Comm && told == UNKNOWN;
    Some(if is_comm { COMM.to_owned() } else { told })
}

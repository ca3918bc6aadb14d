//! Kernel families by name.

use std::collections::BTreeMap;

use flamelane_link::{COMM, Rules, UNKNOWN, family};
use flamelane_model::{FrameKind, Profile};

/// The family of every kernel that has a frame in the profile, by its name.
pub fn families(profile: &Profile, rules: &Rules) -> BTreeMap<String, String> {
    let mut families = BTreeMap::new();
    for node in profile.stacks.nodes() {
        let frame = profile.stacks.frame(node);
        let name = profile.strings.text(frame.name);
        if is_kernel(frame.kind) && !families.contains_key(name) {
            families.insert(name.to_owned(), kernel_family(frame.kind, name, rules));
        }
    }
    families
}

/// The family of a device frame: of a kernel by its name, else the kind.
pub(crate) fn family_of(kind: FrameKind, name: &str, rules: &Rules) -> Option<String> {
    if is_kernel(kind) {
        return Some(kernel_family(kind, name, rules));
    }
    kind.is_device().then(|| kind.name().to_owned())
}

fn is_kernel(kind: FrameKind) -> bool {
    matches!(kind, FrameKind::Kernel | FrameKind::Comm)
}

fn kernel_family(kind: FrameKind, name: &str, rules: &Rules) -> String {
    let told = family(name, rules);
    // Who launched it tells what its name does not.
    if kind == FrameKind::Comm && told == UNKNOWN { COMM.to_owned() } else { told }
}

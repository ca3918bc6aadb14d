//! Kernel families by name.

use std::collections::BTreeMap;

use flamelane_link::{COMM, Rules, UNKNOWN, family};
use flamelane_model::{FrameKind, Profile};

/// The family of every kernel that has a frame in the profile, by its name.
pub fn families(profile: &Profile, rules: &Rules) -> BTreeMap<String, String> {
    let mut families = BTreeMap::new();
    for node in profile.stacks.nodes() {
        let frame = profile.stacks.frame(node);
        if !matches!(frame.kind, FrameKind::Kernel | FrameKind::Comm) {
            continue;
        }
        let name = profile.strings.text(frame.name);
        if families.contains_key(name) {
            continue;
        }
        let told = family(name, rules);
        // Who launched it tells what its name does not.
        let is_comm = frame.kind == FrameKind::Comm && told == UNKNOWN;
        families.insert(name.to_owned(), if is_comm { COMM.to_owned() } else { told });
    }
    families
}

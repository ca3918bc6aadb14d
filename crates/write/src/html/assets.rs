//! The viewer's files, embedded as they are; the modules keep the names they import each other by.

/// Embeds a list of the viewer's modules as (name, text).
macro_rules! modules {
    ($($name:literal,)*) => {
        &[$(($name, include_str!(concat!("../../../../viewer/src/", $name)))),*]
    };
}

/// Embeds a list of the viewer's style sheets.
macro_rules! styles {
    ($($name:literal,)*) => {
        &[$(include_str!(concat!("../../../../viewer/style/", $name))),*]
    };
}

/// The page with the marks that the data replaces.
pub(super) const PAGE: &str = include_str!("../../../../viewer/index.html");

/// Style sheets in the order of the cascade.
pub(super) const STYLES: &[&str] = styles![
    "tokens.css",
    "base.css",
    "shell.css",
    "flame.css",
    "lanes.css",
    "summary.css",
    "findings.css",
    "table.css",
    "sandwich.css",
    "print.css",
];

/// Every module under `viewer/src`; a test holds the list against the folder.
pub(super) const MODULES: &[(&str, &str)] = modules![
    "lib/bisect.js",
    "lib/bytes.js",
    "lib/color.js",
    "lib/dom.js",
    "lib/floats.js",
    "lib/units.js",
    "data/chart.js",
    "data/profile.js",
    "data/report.js",
    "data/tree.js",
    "data/varint.js",
    "logic/alike.js",
    "logic/cut-time.js",
    "logic/drawlist.js",
    "logic/finding-place.js",
    "logic/findings.js",
    "logic/gaps.js",
    "logic/grow.js",
    "logic/hit.js",
    "logic/lanes.js",
    "logic/layout.js",
    "logic/names.js",
    "logic/order.js",
    "logic/owner-rows.js",
    "logic/ruler.js",
    "logic/sandwich.js",
    "logic/scene.js",
    "logic/search.js",
    "logic/span-facts.js",
    "logic/span-list.js",
    "logic/stack.js",
    "logic/stretch.js",
    "logic/table.js",
    "logic/walk.js",
    "logic/weights.js",
    "state/atom.js",
    "state/remembered.js",
    "state/store.js",
    "state/url.js",
    "state/view-state.js",
    "draw/flame.js",
    "draw/lanes.js",
    "draw/palette.js",
    "draw/steps.js",
    "draw/text.js",
    "views/app.js",
    "views/crumbs.js",
    "views/details.js",
    "views/finding-bar.js",
    "views/finding-figures.js",
    "views/flame-keys.js",
    "views/flame.js",
    "views/function-links.js",
    "views/grid.js",
    "views/health.js",
    "views/help.js",
    "views/howto.js",
    "views/lanes-details.js",
    "views/lanes-keys.js",
    "views/lanes-pointer.js",
    "views/lanes-stage.js",
    "views/lanes.js",
    "views/legend.js",
    "views/mirror.js",
    "views/notes.js",
    "views/owners.js",
    "views/partition.js",
    "views/prose.js",
    "views/sandwich-choose.js",
    "views/sandwich-details.js",
    "views/sandwich-keys.js",
    "views/sandwich-stages.js",
    "views/sandwich-words.js",
    "views/sandwich.js",
    "views/scenes.js",
    "views/search-box.js",
    "views/shell.js",
    "views/stage-pointer.js",
    "views/stage.js",
    "views/steps.js",
    "views/stretch.js",
    "views/stretch-bar.js",
    "views/summary-findings.js",
    "views/summary-launches.js",
    "views/summary-lists.js",
    "views/summary-tables.js",
    "views/summary.js",
    "views/table.js",
    "views/theme.js",
    "views/toast.js",
    "views/tooltip.js",
    "views/weights.js",
    "main.js",
];

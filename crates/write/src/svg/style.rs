//! The style sheet: the fixed part, and the colours of the kinds that are drawn.

use std::fmt::Write as _;

use flamelane_model::FrameKind;

use crate::palette::{DARK, LIGHT, Page, Paint, SHADES, Swatch, swatch};

const FIXED: &str = include_str!("page/flame.css");

/// Appends the `style` element and the hatch pattern.
///
/// Colours are written out, twice, rather than as variables: viewers other than browsers know no
/// variables.
pub(super) fn style(kinds: &[FrameKind], out: &mut String) {
    out.push_str("<style>\n");
    out.push_str(FIXED);
    for (i, shade) in SHADES.iter().enumerate().skip(1) {
        let _ = writeln!(out, ".flamelane .s{i}>rect{{fill-opacity:{shade}}}");
    }
    colours(&LIGHT, kinds, |swatch| swatch.light, out);
    out.push_str("@media (prefers-color-scheme:dark){\n");
    colours(&DARK, kinds, |swatch| swatch.dark, out);
    out.push_str("}\n</style>\n");
    out.push_str(
        "<defs><pattern id=\"flamelane-rest\" width=\"6\" height=\"6\" \
         patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
         <rect class=\"under\" width=\"6\" height=\"6\"/>\
         <rect class=\"hatch\" width=\"2\" height=\"6\"/></pattern></defs>\n",
    );
}

fn colours(page: &Page, kinds: &[FrameKind], side: fn(Swatch) -> Paint, out: &mut String) {
    let Page { back, ink, muted, line, raised } = page;
    let _ = write!(
        out,
        ".flamelane{{background:{back};--back:{back};--ink:{ink};--muted:{muted};--line:{line};--raised:{raised}}}\n\
         .flamelane .back{{fill:{back}}}\n\
         .flamelane text{{fill:{ink}}}\n\
         .flamelane .note{{fill:{muted}}}\n\
         .flamelane .under{{fill:{raised}}}\n\
         .flamelane .hatch{{fill:{line}}}\n\
         .flamelane .synthetic>rect:not(.share),.flamelane .rest>rect:not(.share){{stroke:{muted}}}\n\
         .flamelane .share{{fill:{ink}}}\n\
         .flamelane .hit>rect,.flamelane .box:focus>rect,.flamelane .key:focus>rect{{stroke:{ink}}}\n\
         .flamelane .root>rect:not(.share){{fill:{raised};stroke:{line}}}\n"
    );
    for kind in kinds {
        let (name, paint) = (kind.name(), side(swatch(*kind)));
        let _ = write!(
            out,
            ".flamelane .{name}>rect:not(.share){{fill:{}}}\n.flamelane .box.{name}>text{{fill:{}}}\n",
            paint.fill, paint.ink
        );
    }
}

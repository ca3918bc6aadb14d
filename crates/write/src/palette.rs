//! Colours by frame kind, light and dark: the one table that SVG and HTML share.

use std::fmt::Write as _;

use flamelane_model::FrameKind;

/// A fill and the ink that can be read on it, as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    /// Colour of the box.
    pub fill: &'static str,
    /// Colour of text in it; contrast at least 4.5 in every shade.
    pub ink: &'static str,
}

/// The colours of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swatch {
    /// On a light page.
    pub light: Paint,
    /// On a dark page.
    pub dark: Paint,
}

/// Colours of the page itself, as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    /// Behind everything.
    pub back: &'static str,
    /// Text.
    pub ink: &'static str,
    /// Secondary text; contrast at least 4.5.
    pub muted: &'static str,
    /// Hairlines and hatching.
    pub line: &'static str,
    /// Surfaces above the page: tooltips, fields.
    pub raised: &'static str,
}

/// The light page.
pub const LIGHT: Page =
    Page { back: "#ffffff", ink: "#1b1f24", muted: "#5b636d", line: "#c3c9d0", raised: "#f6f7f9" };

/// The dark page.
pub const DARK: Page =
    Page { back: "#14171b", ink: "#e8eaed", muted: "#9aa3ad", line: "#454c55", raised: "#1f242a" };

/// Opacity of a box by [`shade`]: neighbours of one kind stay apart.
pub const SHADES: [&str; 3] = ["1", ".95", ".9"];

/// The colours of a kind.
///
/// Python, op, runtime, kernel, copy, comm and os (waits) on light are far apart for every kind
/// of colour vision (ΔE ≥ 25); with the other kinds the worst pair is 15, on dark too.
pub fn swatch(kind: FrameKind) -> Swatch {
    let (light, dark) = match kind {
        FrameKind::Thread => (dark_ink("#c6ced8"), white_ink("#434758")),
        FrameKind::Python => (dark_ink("#56b4e9"), black_ink("#52abe0")),
        FrameKind::Module => (dark_ink("#b4d8fd"), white_ink("#1f6fe0")),
        FrameKind::Annotation => (dark_ink("#b36fb4"), black_ink("#c4b3cc")),
        FrameKind::Op => (dark_ink("#e69f00"), white_ink("#8f5a0c")),
        FrameKind::Runtime => (dark_ink("#a6a6a6"), white_ink("#6e7375")),
        FrameKind::Kernel => (white_ink("#117733"), white_ink("#337f43")),
        FrameKind::Copy => (dark_ink("#eedd88"), black_ink("#d6b944")),
        FrameKind::Memset => (dark_ink("#b9a24f"), black_ink("#9c9038")),
        FrameKind::Graph => (dark_ink("#66dca8"), white_ink("#0e5237")),
        FrameKind::Comm => (white_ink("#332288"), white_ink("#3132bf")),
        FrameKind::Native => (dark_ink("#d9686a"), black_ink("#d18b7b")),
        FrameKind::Os => (white_ink("#882255"), white_ink("#c433a2")),
        FrameKind::Synthetic => (dark_ink("#eeedea"), white_ink("#26262a")),
    };
    Swatch { light, dark }
}

const fn dark_ink(fill: &'static str) -> Paint {
    Paint { fill, ink: LIGHT.ink }
}

const fn black_ink(fill: &'static str) -> Paint {
    Paint { fill, ink: "#0b0d10" }
}

const fn white_ink(fill: &'static str) -> Paint {
    Paint { fill, ink: "#ffffff" }
}

/// Which of the [`SHADES`] a name gets: always the same one.
pub fn shade(name: &str) -> usize {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(16_777_619);
    let hash = name.bytes().fold(2_166_136_261, step);
    (hash >> 8) as usize % SHADES.len()
}

/// All colours as CSS custom properties for an HTML page: `--kernel`, `--kernel-ink`, `--back`, …
///
/// Dark ones apply by the system's wish, or where the root says `data-theme="dark"`.
pub fn css_variables() -> String {
    let (light, dark) = (variables(&LIGHT, |s| s.light), variables(&DARK, |s| s.dark));
    format!(
        ":root{{color-scheme:light dark;{light}}}\n\
         @media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}\n\
         :root[data-theme=dark]{{{dark}}}\n"
    )
}

fn variables(page: &Page, side: fn(Swatch) -> Paint) -> String {
    let mut css = format!(
        "--back:{};--ink:{};--muted:{};--line:{};--raised:{};",
        page.back, page.ink, page.muted, page.line, page.raised
    );
    for kind in FrameKind::ALL {
        let (paint, name) = (side(swatch(kind)), kind.name());
        let _ = write!(css, "--{name}:{};--{name}-ink:{};", paint.fill, paint.ink);
    }
    css
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channels(colour: &str) -> [f64; 3] {
        [1, 3, 5].map(|i| f64::from(u8::from_str_radix(&colour[i..i + 2], 16).unwrap()) / 255.0)
    }

    fn luminance(rgb: [f64; 3]) -> f64 {
        let linear =
            |c: f64| if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
        0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2])
    }

    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn blend(over: &str, under: &str, opacity: f64) -> [f64; 3] {
        let (over, under) = (channels(over), channels(under));
        [0, 1, 2].map(|i| over[i] * opacity + under[i] * (1.0 - opacity))
    }

    #[test]
    fn text_can_be_read_on_every_kind_in_every_shade() {
        for kind in FrameKind::ALL {
            let swatch = swatch(kind);
            for (paint, page) in [(swatch.light, LIGHT), (swatch.dark, DARK)] {
                for shade in SHADES {
                    let box_colour = blend(paint.fill, page.back, shade.parse().unwrap());
                    let found = contrast(box_colour, channels(paint.ink));
                    assert!(found >= 4.5, "{} {}: {found:.2}", kind.name(), paint.fill);
                }
            }
        }
    }

    #[test]
    fn text_can_be_read_on_the_page() {
        for page in [LIGHT, DARK] {
            for ink in [page.ink, page.muted] {
                for under in [page.back, page.raised] {
                    assert!(contrast(channels(ink), channels(under)) >= 4.5, "{ink} on {under}");
                }
            }
        }
    }

    #[test]
    fn a_kind_has_its_own_colour() {
        for (i, a) in FrameKind::ALL.into_iter().enumerate() {
            for b in FrameKind::ALL.into_iter().skip(i + 1) {
                assert_ne!(swatch(a).light.fill, swatch(b).light.fill);
                assert_ne!(swatch(a).dark.fill, swatch(b).dark.fill);
            }
        }
        assert_eq!(shade("gemm"), shade("gemm"));
        assert!(css_variables().contains("--kernel:#117733;--kernel-ink:#ffffff;"));
    }
}

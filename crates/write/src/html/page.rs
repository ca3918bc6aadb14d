//! The page around the data: style, import map, blocks.

use std::fmt::Write as _;
use std::io;

use flamelane_model::FrameKind;
use flamelane_report::Report;
use serde::Serialize;

use super::assets::{MODULES, PAGE, STYLES};
use super::blocks;
use super::encode::Index;
use super::lanes::ChartIndex;
use crate::palette::{Paint, Swatch, swatch};

/// The word of the page's data layout, which the viewer checks.
const LAYOUT: &str = "flamelane.page/1";

/// What the page says of its data.
#[derive(Serialize)]
pub(super) struct Contents<'a> {
    layout: &'static str,
    version: &'static str,
    profiles: Vec<&'a Index>,
    charts: Vec<ChartIndex>,
}

impl<'a> Contents<'a> {
    pub(super) fn new(profiles: Vec<&'a Index>, charts: Vec<ChartIndex>) -> Self {
        Self { layout: LAYOUT, version: env!("CARGO_PKG_VERSION"), profiles, charts }
    }
}

/// Where the page's blocks are.
pub(super) enum Blocks<'a> {
    /// In the page: each with its name, packed when its turn comes.
    Inside(&'a mut dyn Iterator<Item = (String, Vec<u8>)>),
    /// Where the page came from, to be asked for by name.
    Served,
}

/// Writes the page: the template with its marks replaced.
pub(super) fn write(
    report: &Report,
    contents: &Contents<'_>,
    mut blocks: Blocks<'_>,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut rest = PAGE;
    for mark in ["<!--connect-->", "<!--style-->", "<!--modules-->", "<!--start-->", "<!--data-->"]
    {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        out.write_all(before.as_bytes())?;
        rest = after;
        match mark {
            "<!--connect-->" => out.write_all(connect(&blocks).as_bytes())?,
            "<!--style-->" => write_styles(out)?,
            "<!--modules-->" => out.write_all(import_map().as_bytes())?,
            "<!--start-->" => write_start(out)?,
            _ => {
                write_json("report", report, out)?;
                write_json("contents", contents, out)?;
                write_blocks(&mut blocks, out)?;
            }
        }
    }
    out.write_all(rest.as_bytes())
}

/// To whom the page may speak, in the words of its content security policy.
fn connect(blocks: &Blocks<'_>) -> &'static str {
    match blocks {
        Blocks::Inside(_) => "'none'",
        Blocks::Served => "'self'",
    }
}

fn write_styles(out: &mut dyn io::Write) -> io::Result<()> {
    for style in STYLES {
        writeln!(out, "<style>\n{style}</style>")?;
    }
    writeln!(out, "<style>\n{}</style>", kind_styles())
}

/// The colours of the kinds as CSS variables, dark ones under the same rules as the style sheets'.
fn kind_styles() -> String {
    let (light, dark) = (kind_variables(|s| s.light), kind_variables(|s| s.dark));
    format!(
        ":root {{{light}}}\n:root[data-theme=\"dark\"] {{{dark}}}\n\
         @media (prefers-color-scheme: dark) {{ :root:not([data-theme=\"light\"]) {{{dark}}} }}\n"
    )
}

fn kind_variables(side: fn(Swatch) -> Paint) -> String {
    let mut css = String::new();
    for kind in FrameKind::ALL {
        let (name, paint) = (kind.name(), side(swatch(kind)));
        let _ = write!(css, "--kind-{name}:{};--kind-{name}-ink:{};", paint.fill, paint.ink);
    }
    css
}

/// Every module under its own name, as a `data:` URL: nothing is parsed or rewritten.
fn import_map() -> String {
    let mut map = String::from("<script type=\"importmap\">\n{\"imports\":{\n");
    for (i, (name, text)) in MODULES.iter().enumerate() {
        let comma = if i == 0 { "" } else { ",\n" };
        let _ = write!(map, "{comma}\"#viewer/{name}\":\"data:text/javascript;charset=utf-8,");
        escape_url(text, &mut map);
        map.push('"');
    }
    map.push_str("\n}}\n</script>\n");
    map
}

/// Starts the viewer. All modules are named, so that the browser takes them at once and not one level of
/// imports after the other, which would take twice as long; and before the data, so that it does so while
/// it reads those. Modules run when the page has been read to its end.
fn write_start(out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "<script type=\"module\">")?;
    for (name, _) in MODULES {
        writeln!(out, "import \"#viewer/{name}\";")?;
    }
    writeln!(out, "import {{ start }} from \"#viewer/main.js\";\nstart();\n</script>")
}

/// Percent-encodes what a `data:` URL, JSON or an HTML script element would not take as it is.
fn escape_url(text: &str, out: &mut String) {
    for byte in text.bytes() {
        match byte {
            b'%' | b'"' | b'\\' | b'#' | b'<' | b'&' | 0..0x20 | 0x7f.. => {
                let _ = write!(out, "%{byte:02X}");
            }
            _ => out.push(char::from(byte)),
        }
    }
}

/// Writes JSON that cannot end its element: `<` never appears as itself.
fn write_json(id: &str, value: &impl Serialize, out: &mut dyn io::Write) -> io::Result<()> {
    let json = serde_json::to_string(value).map_err(io::Error::other)?;
    writeln!(out, "<script type=\"application/json\" id=\"{id}\">{}</script>", escape_json(&json))
}

/// Outside strings JSON has no `<`, so replacing it everywhere changes no value.
pub(super) fn escape_json(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn write_blocks(blocks: &mut Blocks<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let Blocks::Inside(blocks) = blocks else { return Ok(()) };
    for (name, block) in blocks {
        let text = blocks::text(&block);
        writeln!(out, "<script type=\"text/plain\" id=\"{name}\">{text}</script>")?;
    }
    Ok(())
}

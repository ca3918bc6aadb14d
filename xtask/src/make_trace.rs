//! `cargo xtask make-trace [SCENARIO] OUT.json`: writes a made-up trace and, beside it, its truth.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use flamelane_testkit::{Change, Layout, Options, Scenario, Truth, bundled};

const USAGE: &str = "\
usage: cargo xtask make-trace [SCENARIO] OUT.json[.gz] [options]

  --steps N           number of steps (12)
  --mb M              as many steps as make a file of about M MB, unpacked
  --layers N          layers of the model (8; 32 with --mb)
  --seed S            seed of all draws (1)
  --noise PERCENT     how far durations stray from their mean (20)
  --layout NAME       kineto, keys, minified or indent2 (kineto)
  --no-quirks         without the odd habits of real recordings
  --without-sync, --overlap-copies, --as-graph
                      the same run with one change

The truth goes to OUT.truth.json, gzipped when the trace is.";

/// The scenario when none is named: the one with most kinds of events.
const USUAL: Scenario = Scenario::Backward;
/// Layers of a trace of given size, as many as real models have.
const MANY_LAYERS: u32 = 32;

/// Runs the task.
pub(crate) fn run(args: impl Iterator<Item = String>) -> Result<()> {
    let request = parse(args)?;
    let mut options = request.options;
    if let Some(mb) = request.mb {
        options = options.sized(mb * 1_000_000);
    }
    let capture = options.simulate();
    write(&request.out, |out| Ok(capture.write_json(options.layout, out)?))?;
    let truth = Truth::of(&capture);
    write(&truth_path(&request.out), |out| Ok(truth.write_json(out)?))
}

/// What is asked for.
struct Request {
    out: PathBuf,
    options: Options,
    mb: Option<u64>,
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Request> {
    let mut options = Options::new(USUAL);
    let mut places = Vec::new();
    let mut mb = None;
    let mut layers = None;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--help" | "-h" => bail!("{USAGE}"),
            "--steps" => options.steps = number(&arg, args.next())?,
            "--mb" => mb = Some(number(&arg, args.next())?),
            "--layers" => layers = Some(number(&arg, args.next())?),
            "--seed" => options.seed = number(&arg, args.next())?,
            "--noise" => options.noise_percent = number(&arg, args.next())?,
            "--layout" => options.layout = layout(args.next())?,
            "--no-quirks" => options.quirks = false,
            flag if flag.starts_with('-') => options.changes.push(change(flag)?),
            _ => places.push(arg),
        }
    }
    let out = match places.as_slice() {
        [out] => out,
        [name, out] => {
            options.scenario = scenario(name)?;
            out
        }
        _ => bail!("{USAGE}"),
    };
    options.layers = layers.unwrap_or(if mb.is_some() { MANY_LAYERS } else { options.layers });
    check(&options)?;
    Ok(Request { out: PathBuf::from(out), options, mb })
}

fn check(options: &Options) -> Result<()> {
    for change in &options.changes {
        if !options.scenario.changes().contains(change) {
            bail!("`{}` changes nothing in `{}`", change.flag(), options.scenario.name());
        }
    }
    if options.noise_percent > 90 || options.steps == 0 || options.layers == 0 {
        bail!("need at least one step and one layer, and noise of at most 90 %");
    }
    Ok(())
}

fn number<N: std::str::FromStr>(flag: &str, value: Option<String>) -> Result<N> {
    let value = value.with_context(|| format!("`{flag}` needs a number"))?;
    value.parse().ok().with_context(|| format!("`{flag}` needs a number, not `{value}`"))
}

fn layout(value: Option<String>) -> Result<Layout> {
    let name = value.context("`--layout` needs a name")?;
    Layout::named(&name).with_context(|| {
        let names: Vec<&str> = Layout::ALL.iter().map(|layout| layout.name()).collect();
        format!("no layout `{name}`; there are {}", names.join(", "))
    })
}

fn scenario(name: &str) -> Result<Scenario> {
    Scenario::named(name).with_context(|| {
        let names: Vec<&str> = Scenario::ALL.iter().map(|scenario| scenario.name()).collect();
        format!("no scenario `{name}`; there are {}", names.join(", "))
    })
}

fn change(flag: &str) -> Result<Change> {
    let change = Change::ALL.into_iter().find(|change| change.flag() == flag);
    change.with_context(|| format!("no option `{flag}`\n\n{USAGE}"))
}

/// `x.json` → `x.truth.json`, `x.json.gz` → `x.truth.json.gz`.
fn truth_path(out: &Path) -> PathBuf {
    let text = out.to_string_lossy();
    let (text, packing) = match text.strip_suffix(".gz") {
        Some(text) => (text, ".gz"),
        None => (text.as_ref(), ""),
    };
    let stem = text.strip_suffix(".json").unwrap_or(text);
    PathBuf::from(format!("{stem}.truth.json{packing}"))
}

fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let file = File::create(path).with_context(|| format!("cannot write `{}`", path.display()))?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    if path.extension().is_some_and(|extension| extension == "gz") {
        let mut bytes = Vec::new();
        fill(&mut bytes)?;
        out.write_all(&bundled::gzip(&bytes))?;
    } else {
        fill(&mut out)?;
    }
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(line: &str) -> Result<Request> {
        parse(line.split(' ').map(str::to_owned))
    }

    #[test]
    fn a_scenario_stands_before_the_file() {
        let request = request("hidden-item out.json --steps 3 --without-sync").unwrap();
        assert_eq!(request.options.scenario, Scenario::HiddenItem);
        assert_eq!(request.options.changes, [Change::WithoutSync]);
        assert_eq!((request.options.steps, request.options.layers), (3, 8));
    }

    #[test]
    fn a_size_makes_a_large_model() {
        let request = request("out.json --mb 200").unwrap();
        assert_eq!((request.mb, request.options.layers), (Some(200), 32));
    }

    #[test]
    fn changes_that_change_nothing_are_refused() {
        assert!(request("nccl out.json --as-graph").is_err());
    }

    #[test]
    fn the_truth_lies_beside_the_trace() {
        assert_eq!(truth_path(Path::new("a/x.json.gz")), Path::new("a/x.truth.json.gz"));
        assert_eq!(truth_path(Path::new("x.json")), Path::new("x.truth.json"));
        assert_eq!(truth_path(Path::new("x.part")), Path::new("x.part.truth.json"));
    }
}

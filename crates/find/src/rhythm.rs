//! Rhythm: how the kept steps differ. Populations, outliers, trends and periods come before an
//! average.

use std::collections::BTreeMap;

use flamelane_link::{StepTime, step_times};
use flamelane_model::Ns;

use crate::rules::fallback;
use crate::scene::Scene;
use crate::series::Series;
use crate::words::{many, time};

/// Something that an average over the steps would hide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// `populations`, `phases`, `outliers`, `edges`, `trend`, `batch` or `period`.
    pub pattern: &'static str,
    /// One sentence with its figures.
    pub sentence: String,
    /// Numbers of the steps that it tells from the others; empty where it speaks of all alike.
    pub steps: Vec<u32>,
}

/// A sentence, and the steps that it tells from the others.
type Said = (String, Vec<u32>);

/// Most outliers named.
const MOST_NAMED: usize = 5;
/// Steps that grow by this share in all have a trend.
const LONGER: f64 = 0.1;
/// A step this many times the median is an outlier.
const OUTLIER: Ns = 2;

/// What is worth saying of the steps.
pub(crate) fn patterns(scene: &Scene<'_>) -> Vec<Pattern> {
    let times = step_times(scene.linked);
    // What the window cuts off is no difference between steps.
    let walls: Vec<Ns> = times.iter().map(|time| time.sure).collect();
    if walls.len() < 2 {
        return Vec::new();
    }
    let of_all = |sentence: String| (sentence, Vec::new());
    let found = [
        ("populations", populations(scene)),
        ("phases", phases(scene).map(of_all)),
        ("outliers", outliers(scene, &walls)),
        ("edges", edges(scene, &times).map(of_all)),
    ];
    let mut patterns: Vec<Pattern> = found
        .into_iter()
        .filter_map(|(pattern, said)| {
            said.map(|(sentence, steps)| Pattern { pattern, sentence, steps })
        })
        .collect();
    patterns.extend(moves(scene, walls));
    // Two populations are a step in the series, which a line fits too; a period explains its peaks.
    let has = |pattern| patterns.iter().any(|p: &Pattern| p.pattern == pattern);
    let (split, repeats) = (has("populations"), has("period"));
    let said = |p: &Pattern| match p.pattern {
        "trend" | "batch" => split,
        "outliers" => repeats,
        _ => false,
    };
    patterns.retain(|pattern| !said(pattern));
    patterns
}

fn wall(scene: &Scene<'_>, step: u32) -> Ns {
    let per_step = &scene.linked.per_step;
    let step = step as usize;
    scene.linked.per_device(per_step.busy[step].saturating_add(per_step.idle[step]))
}

fn median(mut values: Vec<Ns>) -> Ns {
    let middle = values.len().saturating_sub(1) / 2;
    if values.is_empty() { 0 } else { *values.select_nth_unstable(middle).1 }
}

fn populations(scene: &Scene<'_>) -> Option<Said> {
    let split = fallback::split(scene)?;
    let list = &scene.linked.steps.list;
    let of = |steps: &[u32]| {
        let walls = median(steps.iter().map(|&step| wall(scene, step)).collect());
        let launches = |&step: &u32| list[step as usize].launch_calls as Ns;
        let launches = median(steps.iter().map(launches).collect()) as u64;
        let n_steps = many(steps.len() as u64, "step");
        format!("{n_steps} with {} (median {})", many(launches, "launch call"), time(walls))
    };
    let boundary = fallback::boundary(scene, &split);
    let sentence =
        format!("two kinds of steps: {}, and {boundary} {}", of(&split.few), of(&split.many));
    Some((sentence, split.many))
}

fn phases(scene: &Scene<'_>) -> Option<String> {
    let mut by_phase: BTreeMap<&str, Vec<Ns>> = BTreeMap::new();
    for &step in &scene.kept {
        let phase = scene.linked.steps.list[step as usize].phase.as_deref();
        by_phase.entry(phase.unwrap_or("no phase")).or_default().push(wall(scene, step));
    }
    if by_phase.len() < 2 {
        return None;
    }
    let rows = by_phase.into_iter().map(|(phase, walls)| {
        format!("{} × {phase} (median {})", walls.len(), time(median(walls)))
    });
    Some(format!("steps of several phases: {}", rows.collect::<Vec<String>>().join(", ")))
}

fn outliers(scene: &Scene<'_>, walls: &[Ns]) -> Option<Said> {
    let usual = median(walls.to_vec());
    let far = |(_, wall): &(&u32, &Ns)| **wall > usual.saturating_mul(OUTLIER);
    let mut far: Vec<(&u32, &Ns)> = scene.kept.iter().zip(walls).filter(far).collect();
    // More than a quarter is no exception but another kind of step.
    if far.is_empty() || far.len() * 4 > walls.len() {
        return None;
    }
    far.sort_by_key(|(step, wall)| (std::cmp::Reverse(**wall), **step));
    let name = |(step, wall): &(&u32, &Ns)| {
        format!("`{}` {}", scene.linked.steps.list[**step as usize].name, time(**wall))
    };
    let named: Vec<String> = far.iter().take(MOST_NAMED).map(name).collect();
    let rest = far.len() - named.len();
    let rest = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    let n_far = many(far.len() as u64, "step");
    let sentence =
        format!("{n_far} above twice the median {}: {}{rest}", time(usual), named.join(", "));
    let mut steps: Vec<u32> = far.iter().map(|(step, _)| **step).collect();
    steps.sort_unstable();
    Some((sentence, steps))
}

/// Steps that seem far from the others only because the window begins or ends with them.
fn edges(scene: &Scene<'_>, times: &[StepTime]) -> Option<String> {
    let usual = median(times.iter().map(|time| time.wall).collect());
    let is_far = |time: &&StepTime| {
        let (wall, sure) = (time.wall, time.sure);
        let long = wall > usual.saturating_mul(OUTLIER) && sure <= usual.saturating_mul(OUTLIER);
        time.at_edge && (long || wall.saturating_mul(OUTLIER) < usual)
    };
    let far = times.iter().filter(is_far);
    let name = |time: &StepTime| {
        let name = &scene.linked.steps.list[time.step as usize].name;
        format!("`{name}` {}", self::time(time.wall))
    };
    let named: Vec<String> = far.map(name).take(MOST_NAMED).collect();
    let has_inner = times.iter().any(|time| !time.at_edge);
    (has_inner && !named.is_empty()).then(|| {
        format!(
            "min and max leave out what the window cuts: idle time belongs to the step that ends it, so \
             that the first has none before it and the last has the tail as well ({})",
            named.join(", ")
        )
    })
}

/// How the length of the steps moves.
fn moves(scene: &Scene<'_>, walls: Vec<Ns>) -> Vec<Pattern> {
    let list = &scene.linked.steps.list;
    let batch = |&step: &u32| list[step as usize].batch.map(|batch| batch as f64);
    let batches = scene.kept.iter().map(batch).collect();
    let series = Series::new(walls.into_iter(), batches, scene.limits.trend_fit);
    let mut patterns = Vec::new();
    let steps = Vec::new;
    if let Some((slope, fit)) = series.trend(LONGER) {
        let way = if slope > 0.0 { "longer" } else { "shorter" };
        let slope = time(slope.abs().round() as Ns);
        let sentence = format!("every step is {slope} {way} than the one before (r² {fit:.2})");
        patterns.push(Pattern { pattern: "trend", sentence, steps: steps() });
    }
    if let Some((slope, fit)) = series.batch() {
        let slope = time(slope.round() as Ns);
        let sentence =
            format!("a step grows by {slope} with each sequence of the batch (r² {fit:.2})");
        patterns.push(Pattern { pattern: "batch", sentence, steps: steps() });
    }
    if let Some(period) = series.period() {
        let sentence = format!("the lengths repeat every {period} steps");
        patterns.push(Pattern { pattern: "period", sentence, steps: steps() });
    }
    patterns
}

//! Series: how a finding's time moves over the steps. Trends, periods and batch sizes come before
//! averages.

use flamelane_model::Ns;

use crate::draft::Draft;
use crate::finding::Figure;
use crate::scene::Scene;
use crate::words::time;

/// One value a kept step, in order of time.
pub(crate) struct Series {
    values: Vec<f64>,
    batches: Vec<Option<f64>>,
    fit: f64,
}

/// Fewer values say nothing of a trend.
const FEW: usize = 8;
/// A finding that grows by this share of its mean has a trend.
const LARGE: f64 = 0.5;
/// Longest period looked for.
const LONGEST: usize = 64;

/// The series of what a draft owns.
pub(crate) fn of(scene: &Scene<'_>, draft: &Draft) -> Series {
    let list = &scene.linked.steps.list;
    let value = |step: &u32| draft.by_step.of(*step);
    let batch = |&step: &u32| list[step as usize].batch.map(|batch| batch as f64);
    Series::new(
        scene.kept.iter().map(value),
        scene.kept.iter().map(batch).collect(),
        scene.limits.trend_fit,
    )
}

impl Series {
    pub(crate) fn new(
        values: impl Iterator<Item = Ns>,
        batches: Vec<Option<f64>>,
        fit: f64,
    ) -> Self {
        Self { values: values.map(|ns| ns as f64).collect(), batches, fit }
    }

    /// The values without the first and the last, where that leaves enough: the edges of the window
    /// have more or less than a step's share.
    fn inner(&self) -> &[f64] {
        let n = self.values.len();
        if n < FEW + 2 { &self.values } else { &self.values[1..n - 1] }
    }

    /// ns a step by which the value grows, where it grows by that share of its mean in all, and how well a line fits (r²).
    pub(crate) fn trend(&self, least: f64) -> Option<(f64, f64)> {
        let values = self.inner();
        if values.len() < FEW {
            return None;
        }
        let places: Vec<f64> = (0..values.len()).map(|i| i as f64).collect();
        let (slope, fit) = line(&places, values)?;
        let change = slope * (values.len() - 1) as f64;
        (fit >= self.fit && change.abs() >= least * mean(values)).then_some((slope, fit))
    }

    /// ns by which the value grows with each sequence of the batch, and r².
    pub(crate) fn batch(&self) -> Option<(f64, f64)> {
        if self.values.len() < FEW {
            return None;
        }
        let batches: Option<Vec<f64>> = self.batches.iter().copied().collect();
        let (slope, fit) = line(&batches?, &self.values)?;
        (fit >= self.fit && slope > 0.0).then_some((slope, fit))
    }

    /// Steps after which the values repeat: the shortest period that explains nine tenths of their
    /// spread and is seen at least three times.
    pub(crate) fn period(&self) -> Option<usize> {
        let n = self.values.len();
        let mean = mean(&self.values);
        let spread = self.values.iter().map(|value| (value - mean).abs()).sum::<f64>() / n as f64;
        if n < FEW || spread < 0.1 * mean || spread <= 0.0 {
            return None;
        }
        let misses = |period: usize| {
            let pairs = self.values.iter().zip(&self.values[period..]);
            pairs.map(|(a, b)| (a - b).abs()).sum::<f64>() / (n - period) as f64
        };
        if misses(1) <= 0.2 * spread {
            return None;
        }
        (2..=(n / 3).min(LONGEST)).find(|&period| misses(period) <= 0.2 * spread)
    }

    /// What is worth saying, as the end of a sentence.
    pub(crate) fn moves(&self) -> Option<String> {
        if let Some((slope, fit)) = self.batch() {
            let slope = time(slope.round() as Ns);
            return Some(format!(
                "it grows by {slope} with each sequence of the batch (r² {fit:.2})"
            ));
        }
        let (slope, fit) = self.trend(LARGE)?;
        let way = if slope > 0.0 { "grows" } else { "shrinks" };
        let slope = time(slope.abs().round() as Ns);
        Some(format!("it {way} by {slope} every step (r² {fit:.2})"))
    }

    /// What is worth saying, as evidence.
    pub(crate) fn evidence(&self) -> Vec<(&'static str, Figure)> {
        let mut rows = Vec::new();
        if let Some((slope, fit)) = self.trend(LARGE) {
            rows.push(("trend_ns_per_step", Figure::Ns(slope.round() as Ns)));
            rows.push(("trend_r2", Figure::Number(fit)));
        }
        if let Some((slope, fit)) = self.batch() {
            rows.push(("per_sequence_ns", Figure::Ns(slope.round() as Ns)));
            rows.push(("batch_r2", Figure::Number(fit)));
        }
        if let Some(period) = self.period() {
            rows.push(("period_steps", Figure::Count(period as u64)));
        }
        rows
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Slope and r² of the least-squares line; none where either side does not vary.
fn line(x: &[f64], y: &[f64]) -> Option<(f64, f64)> {
    let (mean_x, mean_y) = (mean(x), mean(y));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        let (dx, dy) = (x - mean_x, y - mean_y);
        xx += dx * dx;
        xy += dx * dy;
        yy += dy * dy;
    }
    (xx > 0.0 && yy > 0.0).then(|| (xy / xx, xy * xy / (xx * yy)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(values: &[Ns]) -> Series {
        Series::new(values.iter().copied(), vec![None; values.len()], 0.7)
    }

    #[test]
    fn a_loader_with_four_workers_has_a_period_of_four() {
        let waits: Vec<Ns> = [800, 13, 0, 0].repeat(6);
        assert_eq!(series(&waits).period(), Some(4));
        assert_eq!(series(&[10; 24]).period(), None, "steady");
        assert_eq!(series(&(0..24).collect::<Vec<Ns>>()).period(), None, "a trend");
        assert_eq!(series(&[1, 9, 2]).period(), None, "too few");
    }

    #[test]
    fn a_growing_value_has_a_trend() {
        let growing: Vec<Ns> = (0..20).map(|i| 100 + 10 * i).collect();
        let (slope, fit) = series(&growing).trend(LARGE).expect("a line");
        assert!((slope - 10.0).abs() < 1e-9 && fit > 0.99);
        assert!(series(&[100; 20]).trend(LARGE).is_none());
        assert!(series(&[100, 90, 110, 95, 105, 100, 98, 102]).trend(LARGE).is_none());
    }

    #[test]
    fn a_cost_a_sequence_is_seen_in_the_batch() {
        let batches = [4, 32, 8, 16, 64, 2, 48, 24];
        let values = batches.iter().map(|batch| 50 + 3 * batch);
        let batches = batches.iter().map(|&batch| Some(batch as f64)).collect();
        let (slope, _) = Series::new(values, batches, 0.7).batch().expect("depends");
        assert!((slope - 3.0).abs() < 1e-9);
    }
}

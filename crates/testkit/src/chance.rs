//! Reproducible chance: every draw is a hash of where it is made, so that one change moves no other draw.

/// A source of numbers that depends only on its key and on how many were taken from it.
#[derive(Debug, Clone, Copy)]
pub struct Chance {
    key: u64,
    taken: u64,
}

impl Chance {
    /// A source for a whole run.
    pub fn new(seed: u64) -> Self {
        Self { key: mix(seed ^ 0x5851_f42d_4c95_7f2d), taken: 0 }
    }

    /// A fresh source for one named place, whatever was taken from this one.
    #[must_use]
    pub fn at(&self, place: &str, numbers: &[u64]) -> Self {
        let mut key = self.key;
        for byte in place.bytes() {
            key = mix(key ^ u64::from(byte));
        }
        for &number in numbers {
            key = mix(key ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d));
        }
        Self { key, taken: 0 }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.taken += 1;
        mix(self.key ^ self.taken.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// A number in `0..n`; 0 when `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        let bits = self.bits();
        if n == 0 { 0 } else { bits % n }
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1).max(1) as u64) as i64
    }

    /// True once in `n` on average.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// A number within `percent` of `mean`, evenly spread.
    pub fn around(&mut self, mean: i64, percent: u32) -> i64 {
        let reach = mean * i64::from(percent) / 100;
        self.between(mean - reach, mean + reach)
    }
}

/// The finaliser of splitmix64.
fn mix(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_at_one_place_do_not_depend_on_draws_at_another() {
        let run = Chance::new(7);
        let mut busy = run;
        for _ in 0..10 {
            busy.bits();
        }
        assert_eq!(busy.at("layer", &[1, 2]).bits(), run.at("layer", &[1, 2]).bits());
        assert_ne!(run.at("layer", &[1, 2]).bits(), run.at("layer", &[2, 1]).bits());
    }

    #[test]
    fn noise_stays_within_its_percentage() {
        let mut chance = Chance::new(1);
        for _ in 0..1000 {
            let x = chance.around(1000, 20);
            assert!((800..=1200).contains(&x));
        }
        assert_eq!(chance.around(1000, 0), 1000);
    }
}

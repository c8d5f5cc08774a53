//! How likely a sample of a suite finds what some of its tests find.

/// The probability that `k` of `n` tests, drawn at random, have one of the `m` that find a bug.
pub fn probability_of_finding(n: u64, m: u64, k: u64) -> f64 {
    // 1 - C(n-m, k) / C(n, k), factor by factor.
    let missed: f64 =
        (0..k.min(n)).map(|i| (n - m.min(n)).saturating_sub(i) as f64 / (n - i) as f64).product();
    1.0 - missed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_counted_by_hand() {
        // Of the 6 pairs of 4 tests, 5 have one of two given ones.
        assert!((probability_of_finding(4, 2, 2) - 5.0 / 6.0).abs() < 1e-12);
        assert_eq!(probability_of_finding(10, 1, 10), 1.0);
        assert_eq!(probability_of_finding(10, 0, 5), 0.0);
        assert_eq!(probability_of_finding(10, 3, 0), 0.0);
        assert!((probability_of_finding(10, 1, 3) - 0.3).abs() < 1e-12);
    }
}

//! How well one number predicts another: rank correlation, and pairs in the same order.

/// Spearman's rank correlation; nothing where one of the numbers is always the same.
pub fn spearman(pairs: &[(f64, f64)]) -> Option<f64> {
    let ranks = |of: fn(&(f64, f64)) -> f64| ranks(&pairs.iter().map(of).collect::<Vec<_>>());
    let (ones, twos) = (ranks(|pair| pair.0), ranks(|pair| pair.1));
    let mean = (pairs.len() as f64 + 1.0) / 2.0;
    let product = |left: &[f64], right: &[f64]| -> f64 {
        left.iter().zip(right).map(|(one, two)| (one - mean) * (two - mean)).sum()
    };
    let spread = (product(&ones, &ones) * product(&twos, &twos)).sqrt();
    (spread > 0.0).then(|| product(&ones, &twos) / spread)
}

/// From 1 for the least on; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let rank = |value: &f64| {
        let less = values.iter().filter(|other| *other < value).count();
        let equal = values.iter().filter(|other| *other == value).count();
        less as f64 + (equal as f64 + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

/// Of all pairs in a group whose first numbers differ: those whose second numbers are in the same
/// order, and how many there are.
pub fn agreeing(group: &[(f64, f64)]) -> (usize, usize) {
    let mut counts = (0, 0);
    for (at, one) in group.iter().enumerate() {
        for two in &group[at + 1..] {
            if one.0 != two.0 {
                counts.1 += 1;
                counts.0 += usize::from((one.0 < two.0) == (one.1 < two.1) && one.1 != two.1);
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_alone_counts() {
        assert_eq!(spearman(&[(1.0, 10.0), (2.0, 100.0), (3.0, 1000.0)]), Some(1.0));
        assert_eq!(spearman(&[(1.0, 3.0), (2.0, 2.0), (3.0, -9.0)]), Some(-1.0));
        assert_eq!(spearman(&[(1.0, 3.0), (2.0, 3.0)]), None);
    }

    #[test]
    fn equal_values_share_a_rank() {
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 9.0]), [2.5, 1.0, 2.5, 4.0]);
    }

    #[test]
    fn pairs_in_the_same_order() {
        assert_eq!(agreeing(&[(1.0, 1.0), (2.0, 3.0), (3.0, 2.0)]), (2, 3));
        assert_eq!(agreeing(&[(1.0, 1.0), (1.0, 3.0)]), (0, 0));
        assert_eq!(agreeing(&[(1.0, 4.0), (2.0, 4.0)]), (0, 1));
    }
}

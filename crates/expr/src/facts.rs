//! What is known of a term whatever the input: its constant bits and its unsigned range.

use crate::fold::mask;

/// Bits known to be 0 and bits known to be 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KnownBits {
    pub zeros: u128,
    pub ones: u128,
}

/// Known bits and the inclusive unsigned range, each sharpened by the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Facts {
    pub zeros: u128,
    pub ones: u128,
    pub min: u128,
    pub max: u128,
}

impl Facts {
    pub fn unknown(width: u32) -> Self {
        Self { zeros: 0, ones: 0, min: 0, max: mask(width) }
    }

    pub fn constant(width: u32, value: u128) -> Self {
        Self { zeros: !value & mask(width), ones: value, min: value, max: value }
    }

    pub fn from_bits(width: u32, zeros: u128, ones: u128) -> Self {
        Self { zeros, ones, ..Self::unknown(width) }.sharpen(width)
    }

    pub fn from_range(width: u32, min: u128, max: u128) -> Self {
        Self { min, max, ..Self::unknown(width) }.sharpen(width)
    }

    /// The value, if there is only one.
    pub fn value(&self) -> Option<u128> {
        (self.min == self.max).then_some(self.min)
    }

    /// Bits that may be 1, as a number.
    pub fn possible(&self, width: u32) -> u128 {
        !self.zeros & mask(width)
    }

    /// How many low bits are known to be 0.
    pub fn trailing_zeros(&self) -> u32 {
        self.zeros.trailing_ones()
    }

    /// Whether no value satisfies both.
    pub fn disjoint(&self, other: &Self) -> bool {
        self.zeros & other.ones != 0
            || self.ones & other.zeros != 0
            || self.max < other.min
            || other.max < self.min
    }

    /// Whether `value` is not excluded.
    pub fn admits(&self, value: u128) -> bool {
        value & self.zeros == 0 && !value & self.ones == 0 && (self.min..=self.max).contains(&value)
    }

    /// The values that are not excluded, if the range has at most so many places to visit.
    pub fn admitted(self, limit: u128) -> Option<impl Iterator<Item = u128>> {
        // Values below the lowest bit that may vary need not be visited.
        let step = 1u128 << self.zeros.trailing_ones().min(63);
        let first = self.min.next_multiple_of(step);
        ((self.max - self.min) / step < limit).then(|| {
            (first..=self.max).step_by(step as usize).filter(move |&value| self.admits(value))
        })
    }

    /// What holds if one of the two does.
    pub fn join(self, other: Self) -> Self {
        Self {
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// What holds if both do.
    pub fn meet(self, other: Self) -> Self {
        Self {
            zeros: self.zeros | other.zeros,
            ones: self.ones | other.ones,
            min: self.min.max(other.min),
            max: self.max.min(other.max),
        }
    }

    /// Carries what the bits say over to the range, and the common prefix of the range to the bits.
    pub fn sharpen(mut self, width: u32) -> Self {
        self.min = self.min.max(self.ones);
        self.max = self.max.min(self.possible(width));
        let varying = match (self.min ^ self.max).leading_zeros() {
            0 => u128::MAX,
            n => (1 << (128 - n)) - 1,
        };
        let fixed = mask(width) & !varying;
        self.ones |= self.min & fixed;
        self.zeros |= !self.min & fixed;
        self
    }
}

/// What is known of each operator's result.
pub(crate) mod transfer {
    use super::Facts;
    use crate::fold::{mask, sign};
    use crate::{BinaryOp, UnaryOp};

    pub fn unary(op: UnaryOp, width: u32, a: Facts) -> Facts {
        match op {
            UnaryOp::Not => not(width, a),
            UnaryOp::Neg => sub(width, Facts::constant(width, 0), a),
        }
    }

    pub fn binary(op: BinaryOp, width: u32, a: Facts, b: Facts) -> Facts {
        match op {
            BinaryOp::Add => add(width, a, b),
            BinaryOp::Sub => sub(width, a, b),
            BinaryOp::Mul => mul(width, a, b),
            BinaryOp::UDiv => udiv(width, a, b),
            BinaryOp::URem => urem(width, a, b),
            BinaryOp::SDiv if non_negative(width, a, b) && b.min > 0 => udiv(width, a, b),
            BinaryOp::SRem if non_negative(width, a, b) => urem(width, a, b),
            BinaryOp::SDiv | BinaryOp::SRem => Facts::unknown(width),
            BinaryOp::And => and(width, a, b),
            BinaryOp::Or => or(width, a, b),
            BinaryOp::Xor => xor(width, a, b),
            BinaryOp::Shl => shl(width, a, b),
            BinaryOp::LShr => lshr(width, a, b),
            BinaryOp::AShr if non_negative(width, a, a) => lshr(width, a, b),
            BinaryOp::AShr => Facts::unknown(width),
            BinaryOp::Eq | BinaryOp::Ult | BinaryOp::Ule => Facts::unknown(1),
            BinaryOp::Slt | BinaryOp::Sle => Facts::unknown(1),
        }
    }

    fn non_negative(width: u32, a: Facts, b: Facts) -> bool {
        !sign(a.max, width) && !sign(b.max, width)
    }

    fn not(width: u32, a: Facts) -> Facts {
        let flip = |value: u128| mask(width) - value;
        Facts { zeros: a.ones, ones: a.zeros, min: flip(a.max), max: flip(a.min) }
    }

    /// The bits of `a + b + carry`: a bit is known where both operands' are and the carry into it
    /// is the same in the largest and in the smallest sum.
    fn sum_bits(width: u32, a: Facts, b: Facts, carry: u128) -> Facts {
        let (a_possible, b_possible) = (a.possible(width), b.possible(width));
        let largest = a_possible.wrapping_add(b_possible).wrapping_add(carry);
        let smallest = a.ones.wrapping_add(b.ones).wrapping_add(carry);
        let carry_zero = !(largest ^ a_possible ^ b_possible);
        let carry_one = smallest ^ a.ones ^ b.ones;
        let known = (a.zeros | a.ones) & (b.zeros | b.ones) & (carry_zero | carry_one);
        let known = known & mask(width);
        Facts { zeros: !smallest & known, ones: smallest & known, ..Facts::unknown(width) }
    }

    fn add(width: u32, a: Facts, b: Facts) -> Facts {
        let mut facts = sum_bits(width, a, b, 0);
        let limit = mask(width);
        let wraps = |x: u128, y: u128| x > limit - y;
        if wraps(a.max, b.max) == wraps(a.min, b.min) {
            facts.min = a.min.wrapping_add(b.min) & limit;
            facts.max = a.max.wrapping_add(b.max) & limit;
        }
        facts.sharpen(width)
    }

    fn sub(width: u32, a: Facts, b: Facts) -> Facts {
        let mut facts = sum_bits(width, a, not(width, b), 1);
        if (a.min < b.max) == (a.max < b.min) {
            facts.min = a.min.wrapping_sub(b.max) & mask(width);
            facts.max = a.max.wrapping_sub(b.min) & mask(width);
        }
        facts.sharpen(width)
    }

    fn mul(width: u32, a: Facts, b: Facts) -> Facts {
        let mut facts = Facts::unknown(width);
        let zeros = (a.trailing_zeros() + b.trailing_zeros()).min(width);
        facts.zeros = mask(width) & !(u128::MAX.checked_shl(zeros).unwrap_or(0));
        if let Some(max) = a.max.checked_mul(b.max)
            && max <= mask(width)
        {
            (facts.min, facts.max) = (a.min * b.min, max);
        }
        facts.sharpen(width)
    }

    fn udiv(width: u32, a: Facts, b: Facts) -> Facts {
        if b.min == 0 {
            let min = a.min.checked_div(b.max).unwrap_or(mask(width));
            return Facts::from_range(width, min, mask(width));
        }
        Facts::from_range(width, a.min / b.max, a.max / b.min)
    }

    fn urem(width: u32, a: Facts, b: Facts) -> Facts {
        if a.max < b.min {
            return a;
        }
        let max = if b.min == 0 { a.max } else { a.max.min(b.max - 1) };
        Facts::from_range(width, 0, max)
    }

    fn and(width: u32, a: Facts, b: Facts) -> Facts {
        let (zeros, ones) = (a.zeros | b.zeros, a.ones & b.ones);
        let max = a.max.min(b.max);
        Facts { zeros, ones, min: 0, max }.sharpen(width)
    }

    fn or(width: u32, a: Facts, b: Facts) -> Facts {
        let (zeros, ones) = (a.zeros & b.zeros, a.ones | b.ones);
        let min = a.min.max(b.min);
        Facts { zeros, ones, min, max: mask(width) }.sharpen(width)
    }

    fn xor(width: u32, a: Facts, b: Facts) -> Facts {
        let ones = a.ones & b.zeros | a.zeros & b.ones;
        let zeros = a.ones & b.ones | a.zeros & b.zeros;
        Facts::from_bits(width, zeros, ones)
    }

    fn shl(width: u32, a: Facts, b: Facts) -> Facts {
        if b.min >= u128::from(width) {
            return Facts::constant(width, 0);
        }
        let shift = b.min as u32;
        if b.min == b.max {
            let low = (1u128 << shift) - 1;
            let zeros = (a.zeros << shift | low) & mask(width);
            return Facts::from_bits(width, zeros, a.ones << shift & mask(width));
        }
        let zeros = (a.trailing_zeros() + shift).min(width);
        Facts::from_bits(width, mask(width) & !(u128::MAX.checked_shl(zeros).unwrap_or(0)), 0)
    }

    fn lshr(width: u32, a: Facts, b: Facts) -> Facts {
        if b.min >= u128::from(width) {
            return Facts::constant(width, 0);
        }
        let max = a.max >> b.min;
        let min = if b.max >= u128::from(width) { 0 } else { a.min >> b.max };
        let mut facts = Facts::from_range(width, min, max);
        if b.min == b.max {
            facts.zeros |= a.zeros >> b.min;
            facts.ones |= a.ones >> b.min;
        }
        facts.sharpen(width)
    }

    pub fn extract(a: Facts, low: u32, width: u32) -> Facts {
        let bits = |value: u128| value >> low & mask(width);
        let mut facts = Facts { zeros: bits(a.zeros), ones: bits(a.ones), ..Facts::unknown(width) };
        if a.max >> low >> (width - 1) >> 1 == a.min >> low >> (width - 1) >> 1 {
            (facts.min, facts.max) = (bits(a.min), bits(a.max));
        }
        facts.sharpen(width)
    }

    pub fn zext(a: Facts, from: u32, to: u32) -> Facts {
        Facts { zeros: a.zeros | mask(to) & !mask(from), ..a }
    }

    pub fn sext(a: Facts, from: u32, to: u32) -> Facts {
        let extend = |value: u128| crate::fold::sext(value, from, to);
        let bits = Facts { zeros: extend(a.zeros), ones: extend(a.ones), ..Facts::unknown(to) };
        if sign(a.min, from) == sign(a.max, from) {
            return Facts { min: extend(a.min), max: extend(a.max), ..bits }.sharpen(to);
        }
        bits.sharpen(to)
    }

    pub fn concat(high: Facts, low: Facts, low_width: u32, width: u32) -> Facts {
        let join = |high: u128, low: u128| high << low_width | low;
        Facts {
            zeros: join(high.zeros, low.zeros),
            ones: join(high.ones, low.ones),
            min: join(high.min, low.min),
            max: join(high.max, low.max),
        }
        .sharpen(width)
    }
}

/// Facts of one term in half the space; a term wider than 64 bits keeps its facts elsewhere.
#[derive(Clone, Copy)]
pub(crate) struct Packed {
    zeros: u64,
    ones: u64,
    min: u64,
    max: u64,
}

/// The facts of all terms, in the order of their ids.
#[derive(Default)]
pub(crate) struct FactTable {
    packed: Vec<Packed>,
    wide: Vec<Facts>,
}

impl FactTable {
    pub fn push(&mut self, width: u32, facts: Facts) {
        self.packed.push(if width <= 64 {
            Packed {
                zeros: facts.zeros as u64,
                ones: facts.ones as u64,
                min: facts.min as u64,
                max: facts.max as u64,
            }
        } else {
            self.wide.push(facts);
            Packed { zeros: self.wide.len() as u64 - 1, ones: 0, min: 0, max: 0 }
        });
    }

    pub fn get(&self, width: u32, index: usize) -> Facts {
        let packed = &self.packed[index];
        if width > 64 {
            return self.wide[packed.zeros as usize];
        }
        Facts {
            zeros: packed.zeros.into(),
            ones: packed.ones.into(),
            min: packed.min.into(),
            max: packed.max.into(),
        }
    }
}

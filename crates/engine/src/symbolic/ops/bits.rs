//! Integer operations that the pool has no node for, at any width up to 128.

use fathom_expr::{ExprId, Pool};

use super::Evaluator;

impl Evaluator<'_, '_> {
    pub(super) fn constant(&mut self, width: u32, value: u128) -> ExprId {
        self.pool.constant_wide(width, value)
    }

    pub(super) fn zero(&mut self, width: u32) -> ExprId {
        self.constant(width, 0)
    }

    pub(super) fn ones(&mut self, width: u32) -> ExprId {
        self.constant(width, u128::MAX >> (u128::BITS - width))
    }

    /// The smallest signed integer.
    pub(super) fn smallest(&mut self, width: u32) -> ExprId {
        self.constant(width, 1 << (width - 1))
    }

    /// The largest signed integer.
    pub(super) fn largest(&mut self, width: u32) -> ExprId {
        self.constant(width, (1 << (width - 1)) - 1)
    }

    pub(super) fn is_zero(&mut self, value: ExprId) -> ExprId {
        let width = self.pool.width(value);
        let zero = self.zero(width);
        self.pool.eq(value, zero)
    }

    pub(super) fn is_not_zero(&mut self, value: ExprId) -> ExprId {
        let zero = self.is_zero(value);
        self.pool.not(zero)
    }

    /// The highest bit, at width 1.
    pub(super) fn sign(&mut self, value: ExprId) -> ExprId {
        let width = self.pool.width(value);
        self.pool.extract(value, width - 1, 1)
    }

    /// `a` where `less(a, b)` holds, else `b`.
    pub(super) fn choose(
        &mut self,
        less: fn(&mut Pool, ExprId, ExprId) -> ExprId,
        a: ExprId,
        b: ExprId,
    ) -> ExprId {
        let condition = less(self.pool, a, b);
        self.pool.ite(condition, a, b)
    }

    pub(super) fn abs(&mut self, value: ExprId) -> ExprId {
        let (negative, negated) = (self.sign(value), self.pool.neg(value));
        self.pool.ite(negative, negated, value)
    }

    /// Adds neighbouring fields of 1, 2, 4, … bits.
    pub(super) fn count_ones(&mut self, value: ExprId) -> ExprId {
        let width = self.pool.width(value);
        let mut sums = value;
        let mut field = 1;
        while field < width {
            let lower = self.constant(width, every_other(field) & (u128::MAX >> (128 - width)));
            let by = self.constant(width, field.into());
            let shifted = self.pool.lshr(sums, by);
            let (even, odd) = (self.pool.and(sums, lower), self.pool.and(shifted, lower));
            sums = self.pool.add(even, odd);
            field *= 2;
        }
        sums
    }

    pub(super) fn leading_zeros(&mut self, value: ExprId) -> ExprId {
        self.count_zeros(value, End::Top)
    }

    pub(super) fn trailing_zeros(&mut self, value: ExprId) -> ExprId {
        self.count_zeros(value, End::Bottom)
    }

    /// How many zeros `value` has from one end: halves the rest again and again, each half that is
    /// 0 adding its size.
    fn count_zeros(&mut self, value: ExprId, end: End) -> ExprId {
        let width = self.pool.width(value);
        let mut rest = self.padded(value, end);
        let mut count = self.zero(width);
        let mut half = self.pool.width(rest) / 2;
        while half > 0 {
            let low = self.pool.extract(rest, 0, half);
            let high = self.pool.extract(rest, half, half);
            let (near, far) = match end {
                End::Top => (high, low),
                End::Bottom => (low, high),
            };
            let skip = self.is_zero(near);
            rest = self.pool.ite(skip, far, near);
            let (step, none) = (self.constant(width, half.into()), self.zero(width));
            let step = self.pool.ite(skip, step, none);
            count = self.pool.or(count, step);
            half /= 2;
        }
        let (all, none) = (self.constant(width, width.into()), self.is_zero(value));
        self.pool.ite(none, all, count)
    }

    /// `value` with ones beyond its other end, up to a power of two: they end the zeros.
    fn padded(&mut self, value: ExprId, end: End) -> ExprId {
        let width = self.pool.width(value);
        let filling = width.next_power_of_two() - width;
        if filling == 0 {
            return value;
        }
        let ones = self.ones(filling);
        match end {
            End::Top => self.pool.concat(value, ones),
            End::Bottom => self.pool.concat(ones, value),
        }
    }

    /// The groups of `size` bits in reverse order.
    pub(super) fn reverse(&mut self, value: ExprId, size: u32) -> ExprId {
        let width = self.pool.width(value);
        let mut reversed = self.pool.extract(value, 0, size);
        for low in (size..width).step_by(size as usize) {
            let group = self.pool.extract(value, low, size);
            reversed = self.pool.concat(reversed, group);
        }
        reversed
    }

    /// `high:low` shifted left by `amount` modulo the width, the upper half.
    pub(super) fn funnel_left(&mut self, high: ExprId, low: ExprId, amount: ExprId) -> ExprId {
        let (amount, rest) = self.funnel_amounts(amount);
        let (upper, lower) = (self.pool.shl(high, amount), self.pool.lshr(low, rest));
        self.pool.or(upper, lower)
    }

    /// `high:low` shifted right by `amount` modulo the width, the lower half.
    pub(super) fn funnel_right(&mut self, high: ExprId, low: ExprId, amount: ExprId) -> ExprId {
        let (amount, rest) = self.funnel_amounts(amount);
        let (upper, lower) = (self.pool.shl(high, rest), self.pool.lshr(low, amount));
        self.pool.or(upper, lower)
    }

    /// `amount` modulo its width, and what is left to the width. A shift by the whole width is 0,
    /// and the width is less than two to its power.
    fn funnel_amounts(&mut self, amount: ExprId) -> (ExprId, ExprId) {
        let width = self.pool.width(amount);
        let whole = self.constant(width, width.into());
        let amount = self.pool.urem(amount, whole);
        (amount, self.pool.sub(whole, amount))
    }

    /// a + b, and whether the signed sum overflows.
    pub(super) fn signed_add(&mut self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        let sum = self.pool.add(a, b);
        let (left, right) = (self.pool.xor(a, sum), self.pool.xor(b, sum));
        let both = self.pool.and(left, right);
        (sum, self.sign(both))
    }

    pub(super) fn signed_sub(&mut self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        let difference = self.pool.sub(a, b);
        let (apart, changed) = (self.pool.xor(a, b), self.pool.xor(a, difference));
        let both = self.pool.and(apart, changed);
        (difference, self.sign(both))
    }

    pub(super) fn unsigned_add(&mut self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        let sum = self.pool.add(a, b);
        (sum, self.pool.ult(sum, a))
    }

    pub(super) fn unsigned_sub(&mut self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        (self.pool.sub(a, b), self.pool.ult(a, b))
    }

    /// The nearest signed integer where `overflow` holds, which is on the side of `a`.
    pub(super) fn saturate(&mut self, (value, overflow): (ExprId, ExprId), a: ExprId) -> ExprId {
        let width = self.pool.width(value);
        let (smallest, largest) = (self.smallest(width), self.largest(width));
        let negative = self.sign(a);
        let limit = self.pool.ite(negative, smallest, largest);
        self.pool.ite(overflow, limit, value)
    }

    pub(super) fn signed_add_saturating(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let sum = self.signed_add(a, b);
        self.saturate(sum, a)
    }

    pub(super) fn signed_sub_saturating(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let difference = self.signed_sub(a, b);
        self.saturate(difference, a)
    }

    pub(super) fn unsigned_add_saturating(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (sum, overflow) = self.unsigned_add(a, b);
        let width = self.pool.width(sum);
        let largest = self.ones(width);
        self.pool.ite(overflow, largest, sum)
    }

    pub(super) fn unsigned_sub_saturating(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (difference, overflow) = self.unsigned_sub(a, b);
        let width = self.pool.width(difference);
        let zero = self.zero(width);
        self.pool.ite(overflow, zero, difference)
    }
}

/// Where zeros are counted from.
#[derive(Clone, Copy)]
enum End {
    Top,
    Bottom,
}

/// Fields of `field` ones and `field` zeros, ones lowest.
fn every_other(field: u32) -> u128 {
    u128::MAX / ((1 << field) + 1)
}

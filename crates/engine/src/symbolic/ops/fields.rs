//! What can be said about a float by the bits it is made of.

use fathom_expr::ExprId;

use super::Evaluator;

/// The parts of an IEEE format.
#[derive(Clone, Copy)]
struct Format {
    fraction_bits: u32,
    exponent_bits: u32,
}

impl Format {
    fn of(width: u32) -> Self {
        match width {
            32 => Self { fraction_bits: 23, exponent_bits: 8 },
            64 => Self { fraction_bits: 52, exponent_bits: 11 },
            _ => unreachable!("a float is 32 or 64 bits wide"),
        }
    }

    fn bias(self) -> u32 {
        (1 << (self.exponent_bits - 1)) - 1
    }
}

/// The fields of a float, each at its own width.
#[derive(Clone, Copy)]
struct Fields {
    format: Format,
    negative: ExprId,
    exponent: ExprId,
    fraction: ExprId,
}

/// A float's magnitude as an integer, rounded towards zero.
struct Integer {
    magnitude: ExprId,
    /// It has more bits than `magnitude`, or is infinite or no number.
    too_large: ExprId,
}

impl Evaluator<'_, '_> {
    fn fields(&mut self, value: ExprId) -> Fields {
        let width = self.pool.width(value);
        let format = Format::of(width);
        let Format { fraction_bits, exponent_bits } = format;
        Fields {
            format,
            negative: self.sign(value),
            exponent: self.pool.extract(value, fraction_bits, exponent_bits),
            fraction: self.pool.extract(value, 0, fraction_bits),
        }
    }

    pub(super) fn magnitude(&mut self, value: ExprId) -> ExprId {
        let width = self.pool.width(value);
        let magnitude = self.pool.extract(value, 0, width - 1);
        self.pool.zext(magnitude, width)
    }

    pub(super) fn negated(&mut self, value: ExprId) -> ExprId {
        let width = self.pool.width(value);
        let sign = self.smallest(width);
        self.pool.xor(value, sign)
    }

    /// The exponent's bits are all ones, and the fraction is not 0.
    pub(super) fn is_nan(&mut self, value: ExprId) -> ExprId {
        let width = self.pool.width(value);
        let Format { fraction_bits, exponent_bits } = Format::of(width);
        let magnitude = self.pool.extract(value, 0, width - 1);
        let infinity = ((1 << exponent_bits) - 1) << fraction_bits;
        let infinity = self.constant(width - 1, infinity);
        self.pool.ugt(magnitude, infinity)
    }

    /// Whether the float is of one of LLVM's fpclass `classes`, a mask in a slot.
    pub(super) fn is_class(&mut self, value: ExprId, classes: ExprId) -> ExprId {
        let Fields { format, negative, exponent, fraction } = self.fields(value);
        let positive = self.pool.not(negative);
        let ones = self.ones(format.exponent_bits);
        let highest = self.pool.eq(exponent, ones);
        let lowest = self.is_zero(exponent);
        let no_fraction = self.is_zero(fraction);
        let some_fraction = self.pool.not(no_fraction);
        let quiet = self.sign(fraction);
        let signaling = self.pool.not(quiet);

        let nan = self.pool.and(highest, some_fraction);
        let infinite = self.pool.and(highest, no_fraction);
        let subnormal = self.pool.and(lowest, some_fraction);
        let zero = self.pool.and(lowest, no_fraction);
        let extreme = self.pool.or(highest, lowest);
        let normal = self.pool.not(extreme);
        // In the order of LLVM's bits.
        let members = [
            (nan, signaling),
            (nan, quiet),
            (infinite, negative),
            (normal, negative),
            (subnormal, negative),
            (zero, negative),
            (zero, positive),
            (subnormal, positive),
            (normal, positive),
            (infinite, positive),
        ];
        let mut found = self.pool.bool(false);
        for (bit, (class, side)) in (0..).zip(members) {
            let wanted = self.pool.extract(classes, bit, 1);
            let member = self.pool.and(class, side);
            let member = self.pool.and(member, wanted);
            found = self.pool.or(found, member);
        }
        found
    }

    /// To the nearest signed integer of `width` bits towards zero; NaN gives 0.
    pub(super) fn float_to_signed_saturating(&mut self, value: ExprId, width: u32) -> ExprId {
        let Fields { negative, .. } = self.fields(value);
        let Integer { magnitude, too_large } = self.integer(value, width);
        let register = self.pool.width(magnitude);
        let above = self.pool.extract(magnitude, width - 1, register - width + 1);
        let above = self.is_not_zero(above);
        let overflow = self.pool.or(too_large, above);
        let low = self.pool.extract(magnitude, 0, width);
        let opposite = self.pool.neg(low);
        let (smallest, largest) = (self.smallest(width), self.largest(width));
        let below = self.pool.ite(overflow, smallest, opposite);
        let above = self.pool.ite(overflow, largest, low);
        let number = self.pool.ite(negative, below, above);
        let (nan, zero) = (self.is_nan(value), self.zero(width));
        self.pool.ite(nan, zero, number)
    }

    /// To the nearest unsigned integer of `width` bits towards zero; NaN gives 0.
    pub(super) fn float_to_unsigned_saturating(&mut self, value: ExprId, width: u32) -> ExprId {
        let Fields { negative, .. } = self.fields(value);
        let Integer { magnitude, too_large } = self.integer(value, width);
        let register = self.pool.width(magnitude);
        let mut overflow = too_large;
        if register > width {
            let above = self.pool.extract(magnitude, width, register - width);
            let above = self.is_not_zero(above);
            overflow = self.pool.or(overflow, above);
        }
        let (low, largest) = (self.pool.extract(magnitude, 0, width), self.ones(width));
        let number = self.pool.ite(overflow, largest, low);
        let (nan, zero) = (self.is_nan(value), self.zero(width));
        let none = self.pool.or(nan, negative);
        self.pool.ite(none, zero, number)
    }

    /// The significand stands at the top of a register of at least `width` bits, and is shifted
    /// down by what the exponent lacks; a number below 1 is shifted out altogether.
    fn integer(&mut self, value: ExprId, width: u32) -> Integer {
        let Fields { format, exponent, fraction, .. } = self.fields(value);
        let register = width.max(format.fraction_bits + 1);
        let (one, below) = (self.constant(1, 1), register - format.fraction_bits - 1);
        let significand = self.pool.concat(one, fraction);
        let significand = self.pool.zext(significand, register);
        let below = self.constant(register, below.into());
        let top = self.pool.shl(significand, below);
        let highest = u128::from(register - 1 + format.bias());
        let limit = self.constant(register, highest);
        let exponent = self.pool.zext(exponent, register);
        let amount = self.pool.sub(limit, exponent);
        let magnitude = self.pool.lshr(top, amount);
        Integer { magnitude, too_large: self.pool.ugt(exponent, limit) }
    }

    /// frexp: a fraction in [0.5, 1) and an exponent of 32 bits.
    pub(super) fn fraction_and_exponent(&mut self, value: ExprId) -> (ExprId, ExprId) {
        let width = self.pool.width(value);
        let Fields { format, negative, exponent, fraction } = self.fields(value);
        let subnormal = self.is_zero(exponent);
        let zeros = self.leading_zeros(fraction);
        let one = self.constant(format.fraction_bits, 1);
        let (by, none) = (self.pool.add(zeros, one), self.zero(32));
        let shifted = self.pool.shl(fraction, by);
        let normalised = self.pool.ite(subnormal, shifted, fraction);
        let half = self.constant(format.exponent_bits, u128::from(format.bias() - 1));
        let rest = self.pool.concat(half, normalised);
        let scaled = self.pool.concat(negative, rest);

        let zeros = self.pool.extract(zeros, 0, 16);
        let zeros = self.pool.zext(zeros, 32);
        let missing = self.pool.ite(subnormal, zeros, none);
        let exponent_32 = self.pool.zext(exponent, 32);
        let bias = self.constant(32, u128::from(format.bias() - 1));
        let unbiased = self.pool.sub(exponent_32, bias);
        let power = self.pool.sub(unbiased, missing);

        let magnitude = self.magnitude(value);
        let is_zero = self.is_zero(magnitude);
        let ones = self.ones(format.exponent_bits);
        let not_finite = self.pool.eq(exponent, ones);
        let as_is = self.pool.or(is_zero, not_finite);
        let quieted = if width == 32 { self.quieted(value) } else { value };
        (self.pool.ite(as_is, quieted, scaled), self.pool.ite(as_is, none, power))
    }

    /// A signaling NaN becomes quiet, as the way through double and back makes it.
    fn quieted(&mut self, value: ExprId) -> ExprId {
        let width = self.pool.width(value);
        let Format { fraction_bits, .. } = Format::of(width);
        let (nan, quiet) = (self.is_nan(value), self.constant(width, 1 << (fraction_bits - 1)));
        let with_bit = self.pool.or(value, quiet);
        self.pool.ite(nan, with_bit, value)
    }
}

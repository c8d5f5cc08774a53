//! Integers of more than 128 bits: little-endian words, the last one zero-extended.

use std::cmp::Ordering;

use fathom_ir::inst::{BIG_WORDS, Big, BigWidths, Inst};

use crate::engine::Engine;
use crate::int::{mask, sext};
use crate::outcome::BugKind;
use crate::state::State;
use crate::step::Step;

type Words = [u64; BIG_WORDS];

impl Engine<'_> {
    pub(crate) fn exec_big(&self, state: &mut State, i: &Inst) -> Step {
        // SAFETY: lowering stores a `Big` in x.
        let op = unsafe { std::mem::transmute::<u16, Big>(i.x) };
        let BigWidths { width, other } = BigWidths::unpack(i.imm);
        let n = words_for(width);
        let mut out = [0; BIG_WORDS];
        let written = match op {
            Big::Sext => {
                sign_extend(&mut out[..n], state.slot_words(i.a, words_for(other)), other);
                n
            }
            Big::SToFp | Big::UToFp => {
                let a = state.slot_words(i.a, n);
                out[0] = to_float(a, width, op == Big::SToFp, other);
                1
            }
            Big::FpToInt => {
                let bits = state.slot(i.a);
                let value = if other == 32 {
                    f64::from(f32::from_bits(bits as u32))
                } else {
                    f64::from_bits(bits)
                };
                from_float(&mut out[..n], value);
                n
            }
            Big::Eq | Big::Ne | Big::Ult | Big::Ule | Big::Slt | Big::Sle => {
                let (a, b) = (state.slot_words(i.a, n), state.slot_words(i.b, n));
                out[0] = u64::from(compare(op, a, b, width));
                1
            }
            _ => {
                let (a, b) = (state.slot_words(i.a, n), state.slot_words(i.b, n));
                arith(op, &mut out[..n], a, b, width).map_err(|kind| self.bug(state, kind))?;
                n
            }
        };
        if written > 1 {
            mask_top(&mut out[..n], width);
        }
        state.set_slot_words(i.d, &out[..written]);
        Ok(())
    }
}

fn words_for(width: u32) -> usize {
    width.div_ceil(64) as usize
}

/// Clears the bits above `width` in the last word.
fn mask_top(words: &mut [u64], width: u32) {
    if let Some(last) = words.last_mut() {
        *last &= mask((width - 1) % 64 + 1);
    }
}

fn is_negative(words: &[u64], width: u32) -> bool {
    words[words.len() - 1] >> ((width - 1) % 64) & 1 != 0
}

/// `out` = `a`, of `from` bits, sign-extended to all words of `out`.
fn sign_extend(out: &mut [u64], a: &[u64], from: u32) {
    let (low, high) = out.split_at_mut(a.len());
    low.copy_from_slice(a);
    low[a.len() - 1] = sext(a[a.len() - 1], (from - 1) % 64 + 1) as u64;
    high.fill(if is_negative(a, from) { u64::MAX } else { 0 });
}

fn compare(op: Big, a: &[u64], b: &[u64], width: u32) -> bool {
    let unsigned = a.iter().rev().cmp(b.iter().rev());
    let signed = || match (is_negative(a, width), is_negative(b, width)) {
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
        _ => unsigned,
    };
    match op {
        Big::Eq => unsigned.is_eq(),
        Big::Ne => unsigned.is_ne(),
        Big::Ult => unsigned.is_lt(),
        Big::Ule => unsigned.is_le(),
        Big::Slt => signed().is_lt(),
        Big::Sle => signed().is_le(),
        _ => unreachable!("{op:?} is no comparison"),
    }
}

/// `out` = `a` op `b`. Bits above the width are left for the caller to clear.
fn arith(op: Big, out: &mut [u64], a: &[u64], b: &[u64], width: u32) -> Result<(), BugKind> {
    let mut each = |f: fn(u64, u64) -> u64| {
        for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
            *out = f(a, b);
        }
    };
    match op {
        Big::And => each(|a, b| a & b),
        Big::Or => each(|a, b| a | b),
        Big::Xor => each(|a, b| a ^ b),
        Big::Add => add(out, a, b),
        Big::Sub => {
            out.copy_from_slice(a);
            subtract(out, b);
        }
        Big::Mul => multiply(out, a, b),
        Big::Shl | Big::LShr | Big::AShr => {
            if b[0] >= u64::from(width) || b[1..].iter().any(|&word| word != 0) {
                return Err(BugKind::ShiftOverflow);
            }
            let amount = b[0] as usize;
            match op {
                Big::Shl => shift_left(out, a, amount),
                Big::LShr => shift_right(out, a, amount, 0),
                _ => {
                    let mut extended = [0; BIG_WORDS];
                    let extended = &mut extended[..a.len()];
                    sign_extend(extended, a, width);
                    let fill = if is_negative(a, width) { u64::MAX } else { 0 };
                    shift_right(out, extended, amount, fill);
                }
            }
        }
        Big::UDiv | Big::URem | Big::SDiv | Big::SRem => return divide(op, out, a, b, width),
        _ => unreachable!("{op:?} is no arithmetic"),
    }
    Ok(())
}

fn add(out: &mut [u64], a: &[u64], b: &[u64]) {
    let mut carry = false;
    for ((out, &a), &b) in out.iter_mut().zip(a).zip(b) {
        (*out, carry) = a.carrying_add(b, carry);
    }
}

/// `out -= b`
fn subtract(out: &mut [u64], b: &[u64]) {
    let mut borrow = false;
    for (out, &b) in out.iter_mut().zip(b) {
        (*out, borrow) = out.borrowing_sub(b, borrow);
    }
}

fn negate(words: &mut [u64], width: u32) {
    let mut carry = true;
    for word in words.iter_mut() {
        (*word, carry) = (!*word).overflowing_add(u64::from(carry));
    }
    mask_top(words, width);
}

/// `out`, which is 0, = the low words of the product.
fn multiply(out: &mut [u64], a: &[u64], b: &[u64]) {
    for (i, &a) in a.iter().enumerate() {
        let mut carry = 0;
        for (out, &b) in out[i..].iter_mut().zip(b) {
            let sum = u128::from(a) * u128::from(b) + u128::from(*out) + carry;
            *out = sum as u64;
            carry = sum >> 64;
        }
    }
}

fn shift_left(out: &mut [u64], a: &[u64], amount: usize) {
    let (words, bits) = (amount / 64, amount % 64);
    for (i, out) in out.iter_mut().enumerate() {
        let at = |below: usize| i.checked_sub(words + below).map_or(0, |i| a[i]);
        *out = joined(at(0), at(1), 64 - bits as u32);
    }
}

/// Words from above `a` are `fill`.
fn shift_right(out: &mut [u64], a: &[u64], amount: usize, fill: u64) {
    let (words, bits) = (amount / 64, amount % 64);
    for (i, out) in out.iter_mut().enumerate() {
        let at = |i: usize| a.get(i).copied().unwrap_or(fill);
        *out = joined(at(i + words + 1), at(i + words), bits as u32);
    }
}

/// 64 bits of `high:low` from bit `first` (0 to 64) on.
fn joined(high: u64, low: u64, first: u32) -> u64 {
    ((u128::from(high) << 64 | u128::from(low)) >> first) as u64
}

fn divide(op: Big, out: &mut [u64], a: &[u64], b: &[u64], width: u32) -> Result<(), BugKind> {
    if b.iter().all(|&word| word == 0) {
        return Err(BugKind::DivisionByZero);
    }
    let signed = matches!(op, Big::SDiv | Big::SRem);
    let (mut x, mut y): (Words, Words) = ([0; BIG_WORDS], [0; BIG_WORDS]);
    let (x, y) = (&mut x[..a.len()], &mut y[..b.len()]);
    x.copy_from_slice(a);
    y.copy_from_slice(b);
    let a_negative = signed && is_negative(a, width);
    let b_negative = signed && is_negative(b, width);
    if a_negative {
        negate(x, width);
    }
    if b_negative {
        negate(y, width);
    }
    let one = y[0] == 1 && y[1..].iter().all(|&word| word == 0);
    // Only the smallest number is its own negative.
    if a_negative && b_negative && one && x == a {
        return Err(BugKind::SignedOverflow);
    }
    let mut remainder = [0; BIG_WORDS];
    let remainder = &mut remainder[..a.len()];
    divide_unsigned(x, y, remainder);
    if matches!(op, Big::UDiv | Big::SDiv) {
        out.copy_from_slice(x);
        if a_negative != b_negative {
            negate(out, width);
        }
    } else {
        out.copy_from_slice(remainder);
        if a_negative {
            negate(out, width);
        }
    }
    Ok(())
}

/// `x`, `remainder` = `x / y`, `x % y`; the remainder is 0 before.
fn divide_unsigned(x: &mut [u64], y: &[u64], remainder: &mut [u64]) {
    if y[1..].iter().all(|&word| word == 0) {
        let divisor = u128::from(y[0]);
        let mut rest = 0;
        for word in x.iter_mut().rev() {
            let part = rest << 64 | u128::from(*word);
            *word = (part / divisor) as u64;
            rest = part % divisor;
        }
        remainder[0] = rest as u64;
        return;
    }
    // Bit by bit: bits leave `x` at the top for the remainder, the quotient's come in below.
    for _ in 0..64 * x.len() {
        let overflow = shift_in(remainder, shift_in(x, 0));
        if overflow != 0 || remainder.iter().rev().cmp(y.iter().rev()).is_ge() {
            subtract(remainder, y);
            x[0] |= 1;
        }
    }
}

/// Shifts left by one, `bit` coming in; gives the bit that went out.
fn shift_in(words: &mut [u64], mut bit: u64) -> u64 {
    for word in words {
        let out = *word >> 63;
        *word = *word << 1 | bit;
        bit = out;
    }
    bit
}

/// The bits of the nearest float of `bits` (32 or 64) bits.
fn to_float(a: &[u64], width: u32, signed: bool, bits: u32) -> u64 {
    let negative = signed && is_negative(a, width);
    let mut magnitude = [0; BIG_WORDS];
    let magnitude = &mut magnitude[..a.len()];
    magnitude.copy_from_slice(a);
    if negative {
        negate(magnitude, width);
    }
    let top = magnitude.iter().rposition(|&word| word != 0).unwrap_or(0);
    let below = magnitude[..top].last().copied().unwrap_or(0);
    let zeros = magnitude[top].leading_zeros();
    // The top 64 bits, the lowest one set if any bit below is: conversion then rounds as it must.
    let (head, scale) = if top == 0 {
        (magnitude[0], 0)
    } else {
        let lost =
            below.unbounded_shl(zeros) != 0 || magnitude[..top - 1].iter().any(|&word| word != 0);
        (
            joined(magnitude[top], below, 64 - zeros) | u64::from(lost),
            64 * top as i32 - zeros as i32,
        )
    };
    if bits == 32 {
        let value = head as f32 * 2f32.powi(scale);
        u64::from((if negative { -value } else { value }).to_bits())
    } else {
        let value = head as f64 * 2f64.powi(scale);
        (if negative { -value } else { value }).to_bits()
    }
}

/// The integer part of `value`, as two's complement. What is out of range is undefined; it
/// becomes the low bits, and 0 for infinities and NaN.
fn from_float(out: &mut [u64], value: f64) {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1075;
    let fraction = bits & ((1 << 52) - 1) | 1 << 52;
    if !value.is_finite() || value.abs() < 1. {
        out.fill(0);
        return;
    }
    let mut words = [0; BIG_WORDS];
    let words = &mut words[..out.len()];
    words[0] = fraction >> (-exponent).clamp(0, 63);
    shift_left(out, words, exponent.max(0) as usize);
    if value < 0. {
        negate(out, 64 * out.len() as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(op: Big, width: u32, a: &[u64], b: &[u64]) -> Result<Vec<u64>, BugKind> {
        let mut out = vec![0; a.len()];
        arith(op, &mut out, a, b, width)?;
        mask_top(&mut out, width);
        Ok(out)
    }

    fn words(value: i128, width: u32) -> Vec<u64> {
        let mut out = vec![0; words_for(width)];
        sign_extend(&mut out, &[value as u64, (value >> 64) as u64], 128);
        mask_top(&mut out, width);
        out
    }

    const VALUES: [i128; 12] = [
        0,
        1,
        -1,
        2,
        -7,
        1000,
        0x1234_5678_9abc_def0,
        -0x1234_5678_9abc_def0,
        u64::MAX as i128,
        1 << 64,
        0x7edc_ba98_7654_3210_0123_4567_89ab,
        -0x7edc_ba98_7654_3210_0123_4567_89ab,
    ];
    const WIDTHS: [u32; 6] = [129, 136, 192, 193, 256, 4096];

    #[test]
    fn agrees_with_128_bits() {
        for width in WIDTHS {
            for (a, b) in VALUES.into_iter().flat_map(|a| VALUES.map(|b| (a, b))) {
                let (x, y) = (words(a, width), words(b, width));
                let check = |op, expected: i128| {
                    assert_eq!(
                        run(op, width, &x, &y),
                        Ok(words(expected, width)),
                        "{op:?} {a} {b}"
                    );
                };
                check(Big::And, a & b);
                check(Big::Or, a | b);
                check(Big::Xor, a ^ b);
                check(Big::Add, a + b);
                check(Big::Sub, a - b);
                if let Some(product) = a.checked_mul(b) {
                    check(Big::Mul, product);
                }
                if b != 0 {
                    check(Big::SDiv, a / b);
                    check(Big::SRem, a % b);
                    if a >= 0 && b > 0 {
                        check(Big::UDiv, a / b);
                        check(Big::URem, a % b);
                    }
                }
                if (0..=126).contains(&b) {
                    check(Big::AShr, a >> b);
                }
                assert_eq!(compare(Big::Slt, &x, &y, width), a < b);
                assert_eq!(compare(Big::Sle, &x, &y, width), a <= b);
                assert_eq!(compare(Big::Eq, &x, &y, width), a == b);
                // Two's complement: negative numbers are the large ones.
                let unsigned = ((a < 0), a) < ((b < 0), b);
                assert_eq!(compare(Big::Ult, &x, &y, width), unsigned);
            }
        }
    }

    #[test]
    fn quotient_and_remainder_make_the_dividend() {
        for width in WIDTHS {
            let mut seed = u64::from(width);
            let mut random = || {
                let mut out = vec![0; words_for(width)];
                let used = 1 + seed as usize % out.len();
                for word in &mut out[..used] {
                    seed = seed
                        .wrapping_mul(0x5851_f42d_4c95_7f2d)
                        .wrapping_add(0x1405_7b7e_f767_814f);
                    *word = seed ^ seed >> 29;
                }
                mask_top(&mut out, width);
                out
            };
            for _ in 0..20 {
                let (a, mut b) = (random(), random());
                b[0] |= 1;
                for (div, rem) in [(Big::UDiv, Big::URem), (Big::SDiv, Big::SRem)] {
                    let quotient = run(div, width, &a, &b).expect("a quotient");
                    let remainder = run(rem, width, &a, &b).expect("a remainder");
                    let product = run(Big::Mul, width, &quotient, &b).expect("a product");
                    assert_eq!(run(Big::Add, width, &product, &remainder), Ok(a.clone()));
                }
                let remainder = run(Big::URem, width, &a, &b).expect("a remainder");
                assert!(compare(Big::Ult, &remainder, &b, width));
            }
        }
    }

    #[test]
    fn shifts_are_products_and_quotients() {
        for width in WIDTHS {
            let a = run(Big::Mul, width, &words(VALUES[11], width), &words(VALUES[10], width));
            let a = a.expect("a product");
            for amount in [0, 1, 63, 64, 65, 127, 128] {
                let by = words(amount, width);
                let power = run(Big::Shl, width, &words(1, width), &by).expect("a power");
                assert_eq!(run(Big::Shl, width, &a, &by), run(Big::Mul, width, &a, &power));
                assert_eq!(run(Big::LShr, width, &a, &by), run(Big::UDiv, width, &a, &power));
            }
            let (one, too_far) = (words(1, width), words(width.into(), width));
            let top = run(Big::Shl, width, &one, &words(i128::from(width) - 1, width));
            let top = top.expect("the sign");
            assert!(is_negative(&top, width));
            let by = words(i128::from(width) - 1, width);
            assert_eq!(run(Big::AShr, width, &top, &by), Ok(words(-1, width)));
            assert_eq!(run(Big::LShr, width, &top, &by), Ok(one.clone()));
            assert_eq!(run(Big::Shl, width, &one, &too_far), Err(BugKind::ShiftOverflow));
            assert_eq!(run(Big::Shl, width, &one, &words(-1, width)), Err(BugKind::ShiftOverflow));
            let minus = words(-1, width);
            assert_eq!(run(Big::SDiv, width, &top, &minus), Err(BugKind::SignedOverflow));
            assert_eq!(run(Big::URem, width, &one, &words(0, width)), Err(BugKind::DivisionByZero));
        }
    }

    #[test]
    fn floats() {
        for width in WIDTHS {
            for value in VALUES {
                let x = words(value, width);
                assert_eq!(to_float(&x, width, true, 64), (value as f64).to_bits(), "{value}");
                let single = u64::from((value as f32).to_bits());
                assert_eq!(to_float(&x, width, true, 32), single, "{value}");
                let mut back = vec![0; x.len()];
                from_float(&mut back, value as f64);
                mask_top(&mut back, width);
                assert_eq!(back, words(value as f64 as i128, width), "{value}");
            }
        }
    }
}

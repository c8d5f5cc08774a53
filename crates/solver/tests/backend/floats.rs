//! Floating point, bit for bit.

use fathom_expr::{ExprId, Model, Pool, Rounding};
use fathom_solver::Answer;

use super::{Random, assign, bitwuzla, check_value, solve, unknown};

const SPECIAL_32: [u32; 16] = [
    0,
    0x8000_0000,
    0x3f80_0000,
    0xbf80_0000,
    0x3f00_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0xffc0_1234,
    0x7f80_0001,
    0xff81_0000,
    0x0000_0001,
    0x807f_ffff,
    0x7f7f_ffff,
    0x4f00_0000,
    0xcf00_0000,
];

const SPECIAL_64: [u64; 16] = [
    0,
    1 << 63,
    0x3ff0_0000_0000_0000,
    0xbff8_0000_0000_0000,
    0x4004_0000_0000_0000,
    0x7ff0_0000_0000_0000,
    0xfff0_0000_0000_0000,
    0x7ff8_0000_0000_0000,
    0xfff8_0000_1234_5678,
    0x7ff0_0000_2000_0000,
    0xfff0_0000_0000_0001,
    1,
    0x800f_ffff_ffff_ffff,
    0x7fef_ffff_ffff_ffff,
    0x43e0_0000_0000_0000,
    0xc1e0_0000_0000_0000,
];

fn operand(random: &mut Random, width: u32) -> u128 {
    let pick = random.next();
    match (pick % 4, width) {
        (0, 32) => SPECIAL_32[pick as usize / 4 % 16].into(),
        (0, _) => SPECIAL_64[pick as usize / 4 % 16].into(),
        // Near one another, where sums cancel and quotients are small.
        (1, 32) => ((random.next() % 2048) as f32 / 8.0 - 100.0).to_bits().into(),
        (1, _) => ((random.next() % 4096) as f64 / 8.0 - 200.0).to_bits().into(),
        (_, 32) => u128::from(random.next() as u32),
        _ => u128::from(random.next()),
    }
}

const ROUNDINGS: [Rounding; 5] =
    [Rounding::Even, Rounding::Away, Rounding::Floor, Rounding::Ceil, Rounding::Trunc];

/// All operators on a float `a` of `width` bits with others.
fn operators(pool: &mut Pool, width: u32) -> Vec<ExprId> {
    let [a, b, c] = ["a", "b", "c"].map(|name| unknown(pool, name, width));
    let mut exprs = vec![
        pool.fadd(a, b),
        pool.fsub(a, b),
        pool.fmul(a, b),
        pool.fdiv(a, b),
        pool.fsqrt(a),
        pool.ffma(a, b, c),
        pool.feq(a, b),
        pool.flt(a, b),
        pool.fle(a, b),
        pool.f_convert(a, 96 - width),
    ];
    exprs.extend(ROUNDINGS.map(|rounding| pool.fround(a, rounding)));
    for integer_width in [1, 8, 16, 17, 32, 33, 64] {
        exprs.push(pool.f_to_signed(a, integer_width));
        exprs.push(pool.f_to_unsigned(a, integer_width));
    }
    exprs
}

fn check_operators(width: u32, n_random: usize, seed: u64) {
    let mut random = Random(seed);
    let mut pool = Pool::new();
    let exprs = operators(&mut pool, width);
    for expr in exprs {
        for _ in 0..n_random {
            let mut model = Model::new();
            for name in ["a", "b", "c"] {
                assign(&mut pool, &mut model, name, width, operand(&mut random, width));
            }
            check_value(&mut pool, &mut bitwuzla(), expr, &model);
        }
    }
}

#[test]
fn single_precision_is_the_evaluators() {
    check_operators(32, 16, 5);
}

#[test]
fn double_precision_is_the_evaluators() {
    check_operators(64, 10, 6);
}

#[test]
fn special_values_are_the_evaluators() {
    let mut pool = Pool::new();
    let [a, b] = ["a", "b"].map(|name| unknown(&mut pool, name, 32));
    let exprs = [pool.fadd(a, b), pool.fmul(a, b), pool.fdiv(a, b)];
    for first in SPECIAL_32 {
        for second in [0u32, 0x7f80_0000, 0xffc0_1234, 0x7f80_0001, 0x8000_0000, 0x3f80_0000] {
            let mut model = Model::new();
            assign(&mut pool, &mut model, "a", 32, first.into());
            assign(&mut pool, &mut model, "b", 32, second.into());
            for expr in exprs {
                check_value(&mut pool, &mut bitwuzla(), expr, &model);
            }
        }
    }
}

#[test]
fn nans_are_rounded_as_the_evaluator_does() {
    for (width, nans) in
        [(32, [0x7f80_0001, 0xffc0_1234]), (64, [0x7ff0_0000_0000_0001, 0xfff8 << 48])]
    {
        let mut pool = Pool::new();
        let a = unknown(&mut pool, "a", width);
        let exprs = ROUNDINGS.map(|rounding| pool.fround(a, rounding));
        for (expr, nan) in exprs.into_iter().flat_map(|expr| nans.map(|nan| (expr, nan))) {
            let mut model = Model::new();
            assign(&mut pool, &mut model, "a", width, nan);
            check_value(&mut pool, &mut bitwuzla(), expr, &model);
        }
    }
}

/// Which NaN comes through where several operands are.
#[test]
fn nans_are_picked_as_the_evaluator_does() {
    let values = [0x7f80_0001u32, 0xffc0_1234, 0x7f80_0000, 0, 0x3f80_0000];
    let mut pool = Pool::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| unknown(&mut pool, name, 32));
    let exprs = [pool.ffma(a, b, c), pool.frem(a, b), pool.fsub(a, b)];
    let mut backend = bitwuzla();
    for n in 0..125 {
        let mut model = Model::new();
        for (name, place) in [("a", 1), ("b", 5), ("c", 25)] {
            assign(&mut pool, &mut model, name, 32, values[n / place % 5].into());
        }
        for (idx, &expr) in exprs.iter().enumerate() {
            if idx == 0 || n < 25 {
                check_value(&mut pool, &mut backend, expr, &model);
            }
        }
    }
}

#[test]
fn integers_become_floats_as_the_evaluator_says() {
    let mut random = Random(7);
    for from in [1, 8, 32, 64] {
        let mut pool = Pool::new();
        let a = unknown(&mut pool, "a", from);
        for to in [32, 64] {
            let exprs = [pool.signed_to_f(a, to), pool.unsigned_to_f(a, to)];
            for expr in exprs {
                for _ in 0..6 {
                    let mut model = Model::new();
                    assign(&mut pool, &mut model, "a", from, random.operand(from));
                    check_value(&mut pool, &mut bitwuzla(), expr, &model);
                }
            }
        }
    }
}

/// The payload of a NaN passes through several operations and a choice.
#[test]
fn chains_keep_the_first_nan() {
    let mut random = Random(8);
    let mut pool = Pool::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| unknown(&mut pool, name, 32));
    let sum = pool.fadd(a, b);
    let product = pool.fmul(sum, c);
    let is_less = pool.flt(a, c);
    let choice = pool.ite(is_less, product, sum);
    let wide = pool.f_convert(choice, 64);
    let expr = pool.fsqrt(wide);
    for _ in 0..24 {
        let mut model = Model::new();
        for name in ["a", "b", "c"] {
            assign(&mut pool, &mut model, name, 32, operand(&mut random, 32));
        }
        check_value(&mut pool, &mut bitwuzla(), expr, &model);
    }
}

#[test]
fn operands_are_found_for_results() {
    let mut pool = Pool::new();
    let [a, b] = ["a", "b"].map(|name| unknown(&mut pool, name, 64));
    let sum = pool.fadd(a, b);
    let wanted = pool.constant(64, 2.5f64.to_bits());
    let is_wanted = pool.eq(sum, wanted);
    let one = pool.constant(64, 1f64.to_bits());
    let a_is_above = pool.flt(one, a);
    let b_is_above = pool.flt(one, b);
    let answer = solve(&mut pool, &mut bitwuzla(), &[a_is_above, b_is_above, is_wanted]);
    assert!(answer.is_ok_and(|answer| answer.is_sat()));
    let quotient = pool.fdiv(a, one);
    let same = pool.eq(quotient, a);
    let differs = pool.not(same);
    let answer = solve(&mut pool, &mut bitwuzla(), &[a_is_above, differs]);
    assert!(matches!(answer, Ok(Answer::Unsat)), "x / 1 is x for x > 1: {answer:?}");
}

/// C's remainder: the sign of the dividend, and no rounding.
#[test]
fn remainders_are_the_evaluators() {
    let pairs: [(f32, f32); 8] = [
        (5.5, 2.0),
        (-5.5, 2.0),
        (5.0, 3.0),
        (1e10, 7.0),
        (f32::INFINITY, 1.0),
        (1.0, 0.0),
        (-3.0, f32::INFINITY),
        (-4.0, 2.0),
    ];
    let mut pool = Pool::new();
    let [a, b] = ["a", "b"].map(|name| unknown(&mut pool, name, 32));
    let expr = pool.frem(a, b);
    for (first, second) in pairs {
        let mut model = Model::new();
        assign(&mut pool, &mut model, "a", 32, first.to_bits().into());
        assign(&mut pool, &mut model, "b", 32, second.to_bits().into());
        check_value(&mut pool, &mut bitwuzla(), expr, &model);
    }
}

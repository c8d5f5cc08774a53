//! Properties of random terms: every constructor agrees with the reference evaluator.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::recipe::{self, Cook, Pair};
use super::reference;
use crate::{ExprId, Model, Pool, Var, rewrites};

/// Checks values, facts and tables of all terms of `cook`.
fn check(cook: &mut Cook, seeds: &[u64]) {
    let mut models: Vec<Model> = seeds.iter().map(|&seed| recipe::model(seed)).collect();
    models.extend([0, u64::MAX].map(recipe::model));
    let pairs = cook.pairs.clone();
    for model in &models {
        for &Pair { simple, raw } in &pairs {
            let pool = &cook.pool;
            let expected = reference::evaluate(pool, raw, model);
            for expr in [simple, raw] {
                let value = pool.eval(expr, model);
                assert_eq!(
                    value,
                    expected,
                    "{} for {} under {model:?}",
                    pool.display(expr),
                    pool.display(raw)
                );
                check_facts(pool, expr, value);
            }
        }
    }
    for &Pair { simple, raw } in &pairs {
        for expr in [simple, raw] {
            check_support(&cook.pool, expr);
            check_table(&mut cook.pool, expr);
        }
        assert_eq!(cook.pool.simplify(simple), simple, "{}", cook.pool.display(simple));
    }
}

fn check_facts(pool: &Pool, expr: ExprId, value: u128) {
    let known = pool.known_bits(expr);
    let (min, max) = pool.range(expr);
    assert_eq!(value & known.zeros, 0, "zeros of {}", pool.display(expr));
    assert_eq!(!value & known.ones, 0, "ones of {}", pool.display(expr));
    assert!(min <= value && value <= max, "range of {}", pool.display(expr));
    assert!(max.checked_shr(pool.width(expr)).is_none_or(|rest| rest == 0));
}

fn check_support(pool: &Pool, expr: ExprId) {
    let support = pool.support(expr);
    assert!(support.iter().is_sorted_by(|a, b| a < b));
    for operand in pool.operands(expr) {
        assert!(pool.support(operand).iter().all(|var| support.contains(var)));
    }
}

fn check_table(pool: &mut Pool, expr: ExprId) {
    let Some(table) = pool.table_of(expr) else { return };
    let table = table.clone();
    let nonzero = table.nonzero();
    for _ in 0..2 {
        assert_eq!(pool.truth_of(expr), Some((table.var(), nonzero)), "{}", pool.display(expr));
    }
    for byte in 0..=255u8 {
        let model: Model = [(table.var(), byte)].into_iter().collect();
        let value = pool.eval(expr, &model);
        assert_eq!(u128::from(table.get(byte)), value, "{} at {byte}", pool.display(expr));
        assert_eq!(table.values()[byte as usize], table.get(byte));
        assert_eq!(nonzero[byte as usize / 64] >> (byte % 64) & 1 == 1, value != 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn constructors_agree_with_the_reference(
        widths in prop::array::uniform3(1u32..=128),
        steps in prop::collection::vec(any::<u64>(), 1..40),
        seeds in prop::array::uniform3(any::<u64>()),
    ) {
        let mut cook = Cook::new(widths);
        steps.iter().for_each(|&step| cook.step(step));
        check(&mut cook, &seeds);
    }

    /// Updates at constant places, at symbolic ones of a small range, and beyond the end.
    #[test]
    fn arrays_are_read_and_filled_as_their_bytes_are(
        table in prop::collection::vec(any::<u8>(), 0..12),
        updates in prop::collection::vec((0u32..4, 0u64..14, any::<u8>()), 0..10),
        (first, size) in (0u64..10, 0u64..8),
        seed in any::<u64>(),
    ) {
        let mut pool = Pool::new();
        let input = pool.input("x", 4);
        let mut array = pool.table(&table);
        for (kind, place, value) in updates {
            let byte = pool.byte(input, kind);
            let index = match kind {
                0 | 1 => pool.constant(64, place),
                _ => {
                    let (mask, start) = (pool.constant(8, 7), pool.constant(8, place));
                    let masked = pool.and(byte, mask);
                    let moved = pool.add(masked, start);
                    pool.zext(moved, 64)
                }
            };
            let value = if kind == 0 { byte } else { pool.constant(8, value.into()) };
            array = pool.write(array, index, value);
        }
        for (at, byte) in (0..).zip(pool.read_each(array, 12)) {
            let index = pool.constant(64, at);
            prop_assert_eq!(byte, pool.read(array, index), "byte {}", at);
        }
        let filled = pool.fill(array, first, size, 77);
        let model = recipe::model(seed);
        for at in 0..16 {
            let index = pool.constant(64, at);
            let [before, after] = [array, filled].map(|array| pool.read(array, index));
            let is_inside = (first..first + size).contains(&at);
            let expected = if is_inside { 77 } else { pool.eval(before, &model) };
            prop_assert_eq!(pool.eval(after, &model), expected, "byte {}", at);
        }
    }

    /// Words of several sizes, written and read at places that are aligned, or not.
    #[test]
    fn words_are_read_as_their_bytes_are(
        table in prop::collection::vec(any::<u8>(), 0..32),
        updates in prop::collection::vec((0u32..4, 0u32..4, 0u64..24, any::<u64>()), 0..8),
        (kind, n_bytes, place) in (0u32..4, 1u32..=8, 0u64..24),
        seed in any::<u64>(),
    ) {
        let mut pool = Pool::new();
        let input = pool.input("x", 4);
        let index = |pool: &mut Pool, kind: u32, size: u64, place: u64| {
            let start = pool.constant(64, if kind.is_multiple_of(2) { place / size * size } else { place });
            let byte = pool.byte(input, kind);
            let two_bits = pool.extract(byte, 0, 2);
            let wide = pool.zext(two_bits, 64);
            let size = pool.constant(64, size);
            let steps = pool.mul(wide, size);
            if kind < 2 { start } else { pool.add(start, steps) }
        };
        let mut array = pool.table(&table);
        for (kind, shift, place, value) in updates {
            let at = index(&mut pool, kind, 1 << shift, place);
            for n in 0..1 << shift {
                let distance = pool.constant(64, n);
                let at = pool.add(at, distance);
                let byte = pool.constant(8, value >> (8 * n) & 0xff);
                array = pool.write(array, at, byte);
            }
        }
        let size = u64::from(n_bytes.next_power_of_two());
        let at = index(&mut pool, kind, size, place);
        let word = pool.read_word(array, at, n_bytes);
        prop_assert_eq!(pool.width(word), 8 * n_bytes);
        let again = pool.read_word(array, at, n_bytes);
        prop_assert_eq!(word, again);
        let model = recipe::model(seed);
        for n in 0..n_bytes {
            let distance = pool.constant(64, n.into());
            let at = pool.add(at, distance);
            let byte = pool.read(array, at);
            let expected = pool.eval(byte, &model);
            let value = pool.eval(word, &model) >> (8 * n) & 0xff;
            prop_assert_eq!(value, expected, "byte {} of {}", n, n_bytes);
        }
    }

    /// Too many updates to choose from, at places that one byte decides.
    #[test]
    fn reads_over_updates_by_one_byte_have_tables(
        updates in prop::collection::vec((any::<u8>(), any::<u8>()), 520..560),
        mask in 0u64..64,
    ) {
        let mut pool = Pool::new();
        let input = pool.input("x", 1);
        let byte = pool.byte(input, 0);
        let wide = pool.zext(byte, 64);
        let mut array = pool.table(&[7; 48]);
        for (add, value) in updates {
            let add = pool.constant(64, add.into());
            let sum = pool.add(wide, add);
            let mask = pool.constant(64, mask);
            let at = pool.and(sum, mask);
            let value = pool.constant(8, value.into());
            let value = pool.xor(byte, value);
            array = pool.write(array, at, value);
        }
        let read = pool.read(array, wide);
        let table = pool.table_of(read).expect("a term of one byte").values();
        for value in 0..=255 {
            let model: Model = [(Var(0), value)].into_iter().collect();
            prop_assert_eq!(u128::from(table[usize::from(value)]), pool.eval(read, &model));
        }
    }

    /// Updates at unknown places, halves of words of 16 bits: a read over a few of them is a choice
    /// of all, over more than 512 a choice of the newest.
    #[test]
    fn reads_over_many_updates_are_right_and_small(
        updates in prop::collection::vec((0u32..64, 0u32..64, any::<u8>()), 480..600),
        n_bytes in 1u32..=2,
        values in prop::array::uniform32(any::<u8>()),
    ) {
        let mut pool = Pool::new();
        let input = pool.input("x", 65);
        let model: Model = (0..65).map(Var).zip(values.into_iter().cycle()).collect();
        let index = |pool: &mut Pool, byte: u32| {
            let byte = pool.byte(input, byte);
            let three_bits = pool.extract(byte, 0, 3);
            let words = pool.zext(three_bits, 64);
            let two = pool.constant(64, 2);
            pool.mul(words, two)
        };
        let mut array = pool.table(&[7; 16]);
        let mut bytes = [7; 16];
        let are_many = updates.len() * 2 / n_bytes as usize > 512;
        for (place, value, add) in updates {
            let at = index(&mut pool, place);
            let one = pool.constant(64, 1);
            let above = pool.add(at, one);
            let byte = pool.byte(input, value);
            let add = pool.constant(8, add.into());
            let value = pool.add(byte, add);
            array = pool.write(array, at, value);
            array = pool.write(array, above, byte);
            let at = pool.eval(at, &model) as usize;
            bytes[at] = pool.eval(value, &model);
            bytes[at + 1] = pool.eval(byte, &model);
        }
        let at = index(&mut pool, 64);
        let before = pool.len();
        let word = pool.read_word(array, at, n_bytes);
        let n_terms = pool.len() - before;
        prop_assert_eq!(n_terms < 4 * 32, are_many, "{} terms", n_terms);
        let at = pool.eval(at, &model) as usize;
        let expected = (0..n_bytes as usize).map(|n| bytes[at + n] << (8 * n)).sum();
        prop_assert_eq!(pool.eval(word, &model), expected);
        let constant = pool.substitute(word, &model);
        prop_assert_eq!(pool.as_const_wide(constant), Some(expected));
    }

    #[test]
    fn substitution_is_evaluation(
        steps in prop::collection::vec(any::<u64>(), 1..30),
        seed in any::<u64>(),
    ) {
        let mut cook = Cook::new([8, 16, 32]);
        steps.iter().for_each(|&step| cook.step(step));
        let whole = recipe::model(seed);
        let half: Model = whole.iter().filter(|(var, _)| var.0 % 2 == 0).collect();
        for Pair { simple, .. } in cook.pairs.clone() {
            let value = cook.pool.eval(simple, &whole);
            let partly = cook.pool.substitute(simple, &half);
            prop_assert!(cook.pool.support(partly).iter().all(|var| !half.assigned(var)));
            prop_assert_eq!(cook.pool.eval(partly, &whole), value);
            let constant = cook.pool.substitute(simple, &whole);
            prop_assert_eq!(cook.pool.as_const_wide(constant), Some(value));
        }
    }
}

/// However many updates lie over a constant byte, with the same ones no longer unknown it is one.
#[test]
fn constants_under_many_updates_are_constants() {
    for n_updates in 30..36 {
        let mut pool = Pool::new();
        let input = pool.input("x", n_updates);
        let array = pool.table(&[7; 16]);
        let (three, nine) = (pool.constant(64, 3), pool.constant(8, 9));
        let mut array = pool.write(array, three, nine);
        for n in 0..n_updates {
            let byte = pool.byte(input, n);
            let at = pool.zext(byte, 64);
            array = pool.write(array, at, byte);
        }
        let read = pool.read(array, three);
        let elsewhere: Model = (0..n_updates).map(|n| (Var(n), 200)).collect();
        let value = pool.substitute(read, &elsewhere);
        assert_eq!(pool.as_const(value), Some(9), "{n_updates} updates");
    }
}

/// Runs recipes from fixed seeds and returns how often each rewrite applied.
fn hits(n_recipes: u64) -> BTreeMap<&'static str, u64> {
    let mut hits = BTreeMap::new();
    for recipe in 0..n_recipes {
        let width = |n: u64| (recipe.wrapping_mul(0x9e37_79b9) >> (8 * n)) as u32 % 128 + 1;
        let widths = if recipe % 2 == 0 { [8, 32, 64] } else { [width(0), width(1), 8] };
        let mut cook = Cook::new(widths);
        for step in 0..60 {
            cook.step(recipe << 8 | step);
        }
        check(&mut cook, &[recipe.wrapping_mul(0x0123_4567_89ab_cdef)]);
        for (name, count) in cook.pool.take_rewrites() {
            *hits.entry(name).or_default() += count;
        }
    }
    hits
}

#[test]
fn every_rewrite_applies_somewhere() {
    let hits = hits(1000);
    let missed: Vec<_> = rewrites::names().into_iter().filter(|n| !hits.contains_key(n)).collect();
    assert!(missed.is_empty(), "never applied: {missed:?}");
}

#[test]
fn the_same_calls_give_the_same_ids() {
    let build = || {
        let mut cook = Cook::new([8, 32, 64]);
        (0..400).for_each(|step| cook.step(step));
        cook.pairs.iter().flat_map(|pair| [pair.simple, pair.raw]).collect::<Vec<_>>()
    };
    assert_eq!(build(), build());
}

//! Constant tables, read and written at symbolic places.

use fathom_expr::{ArrayId, ExprId, Model, Pool};
use fathom_solver::Answer;

use super::{Random, assign, backends, check_value, solve, unknown};

fn random_table(pool: &mut Pool, random: &mut Random, len: usize, n_values: u64) -> ArrayId {
    let bytes: Vec<u8> = (0..len).map(|_| (random.next() % n_values) as u8).collect();
    pool.table(&bytes)
}

/// Indices of different shapes over an input `i` of 16 bits.
fn indices(pool: &mut Pool) -> Vec<ExprId> {
    let wide = unknown(pool, "i", 16);
    let byte = pool.extract(wide, 0, 8);
    let nibble = pool.extract(wide, 3, 4);
    let whole = pool.zext(wide, 64);
    let byte = pool.zext(byte, 64);
    let nibble = pool.zext(nibble, 64);
    let scale = pool.constant(64, 24);
    let scaled = pool.mul(nibble, scale);
    let offset = pool.constant(64, 100);
    let moved = pool.add(byte, offset);
    let mixed = pool.add(scaled, byte);
    let signed = pool.extract(wide, 0, 8);
    let signed = pool.sext(signed, 64);
    vec![whole, byte, nibble, scaled, moved, mixed, signed]
}

#[test]
fn reads_are_the_evaluators() {
    let mut random = Random(11);
    for (len, n_values) in [(1, 256), (5, 2), (256, 3), (300, 256), (4000, 40)] {
        let mut pool = Pool::new();
        let table = random_table(&mut pool, &mut random, len, n_values);
        let mut backends = backends();
        for index in indices(&mut pool) {
            let expr = pool.read(table, index);
            for _ in 0..4 {
                let mut model = Model::new();
                assign(&mut pool, &mut model, "i", 16, random.wide() & 0xffff);
                for backend in &mut backends {
                    check_value(&mut pool, &mut **backend, expr, &model);
                }
            }
        }
    }
}

#[test]
fn writes_hide_what_was_below() {
    let mut random = Random(12);
    let mut pool = Pool::new();
    let table = random_table(&mut pool, &mut random, 200, 256);
    let places = indices(&mut pool);
    let value = unknown(&mut pool, "v", 8);
    let zero = pool.constant(8, 0);
    let mut array = pool.write(table, places[1], value);
    array = pool.write(array, places[2], zero);
    array = pool.write(array, places[5], value);
    let mut backends = backends();
    for &place in &places {
        let expr = pool.read(array, place);
        for _ in 0..6 {
            let mut model = Model::new();
            assign(&mut pool, &mut model, "i", 16, random.wide() & 0xffff);
            assign(&mut pool, &mut model, "v", 8, random.wide() & 0xff);
            for backend in &mut backends {
                check_value(&mut pool, &mut **backend, expr, &model);
            }
        }
    }
}

/// Table machines nest reads: each index is computed from the byte read before.
#[test]
fn nested_reads_run_backwards() {
    let mut random = Random(13);
    let mut pool = Pool::new();
    let table = random_table(&mut pool, &mut random, 1024, 250);
    let mut state = pool.constant(64, 0);
    let input = pool.input("text", 4);
    for offset in 0..4 {
        let byte = pool.byte(input, offset);
        let byte = pool.zext(byte, 64);
        let index = pool.add(state, byte);
        let next = pool.read(table, index);
        let next = pool.zext(next, 64);
        let three = pool.constant(64, 3);
        state = pool.mul(next, three);
    }
    let text: Model = (0..4).map(|n| (fathom_expr::Var(n), 60 + n as u8)).collect();
    let reached = pool.eval(state, &text);
    let reached = pool.constant_wide(64, reached);
    let condition = pool.eq(state, reached);
    let beyond = pool.constant(64, 750);
    let is_beyond = pool.ult(beyond, state);
    for mut backend in backends() {
        let answer = solve(&mut pool, &mut *backend, &[condition]);
        assert!(answer.is_ok_and(|answer| answer.is_sat()));
        let answer = solve(&mut pool, &mut *backend, &[is_beyond]);
        assert!(matches!(answer, Ok(Answer::Unsat)), "{answer:?}");
    }
}

//! A second solver, over SMT-LIB.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fathom_expr::{BinaryOp, Model, Pool};
use fathom_solver::backend::{Backend, Budget, Pipe};
use fathom_solver::{Answer, Failure};

use super::{Random, assign, bitwuzla, check_value, solve, unknown};

fn z3() -> Pipe {
    Pipe::new(&["z3", "-in"], Arc::default())
}

#[test]
fn operators_are_the_evaluators() {
    let mut random = Random(31);
    for op in BinaryOp::ALL {
        for width in [1, 8, 64] {
            let mut pool = Pool::new();
            let (a, b) = (unknown(&mut pool, "a", width), unknown(&mut pool, "b", width));
            let expr = pool.binary(op, a, b);
            let mut model = Model::new();
            assign(&mut pool, &mut model, "a", width, random.operand(width));
            assign(&mut pool, &mut model, "b", width, random.operand(width));
            check_value(&mut pool, &mut z3(), expr, &model);
        }
    }
}

#[test]
fn both_solvers_give_the_same_answers() {
    let mut random = Random(32);
    let mut pool = Pool::new();
    let bytes: Vec<u8> = (0..200).map(|_| random.next() as u8 % 64).collect();
    let table = pool.table(&bytes);
    let [a, b] = ["a", "b"].map(|name| unknown(&mut pool, name, 8));
    for _ in 0..20 {
        let constant = pool.constant(8, random.next() % 80);
        let (wide_a, wide_b) = (pool.zext(a, 64), pool.zext(b, 64));
        let index = pool.add(wide_a, wide_b);
        let byte = pool.read(table, index);
        let is_byte = pool.eq(byte, constant);
        let product = pool.mul(a, b);
        let is_below = pool.ult(product, constant);
        let query = [is_byte, is_below];
        let first = solve(&mut pool, &mut bitwuzla(), &query).map(|answer| answer.is_sat());
        let second = solve(&mut pool, &mut z3(), &query).map(|answer| answer.is_sat());
        assert_eq!(first, second);
    }
}

#[test]
fn a_hard_query_ends_at_the_deadline() {
    let mut pool = Pool::new();
    let [a, b] = ["a", "b"].map(|name| unknown(&mut pool, name, 64));
    let product = pool.mul(a, b);
    let wanted = pool.constant(64, 3_266_489_917 * 2_654_435_761);
    let one = pool.constant(64, 1);
    let limit = pool.constant(64, 1 << 32);
    let query = [
        pool.ult(one, a),
        pool.ult(one, b),
        pool.ult(a, limit),
        pool.ult(b, limit),
        pool.eq(product, wanted),
    ];
    let time = Duration::from_millis(200);
    let started = Instant::now();
    let answer = z3().solve(&mut pool, &query, Budget::time(time));
    assert_eq!(answer.err(), Some(Failure::Timeout));
    assert!(started.elapsed() < time + Duration::from_secs(5));
}

#[test]
fn a_command_that_is_no_solver_gives_no_answer() {
    let mut pool = Pool::new();
    let no = pool.bool(false);
    for command in [["true", ""], ["no-such-program", ""], ["echo", "unknown"]] {
        let answer = Pipe::new(&command, Arc::default()).solve(&mut pool, &[no], Budget::default());
        assert!(matches!(answer, Err(Failure::Unknown(_))), "{command:?}: {answer:?}");
    }
    let liar =
        Pipe::new(&["echo", "unsat"], Arc::default()).solve(&mut pool, &[no], Budget::default());
    assert!(matches!(liar, Ok(Answer::Unsat)));
}

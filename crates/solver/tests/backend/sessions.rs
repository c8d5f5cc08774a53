//! Sequences of queries on paths, as the engine asks them.

use fathom_expr::{ExprId, Pool};
use fathom_solver::Answer;

use super::{Random, backends, bitwuzla, solve, unknown};

/// A condition on a few of the bytes of `text`.
fn condition(pool: &mut Pool, random: &mut Random, text: ExprId) -> ExprId {
    let mut byte = || {
        let low = 8 * (random.next() % 6) as u32;
        (pool.extract(text, low, 8), pool.constant(8, random.next()))
    };
    let ((a, constant), (b, _)) = (byte(), byte());
    match random.next() % 4 {
        0 => pool.ult(a, constant),
        1 => pool.ule(a, b),
        2 => {
            let sum = pool.add(a, b);
            pool.ult(constant, sum)
        }
        _ => {
            let product = pool.mul(a, b);
            pool.slt(product, constant)
        }
    }
}

/// Both sides of every branch, then on along one that is possible; a fresh backend agrees.
#[test]
fn paths_are_answered_as_by_a_fresh_backend() {
    let mut random = Random(21);
    let mut pool = Pool::new();
    let text = unknown(&mut pool, "text", 48);
    let mut backends = backends();
    for _ in 0..20 {
        let mut path = Vec::new();
        for _ in 0..12 {
            let condition = condition(&mut pool, &mut random, text);
            for side in [condition, pool.not(condition)] {
                path.push(side);
                let fresh = solve(&mut pool, &mut bitwuzla(), &path).map(|answer| answer.is_sat());
                for backend in &mut backends {
                    let answer = solve(&mut pool, &mut **backend, &path);
                    assert_eq!(answer.map(|answer| answer.is_sat()), fresh);
                }
                if fresh == Ok(true) {
                    break;
                }
                path.pop();
            }
        }
    }
}

#[test]
fn a_model_assigns_every_byte_of_the_constraints() {
    let mut pool = Pool::new();
    let text = unknown(&mut pool, "text", 48);
    let zero = pool.constant(48, 0);
    let is_zero = pool.eq(text, zero);
    let condition = pool.not(is_zero);
    let Ok(Answer::Sat(model)) = solve(&mut pool, &mut bitwuzla(), &[condition]) else {
        panic!("some text is not zero")
    };
    assert_eq!(model.len(), 6);
}

#[test]
fn no_constraints_can_hold_and_false_cannot() {
    let mut pool = Pool::new();
    assert!(solve(&mut pool, &mut bitwuzla(), &[]).is_ok_and(|answer| answer.is_sat()));
    let no = pool.bool(false);
    assert!(matches!(solve(&mut pool, &mut bitwuzla(), &[no]), Ok(Answer::Unsat)));
}

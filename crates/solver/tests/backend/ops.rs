//! Every integer operator at several widths.

use fathom_expr::{BinaryOp, Model, Pool};

use super::{Random, assign, backends, check_value, solve, unknown};

const WIDTHS: [u32; 8] = [1, 2, 7, 8, 16, 32, 64, 128];

#[test]
fn binary_operators_are_the_evaluators() {
    let mut random = Random(1);
    for op in BinaryOp::ALL {
        for width in WIDTHS {
            let mut pool = Pool::new();
            let (a, b) = (unknown(&mut pool, "a", width), unknown(&mut pool, "b", width));
            let expr = pool.binary(op, a, b);
            let mut backends = backends();
            for _ in 0..8 {
                let mut model = Model::new();
                assign(&mut pool, &mut model, "a", width, random.operand(width));
                assign(&mut pool, &mut model, "b", width, random.operand(width));
                for backend in &mut backends {
                    check_value(&mut pool, &mut **backend, expr, &model);
                }
            }
        }
    }
}

#[test]
fn unary_operators_and_width_changes_are_the_evaluators() {
    let mut random = Random(2);
    for width in WIDTHS {
        let mut pool = Pool::new();
        let a = unknown(&mut pool, "a", width);
        let mut exprs = vec![pool.not(a), pool.neg(a)];
        for wide in WIDTHS.into_iter().filter(|&wide| wide > width) {
            exprs.extend([pool.zext(a, wide), pool.sext(a, wide)]);
        }
        for narrow in WIDTHS.into_iter().filter(|&narrow| narrow < width) {
            exprs.extend([pool.extract(a, 0, narrow), pool.extract(a, width - narrow, narrow)]);
        }
        if width <= 64 {
            let not = pool.not(a);
            exprs.push(pool.concat(not, a));
        }
        let mut backends = backends();
        for expr in exprs {
            let mut model = Model::new();
            assign(&mut pool, &mut model, "a", width, random.operand(width));
            for backend in &mut backends {
                check_value(&mut pool, &mut **backend, expr, &model);
            }
        }
    }
}

#[test]
fn choices_are_the_evaluators() {
    let mut random = Random(3);
    for width in WIDTHS {
        let mut pool = Pool::new();
        let (a, b) = (unknown(&mut pool, "a", width), unknown(&mut pool, "b", width));
        let is_below = pool.ult(a, b);
        let expr = pool.ite(is_below, a, b);
        let mut backends = backends();
        for _ in 0..8 {
            let mut model = Model::new();
            assign(&mut pool, &mut model, "a", width, random.operand(width));
            assign(&mut pool, &mut model, "b", width, random.operand(width));
            for backend in &mut backends {
                check_value(&mut pool, &mut **backend, expr, &model);
            }
        }
    }
}

/// The solver runs operators backwards: it finds operands for a result.
#[test]
fn operands_are_found_for_results() {
    let mut random = Random(4);
    for op in BinaryOp::ALL {
        for width in [7, 8, 16, 32] {
            let mut pool = Pool::new();
            let (a, b) = (unknown(&mut pool, "a", width), unknown(&mut pool, "b", width));
            let expr = pool.binary(op, a, b);
            let mut model = Model::new();
            assign(&mut pool, &mut model, "a", width, random.operand(width));
            assign(&mut pool, &mut model, "b", width, random.operand(width));
            let value = pool.eval(expr, &model);
            let value = pool.constant_wide(pool.width(expr), value);
            let condition = pool.eq(expr, value);
            for mut backend in backends() {
                let answer = solve(&mut pool, &mut *backend, &[condition]);
                assert!(answer.is_ok_and(|answer| answer.is_sat()), "{op:?} at {width} bits");
            }
        }
    }
}

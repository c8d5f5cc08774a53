//! SMT-LIB scripts, read by z3 where it is installed.

use std::io::Write;
use std::process::{Command, Stdio};

use expect_test::{Expect, expect};

use super::reader::read;
use super::recipe::{self, Cook, FLOAT_OPS};
use crate::{ExprId, FloatOp, Pool, TableStyle};

#[track_caller]
fn check(input: &str, tables: TableStyle, expected: Expect) {
    let mut pool = Pool::new();
    let condition = read(&mut pool, input);
    expected.assert_eq(&pool.smtlib(&[condition]).tables(tables).to_string());
}

#[test]
fn shared_terms_are_written_once() {
    check(
        "(ult (mul (add in[0] in[1]) (add in[0] in[1])) 5:8)",
        TableStyle::Ite,
        expect![[r#"
        (set-logic QF_BV)
        (declare-fun |in[0]| () (_ BitVec 8))
        (declare-fun |in[1]| () (_ BitVec 8))
        (define-fun e3 () (_ BitVec 8) (bvadd |in[0]| |in[1]|))
        (assert (bvult (bvmul e3 e3) #x05))
        (check-sat)
    "#]],
    );
}

#[test]
fn tables_are_trees_of_comparisons() {
    let condition = "(eq (read #0505070700 (zext 64 in[0])) 7:8)";
    check(
        condition,
        TableStyle::Ite,
        expect![[r#"
        (set-logic QF_BV)
        (declare-fun |in[0]| () (_ BitVec 8))
        (define-fun e3 () (_ BitVec 8) (let ((i ((_ zero_extend 56) |in[0]|))) (ite (bvult i #x0000000000000002) #x05 (ite (bvult i #x0000000000000004) #x07 #x00))))
        (assert (= e3 #x07))
        (check-sat)
    "#]],
    );
    check(
        condition,
        TableStyle::Array,
        expect![[r#"
        (set-logic ALL)
        (declare-fun |in[0]| () (_ BitVec 8))
        (define-fun arr0 () (Array (_ BitVec 64) (_ BitVec 8)) (store (store (store (store ((as const (Array (_ BitVec 64) (_ BitVec 8))) #x00) #x0000000000000000 #x05) #x0000000000000001 #x05) #x0000000000000002 #x07) #x0000000000000003 #x07))
        (define-fun e3 () (_ BitVec 8) (select arr0 ((_ zero_extend 56) |in[0]|)))
        (assert (= e3 #x07))
        (check-sat)
    "#]],
    );
}

#[test]
fn floats_are_tied_to_their_bits() {
    let word = "(concat in[3] (concat in[2] (concat in[1] in[0])))";
    check(
        &format!("(flt 1 (fsqrt 32 {word}) 0:32)"),
        TableStyle::Ite,
        expect![[r#"
        (set-logic QF_BVFP)
        (declare-fun |in[0]| () (_ BitVec 8))
        (declare-fun |in[1]| () (_ BitVec 8))
        (declare-fun |in[2]| () (_ BitVec 8))
        (declare-fun |in[3]| () (_ BitVec 8))
        (declare-fun e8 () (_ BitVec 32))
        (assert (ite (fp.isNaN ((_ to_fp 8 24) (concat |in[3]| (concat |in[2]| (concat |in[1]| |in[0]|))))) (= e8 (bvor #x00400000 (concat |in[3]| (concat |in[2]| (concat |in[1]| |in[0]|))))) (let ((r (fp.sqrt RNE ((_ to_fp 8 24) (concat |in[3]| (concat |in[2]| (concat |in[1]| |in[0]|))))))) (ite (fp.isNaN r) (= e8 #xffc00000) (= ((_ to_fp 8 24) e8) r)))))
        (define-fun e10 () (_ BitVec 1) (ite (fp.lt ((_ to_fp 8 24) e8) ((_ to_fp 8 24) #x00000000)) #b1 #b0))
        (assert (= e10 #b1))
        (check-sat)
    "#]],
    );
}

/// What z3 says, or `None` where there is no z3.
fn z3(script: &str) -> Option<String> {
    let mut child = Command::new("z3")
        .args(["-in", "-T:10"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(script.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Asserts that `goal` and the `facts` can hold, and not so the negated `goal`. Returns how many
/// of the two questions took too long.
#[track_caller]
fn check_with_z3(pool: &mut Pool, facts: &[ExprId], goal: ExprId, tables: TableStyle) -> u32 {
    let mut n_timeouts = 0;
    let negated = pool.not(goal);
    for (expected, goal) in [("sat", goal), ("unsat", negated)] {
        let conditions: Vec<_> = facts.iter().copied().chain([goal]).collect();
        let script = pool.smtlib(&conditions).tables(tables).to_string();
        match z3(&script).as_deref() {
            Some("timeout") => n_timeouts += 1,
            Some(answer) => assert_eq!(answer, expected, "of {script}"),
            None => {}
        }
    }
    n_timeouts
}

/// The unsimplified condition that all pairs are equal.
fn all_equal(pool: &mut Pool, pairs: &[(ExprId, ExprId)]) -> ExprId {
    pool.without_rewriting(|pool| {
        pairs.iter().fold(pool.bool(true), |all, &(a, b)| {
            let equal = pool.eq(a, b);
            pool.and(all, equal)
        })
    })
}

/// With all inputs fixed, z3 must find each term's value and no other.
#[test]
fn z3_agrees_on_integers() {
    let mut n_timeouts = 0;
    for recipe in 0..10u64 {
        let mut cook = Cook::new([8, 32, 64]);
        cook.floats = false;
        (0..30).for_each(|step| cook.step(recipe << 32 | step));
        let model = recipe::model(recipe.wrapping_mul(0x0123_4567_89ab_cdef));
        let mut facts = Vec::new();
        for (var, value) in model.iter() {
            let (byte, value) = (cook.pool.var(var), cook.pool.constant(8, value.into()));
            facts.push(cook.pool.eq(byte, value));
        }
        let mut pairs = Vec::new();
        for pair in cook.pairs.clone() {
            let value = cook.pool.eval(pair.raw, &model);
            let value = cook.pool.constant_wide(cook.pool.width(pair.raw), value);
            pairs.extend([(pair.simple, value), (pair.raw, value)]);
        }
        let goal = all_equal(&mut cook.pool, &pairs);
        for tables in [TableStyle::Ite, TableStyle::Array] {
            n_timeouts += check_with_z3(&mut cook.pool, &facts, goal, tables);
        }
    }
    assert!(n_timeouts <= 8, "{n_timeouts} of 40 questions took too long");
}

/// Bit patterns where float operators differ: NaNs, infinities, zeros, limits, ties.
fn patterns(width: u32) -> Vec<u128> {
    let values = [0.0, -0.0, 1.0, -1.5, 2.5, 3e9, -3e9, 1e10, 1.8e19, 5e-324, 1e-40, 7.25, 1e300];
    let specials = [f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE];
    let numbers = values.into_iter().chain(specials);
    match width {
        32 => numbers
            .map(|value| u128::from((value as f32).to_bits()))
            .chain([0x7f80_0001, 0xff80_1234, 0x7fc0_0005, 0xffff_ffff])
            .collect(),
        _ => numbers
            .map(|value| u128::from(value.to_bits()))
            .chain([0x7ff0_0000_0000_0001, 0xfff0_1234_5678_9abc, 0x7ff8_0000_0000_0005])
            .collect(),
    }
}

/// z3 must find what the processor computes, NaN payloads included.
#[test]
fn z3_agrees_on_floats() {
    for op in FLOAT_OPS {
        for format in [32, 64] {
            let mut pool = Pool::new();
            let from_integer = matches!(op, FloatOp::FromSigned | FloatOp::FromUnsigned);
            let widths: &[u32] = match op {
                FloatOp::ToSigned | FloatOp::ToUnsigned => &[8, 17, 32, 33, 64],
                FloatOp::Eq | FloatOp::Lt | FloatOp::Le => &[1],
                FloatOp::Convert if format == 32 => &[64],
                FloatOp::Convert => &[32],
                _ if from_integer => &[32, 64],
                _ => &[format][..],
            };
            let mut pairs = Vec::new();
            for (n, args) in arguments(op, format).into_iter().enumerate() {
                let width = widths[n % widths.len()];
                let value = crate::float::apply(op, format, width, args);
                let value = pool.constant_wide(width, value);
                let args = args.map(|arg| pool.constant_wide(format, arg));
                let expr =
                    pool.without_rewriting(|pool| pool.float(op, width, &args[..op.arity()]));
                pairs.push((expr, value));
            }
            let goal = all_equal(&mut pool, &pairs);
            let n_timeouts = check_with_z3(&mut pool, &[], goal, TableStyle::Ite);
            assert_eq!(n_timeouts, 0, "{op:?} took too long");
        }
    }
}

/// Operands for `op`: all patterns, or a walk through their combinations.
fn arguments(op: FloatOp, format: u32) -> Vec<[u128; 3]> {
    let patterns = patterns(format);
    let n_patterns = patterns.len();
    let n_cases = if op.arity() == 1 { 5 * n_patterns } else { 60 };
    let at = |n: usize| patterns[n % n_patterns];
    (0..n_cases).map(|n| [at(n), at(n / n_patterns + n * 7 + 3), at(n * 5 + 1)]).collect()
}

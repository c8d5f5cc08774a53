//! Every pure instruction, evaluated symbolically and by the interpreter, on the same values.

mod cases;
mod oracle;

use std::collections::BTreeSet;

use fathom_expr::{ExprId, InputId, Model, Pool, Var, View};
use fathom_ir::inst::{Inst, Op};

use self::cases::{Case, OPERAND_SLOTS, RESULT, Random, values};
use self::oracle::{Oracle, Seen};
use super::super::operands;
use super::{Outcome, address, condition, evaluate};

/// Which operand slots the expressions know as constants, in turn.
const CONSTANT: [&[u32]; 4] = [&[], &[0, 1], &[2, 3], &[4, 5]];

/// The operand slots as expressions over the bytes of one input, some of them constant.
struct Operands<'a> {
    input: InputId,
    case: &'a Case,
    slots: [u64; OPERAND_SLOTS],
    constant: &'a [u32],
    read: Vec<u32>,
}

impl Operands<'_> {
    fn get(&mut self, pool: &mut Pool, slot: u32) -> ExprId {
        assert!((slot as usize) < OPERAND_SLOTS, "reads {slot}: {:?}", self.case.inst);
        self.read.push(slot);
        if self.constant.contains(&slot) {
            return pool.constant(64, self.slots[slot as usize]);
        }
        let width = self.case.slot_width(slot);
        let mut value = pool.byte(self.input, 8 * slot);
        for byte in 1..8 {
            let high = pool.byte(self.input, 8 * slot + byte);
            value = pool.concat(high, value);
        }
        if width == 0 {
            return value;
        }
        let value = pool.extract(value, 0, width);
        pool.zext(value, 64)
    }
}

fn model(pool: &Pool, input: InputId, slots: &[u64; OPERAND_SLOTS]) -> Model {
    let Var(first) = pool.input_info(input).first;
    let mut model = Model::new();
    for (index, byte) in slots.iter().flat_map(|slot| slot.to_le_bytes()).enumerate() {
        model.set(Var(first + index as u32), byte);
    }
    model
}

/// Runs `check` on every case of `cases`, on many values, with the interpreter's answer.
fn for_all(cases: &[Case], mut check: impl FnMut(&mut Pool, Operands<'_>, &Model, &Seen)) {
    let program = oracle::program(cases);
    let mut oracle = Oracle::new(&program);
    let mut random = Random::new(1);
    for (number, case) in cases.iter().enumerate() {
        let mut pool = Pool::new();
        let input = pool.input("slots", 8 * OPERAND_SLOTS as u32);
        for (slots, constant) in values(case, &mut random).into_iter().zip(CONSTANT.iter().cycle())
        {
            let seen = oracle.run(number, &slots);
            let model = model(&pool, input, &slots);
            let operands = Operands { input, case, slots, constant, read: Vec::new() };
            check(&mut pool, operands, &model, &seen);
        }
    }
}

/// What the interpreter would see of `outcome` under `model`.
fn observe(pool: &Pool, outcome: &Outcome, model: &Model, inst: &Inst) -> Seen {
    let Outcome::Values { checks, results } = outcome else { panic!("{inst:?}: {outcome:?}") };
    for check in checks.iter().flatten() {
        assert_eq!(pool.width(check.safe), 1);
        if !pool.eval_bool(check.safe, model) {
            return Seen::Bug(check.bug);
        }
    }
    let mut slots = [0; 3];
    for (slot, value) in results.iter() {
        assert_eq!(pool.width(value), 64, "{inst:?}");
        slots[(slot - RESULT) as usize] = pool.eval(value, model) as u64;
    }
    Seen::Results(slots)
}

#[test]
fn expressions_compute_what_the_interpreter_does() {
    let cases = cases::pure();
    let mut compared = 0;
    for_all(&cases, |pool, mut operands, model, seen| {
        let (inst, values) = (operands.case.inst, operands.slots);
        let outcome = evaluate(pool, &inst, &mut |pool, slot| operands.get(pool, slot));
        assert_eq!(&observe(pool, &outcome, model, &inst), seen, "{inst:?} on {values:x?}");
        compared += 1;
    });
    assert!(compared > 40_000, "{compared} comparisons");
}

#[test]
fn scaling_by_a_constant_is_the_interpreters() {
    let mut compared = 0;
    for_all(&cases::scaling(), |pool, mut operands, model, seen| {
        let (inst, values) = (operands.case.inst, operands.slots);
        let outcome = evaluate(pool, &inst, &mut |pool, slot| operands.get(pool, slot));
        if !matches!(outcome, Outcome::Unsupported(_)) {
            assert_eq!(&observe(pool, &outcome, model, &inst), seen, "{inst:?} on {values:x?}");
            compared += 1;
        }
    });
    assert!(compared > 5, "{compared} comparisons");
}

/// The one result of `op` on operands of 8 bits.
fn of_bytes(pool: &mut Pool, op: Op, imm: u64) -> ExprId {
    let input = pool.input("bytes", 3);
    let inst = Inst { op, x: 0, d: 2, a: 0, b: 1, imm };
    let outcome = evaluate(pool, &inst, &mut |pool, slot| {
        let byte = pool.byte(input, slot);
        pool.zext(byte, 64)
    });
    let Outcome::Values { results, .. } = outcome else { panic!("{outcome:?}") };
    results.iter().next().expect("a result").1
}

#[test]
fn expressions_are_as_narrow_as_their_operands() {
    let mut pool = Pool::new();
    for (op, imm, width) in [
        (Op::UDiv, 0, 8),
        (Op::URemI, 10, 8),
        (Op::Eq, 0, 1),
        (Op::EqI, 10, 1),
        (Op::Slt32I, 10, 1),
        (Op::And, 0, 8),
        (Op::SDiv32, 0, 32),
    ] {
        let result = of_bytes(&mut pool, op, imm);
        let View::ZExt { of, .. } = pool.view(result) else { panic!("{op:?} is not extended") };
        assert!(pool.width(of) <= width, "{op:?} at {} bits", pool.width(of));
    }
}

#[test]
fn the_slots_are_those_that_are_used() {
    for case in &cases::pure() {
        let inst = case.inst;
        let mut pool = Pool::new();
        let input = pool.input("slots", 8 * OPERAND_SLOTS as u32);
        let slots = [0; OPERAND_SLOTS];
        let mut operands = Operands { input, case, slots, constant: &[], read: Vec::new() };
        let outcome = evaluate(&mut pool, &inst, &mut |pool, slot| operands.get(pool, slot));
        let Outcome::Values { results, .. } = outcome else { panic!("{inst:?}") };
        let expected = operands::slots(&inst);
        let written: Vec<u32> = results.iter().map(|(slot, _)| slot).collect();
        assert_eq!(written, expected.result.slots().collect::<Vec<_>>(), "{inst:?}");
        let read: BTreeSet<u32> = operands.read.into_iter().collect();
        assert_eq!(read, expected.reads().collect(), "{inst:?}");
    }
}

#[test]
fn addresses_are_the_interpreters() {
    for_all(&cases::accesses(), |pool, mut operands, model, seen| {
        let inst = operands.case.inst;
        let address = address(pool, &inst, &mut |pool, slot| operands.get(pool, slot));
        assert_eq!(&Seen::Fault(pool.eval(address, model) as u64), seen, "{inst:?}");
    });
}

#[test]
fn conditions_are_the_interpreters() {
    for_all(&cases::branches(), |pool, mut operands, model, seen| {
        let inst = operands.case.inst;
        let condition = condition(pool, &inst, &mut |pool, slot| operands.get(pool, slot));
        assert_eq!(pool.width(condition), 1);
        let taken = pool.eval_bool(condition, model);
        assert_eq!(&Seen::Results([taken.into(), 0, 0]), seen, "{inst:?}");
    });
}

#[test]
fn the_rest_is_left_to_the_caller() {
    let mut pool = Pool::new();
    let inst = |op, x, d, a, b, imm| Inst { op, x, d, a, b, imm };
    let move_n = inst(Op::MoveN, 0, 3, 1, 4, 0);
    let mut get = |pool: &mut Pool, _: u32| pool.constant(64, 0);
    let copied = evaluate(&mut pool, &move_n, &mut get);
    assert_eq!(copied, Outcome::Copy { from: 1, to: 3, n: 4 });
    for inst in cases::unsupported() {
        let outcome = evaluate(&mut pool, &inst, &mut get);
        assert!(matches!(outcome, Outcome::Unsupported(_)), "{inst:?}");
    }
}

//! Faults put into a program on purpose, to measure how many of them an exploration finds.
//!
//! In a basic block of the program's own code, `1 / (v - k)`: v is an integer that the block loads,
//! computes or compares, k the block's own value. The narrowest integer is taken, since bytes come
//! from the input more likely than words, and of several the first. k is one byte, made from the
//! names of function and block, and extended as v is: a value that v may well have.

use fathom_index::Id;

use crate::inst::{Inst, Op};
use crate::lower::{Role, ends_block, roles};
use crate::{Function, LocId, Program, SwitchKind};

/// A fault, and the instruction before which it is to stand.
struct Fault {
    before: usize,
    /// A jump to that instruction executes the fault, too.
    is_target: bool,
    loc: LocId,
    inst: Inst,
}

/// An integer that a block has at hand.
struct Value {
    slot: u32,
    /// The smaller, the better.
    rank: u32,
    /// Bits to which a byte is sign-extended.
    signed: Option<u32>,
}

impl Program {
    /// Puts a fault into every block that has an integer; `n_faults` says how many there are.
    pub fn inject_faults(&mut self) {
        for id in (0..self.functions.len()).map(crate::FuncId::from_index) {
            if self.is_own(self.functions[id].loc) {
                let faults = faults(&self.functions[id], self.n_faults);
                self.n_faults += faults.len() as u32;
                insert(&mut self.functions[id], &faults);
            }
        }
    }
}

/// The faults of `function`, in the order of their places, numbered from `first`.
fn faults(function: &Function, first: u32) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (number, block) in function.blocks.iter().enumerate() {
        let start = block.start as usize;
        // Of blocks that begin at the same instruction, the last has the code.
        let next =
            function.blocks.get(number + 1).map_or(function.code.len(), |it| it.start as usize);
        let is_passed = function.passed.iter().any(|&(_, passed)| passed == number as u32);
        let Some((at, value)) = value(&function.code[start..next], is_passed) else { continue };
        let at = start + at;
        let is_target = ends_block(function.code[at].op);
        let own = own_value(&function.name, number);
        let inst = Inst {
            d: first + faults.len() as u32,
            a: value.slot,
            imm: value.signed.map_or(own.into(), |bits| extended(own, bits)),
            ..Inst::new(Op::Fault)
        };
        let before = if is_target { at } else { at + 1 };
        let loc = function.locs[at];
        let loc = if loc.index() == 0 { function.loc } else { loc };
        faults.push(Fault { before, is_target, loc, inst });
    }
    faults
}

/// The value of a block with this code, and the instruction that makes or compares it. What is
/// `passed` is executed by copies of its comparison too, which have no fault.
fn value(code: &[Inst], is_passed: bool) -> Option<(usize, Value)> {
    let end = code.iter().position(|inst| ends_block(inst.op));
    let made = code[..end.unwrap_or(code.len())].iter().map(made);
    let compared = end.filter(|_| !is_passed).map(|end| compared(&code[end]));
    let values = made.chain(compared).enumerate();
    values.filter_map(|(at, value)| Some((at, value?))).min_by_key(|(at, value)| (value.rank, *at))
}

/// The integer that an instruction loads or computes. Truth values and addresses are none.
#[rustfmt::skip]
fn made(inst: &Inst) -> Option<Value> {
    use Op::*;
    let (bits, signed) = match inst.op {
        Load8 | Load8X | Load8S | Load8A | Load8T | Load8TS => (8, None),
        LoadSext8To32 | Sext8To32 => (8, Some(32)),
        Sext8To64 => (8, Some(64)),
        Load16 | Load16X | Load16S | Load16A | Load16T | Load16TS | Sext16To32 | Sext16To64 =>
            (16, None),
        Load32 | Load32X | Load32S | Load32A | Load32T | Load32TS
        | Add32 | Add32I | Sub32 | Sub32I | Mul32 | Mul32I | SDiv32 | SDiv32I | SRem32 | SRem32I
        | Shl32 | Shl32I | LShr32 | AShr32 | AShr32I | Sext32To64 => (32, None),
        Load64 | Load64X | Load64S | Load64A | Load64T | Load64TS
        | Add64 | Add64I | Sub64 | Sub64I | Mul64 | Mul64I | SDiv64 | SDiv64I | SRem64 | SRem64I
        | UDiv | UDivI | URem | URemI | And | AndI | Or | OrI | Xor | XorI
        | Shl64 | Shl64I | LShr64 | LShrI | AShr64 | AShr64I => (64, None),
        _ => return None,
    };
    Some(Value { slot: inst.d, rank: bits, signed })
}

/// The integer that the end of a block looks at, which is as good as a computed one of 64 bits.
#[rustfmt::skip]
fn compared(inst: &Inst) -> Option<Value> {
    use Op::*;
    let is_comparison = matches!(
        inst.op,
        Switch | BrEq | BrUlt | BrSlt32 | BrSlt64 | BrEqI | BrUltI | BrUgtI | BrSlt32I | BrSgt32I
        | BrSlt64I | BrSgt64I
    );
    is_comparison.then_some(Value { slot: inst.a, rank: 64, signed: None })
}

/// A byte made from the names of function and block (FNV-1a, folded).
fn own_value(function: &str, block: usize) -> u8 {
    let bytes = function.bytes().chain(block.to_le_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    hash.to_le_bytes().into_iter().fold(0, |folded, byte| folded ^ byte)
}

/// Sign-extended to so many bits.
fn extended(byte: u8, bits: u32) -> u64 {
    byte as i8 as i64 as u64 & (u64::MAX >> (64 - bits))
}

/// Makes room for the faults, which are in order.
fn insert(function: &mut Function, faults: &[Fault]) {
    // Where an instruction will be, and where a jump to it will lead.
    let place = |at: usize| at + faults.partition_point(|fault| fault.before <= at);
    let target = |at: usize| {
        let skipped = faults
            .partition_point(|fault| fault.before < at || fault.before == at && !fault.is_target);
        at + skipped
    };
    let step = size_of::<Inst>() as isize;
    let moved = |at: usize, distance: i32| {
        let to = at.wrapping_add_signed(distance as isize / step);
        ((target(to) as isize - place(at) as isize) * step) as i32
    };
    for (at, inst) in function.code.iter_mut().enumerate() {
        for (field, _) in roles(inst).iter().filter(|(_, role)| *role == Role::Target) {
            field.set(inst, moved(at, field.get(inst) as i32) as u32);
        }
        if inst.op == Op::Switch {
            let switch = &mut function.switches[inst.imm as usize];
            let (SwitchKind::Dense { targets, .. } | SwitchKind::Sparse { targets, .. }) =
                &mut switch.kind;
            for distance in targets.iter_mut().chain([&mut switch.default]) {
                *distance = moved(at, *distance);
            }
        }
    }
    for block in &mut function.blocks {
        block.start = target(block.start as usize) as u32;
    }
    for (_, position) in &mut function.block_addresses {
        *position = target(*position as usize) as u32;
    }
    let (code, locs) = (std::mem::take(&mut function.code), std::mem::take(&mut function.locs));
    let mut faults = faults.iter().peekable();
    for (at, (inst, loc)) in code.into_iter().zip(locs).enumerate() {
        while let Some(fault) = faults.next_if(|fault| fault.before == at) {
            function.code.push(fault.inst);
            function.locs.push(fault.loc);
        }
        function.code.push(inst);
        function.locs.push(loc);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Block, Switch};

    const STEP: i32 = size_of::<Inst>() as i32;

    fn jump(distance: i32) -> u32 {
        (distance * STEP) as u32
    }

    /// A loop over bytes, then a switch.
    fn function() -> Function {
        let code = vec![
            Inst { d: 1, ..Inst::new(Op::Load64) },
            Inst { d: 2, ..Inst::new(Op::Load8) },
            Inst { a: 2, d: jump(-1), b: jump(1), ..Inst::new(Op::BrEqI) },
            Inst { a: 2, ..Inst::new(Op::Switch) },
            Inst { ..Inst::new(Op::RetVoid) },
        ];
        let kind = SwitchKind::Sparse { values: vec![7], targets: vec![-3 * STEP] };
        let block = |start| Block { start, n_llvm: 1 };
        Function {
            name: "f".into(),
            locs: vec![LocId(1); code.len()],
            code,
            switches: vec![Switch { default: STEP, kind }],
            blocks: [0, 3, 4].map(block).to_vec(),
            block_addresses: vec![(16, 3)],
            ..Function::default()
        }
    }

    #[test]
    fn a_fault_stands_behind_the_narrowest_value_or_before_a_comparison() {
        let mut function = function();
        let faults = faults(&function, 5);
        insert(&mut function, &faults);
        let ops: Vec<Op> = function.code.iter().map(|inst| inst.op).collect();
        use Op::{BrEqI, Fault, Load8, Load64, RetVoid, Switch};
        assert_eq!(ops, [Load64, Load8, Fault, BrEqI, Fault, Switch, RetVoid]);
        let inserted = [function.code[2], function.code[4]].map(|fault| (fault.d, fault.a));
        assert_eq!(inserted, [(5, 2), (6, 2)]);
        assert_eq!(function.locs.len(), function.code.len());
    }

    #[test]
    fn jumps_lead_where_they_led() {
        let mut function = function();
        let faults = faults(&function, 0);
        insert(&mut function, &faults);
        // Back to the load, and on to the switch with its fault.
        assert_eq!(function.successors(3), [1, 4]);
        assert_eq!(function.successors(5), [6, 0]);
        let starts: Vec<u32> = function.blocks.iter().map(|block| block.start).collect();
        assert_eq!(starts, [0, 4, 6]);
        assert_eq!(function.block_addresses, [(16, 4)]);
    }

    #[test]
    fn a_block_that_falls_into_a_comparison() {
        let mut function = function();
        function.code[1] = Inst::new(Op::Store8);
        function.code[2] = Inst { d: 2, ..Inst::new(Op::Load8) };
        let faults = faults(&function, 0);
        insert(&mut function, &faults);
        let ops: Vec<Op> = function.code.iter().map(|inst| inst.op).collect();
        use Op::{Fault, Load8, Load64, RetVoid, Store8, Switch};
        assert_eq!(ops, [Load64, Store8, Load8, Fault, Fault, Switch, RetVoid]);
        assert_eq!(function.blocks[1].start, 4);
        assert_eq!(function.successors(5), [6, 0]);
    }

    #[test]
    fn a_sign_extended_byte_has_a_sign_extended_value() {
        assert_eq!(extended(0x80, 32), 0xffff_ff80);
        assert_eq!(extended(0x7f, 64), 0x7f);
    }
}

//! Where control goes from an instruction.

use crate::inst::{Inst, Op};
use crate::{Function, Switch, SwitchKind};

impl Function {
    /// The instructions of this function that may be executed right after the one at `at`, calls
    /// stepped over; none after a return or where the path ends.
    pub fn successors(&self, at: usize) -> Vec<usize> {
        let inst = &self.code[at];
        let go =
            |distance: i32| at.wrapping_add_signed(distance as isize / size_of::<Inst>() as isize);
        let (then, otherwise) = (inst.d as i32, inst.b as i32);
        match inst.op {
            Op::Jump => vec![go(then)],
            Op::Branch
            | Op::BrEqI
            | Op::BrUltI
            | Op::BrUgtI
            | Op::BrSlt32I
            | Op::BrSgt32I
            | Op::BrSlt64I
            | Op::BrSgt64I => vec![go(then), go(otherwise)],
            Op::BrEq | Op::BrUlt | Op::BrSlt32 | Op::BrSlt64 => {
                vec![go(then), go(inst.imm as i32)]
            }
            Op::Switch => self.switches[inst.imm as usize].distances().map(go).collect(),
            Op::IndirectBr => self.block_addresses.iter().map(|&(_, at)| at as usize).collect(),
            Op::RetVoid
            | Op::Ret
            | Op::RetI
            | Op::RetN
            | Op::Unreachable
            | Op::Unsupported
            | Op::Bug
            | Op::Halt => Vec::new(),
            _ => vec![at + 1],
        }
    }

    /// Whether the instruction at `at` leaves the function by returning from it.
    pub fn returns(&self, at: usize) -> bool {
        matches!(self.code[at].op, Op::RetVoid | Op::Ret | Op::RetI | Op::RetN)
    }
}

impl Switch {
    /// The distances to all targets, the default one first, some of them twice.
    fn distances(&self) -> impl Iterator<Item = i32> {
        let (SwitchKind::Dense { targets, .. } | SwitchKind::Sparse { targets, .. }) = &self.kind;
        std::iter::once(self.default).chain(targets.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: i32 = size_of::<Inst>() as i32;

    #[test]
    fn every_way_on_is_listed() {
        let branch = Inst { d: (2 * STEP) as u32, b: -STEP as u32, ..Inst::new(Op::BrEqI) };
        let kind = SwitchKind::Dense { base: 7, targets: vec![STEP, -2 * STEP] };
        let function = Function {
            code: vec![
                Inst::new(Op::CallExternal),
                branch,
                Inst::new(Op::Switch),
                Inst { imm: -STEP as u32 as u64, d: STEP as u32, ..Inst::new(Op::BrUlt) },
                Inst::new(Op::RetVoid),
            ],
            switches: vec![Switch { default: 2 * STEP, kind }],
            ..Function::default()
        };
        let ways: Vec<Vec<usize>> = (0..5).map(|at| function.successors(at)).collect();
        assert_eq!(ways, [vec![1], vec![3, 0], vec![4, 3, 0], vec![4, 2], vec![]]);
        assert!(function.returns(4) && !function.returns(3));
    }
}

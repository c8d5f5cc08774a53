//! Terminators: branches, switches, returns.

use super::Lowered;
use super::compare::is_fused;
use super::function::{Body, Label};
use super::llvm::{BasicBlock, LLVMIntPredicate, LLVMOpcode, Value};
use super::operand::Operand;
use super::slots::NO_SLOT;
use crate::inst::Op;
use crate::{Switch, SwitchKind};

impl Body<'_, '_> {
    pub fn lower_br(&mut self, inst: Value) -> Lowered<()> {
        let successors = inst.successors();
        if !inst.is_conditional() {
            return self.go_to(successors[0]);
        }
        let condition = inst.operand(0);
        if condition.is_constant() {
            let taken = self.m.const_scalar(condition)? & 1 != 0;
            return self.go_to(successors[usize::from(!taken)]);
        }
        let (labels, stubs) = self.edge_labels(&successors)?;
        let fused = condition.is_instruction()
            && condition.opcode() == LLVMOpcode::LLVMICmp
            && is_fused(condition);
        if fused {
            self.compare_and_branch(condition, labels[0], labels[1])?;
        } else {
            let condition = self.slot_of(condition)?;
            self.emit_counting(Op::Branch, labels[0], condition, labels[1], 0);
        }
        self.place_stubs(stubs);
        Ok(())
    }

    pub fn lower_switch(&mut self, inst: Value) -> Lowered<()> {
        let successors = inst.successors();
        let value = inst.operand(0);
        let width = self.m.types.scalar(value.ty())?.width();
        if width > 64 && !value.is_constant() {
            return self.wide_switch(inst, width, &successors);
        }
        let mut cases = Vec::with_capacity(successors.len());
        for index in 1..successors.len() as u32 {
            cases.push(self.m.const_scalar(inst.switch_case(index))?);
        }
        if value.is_constant() {
            let bits = self.m.const_scalar(value)?;
            let case = cases.iter().position(|&case| case == bits);
            return self.go_to(successors[case.map_or(0, |case| case + 1)]);
        }
        let (labels, stubs) = self.edge_labels(&successors)?;
        let slot = self.slot_of(value)?;
        let cases = cases.into_iter().map(|bits| bits as u64).zip(labels[1..].iter().copied());
        self.emit_switch(slot, cases.collect(), labels[0]);
        self.place_stubs(stubs);
        Ok(())
    }

    fn wide_switch(&mut self, inst: Value, width: u32, successors: &[BasicBlock]) -> Lowered<()> {
        let (labels, stubs) = self.edge_labels(successors)?;
        let value = Operand::Slot(self.slot_of(inst.operand(0))?);
        for (index, &label) in (1..).zip(&labels[1..]) {
            let case = self.operand(inst.switch_case(index))?;
            let equal = self.temp(1);
            self.compare(LLVMIntPredicate::LLVMIntEQ, width, equal, value, case);
            let next = self.new_label();
            self.emit_counting(Op::Branch, label, equal, next, 0);
            self.place_label(next);
        }
        self.emit_counting(Op::Jump, labels[0], NO_SLOT, NO_SLOT, 0);
        self.place_stubs(stubs);
        Ok(())
    }

    /// Targets stay labels until the function is finished.
    fn emit_switch(&mut self, slot: u32, mut cases: Vec<(u64, Label)>, default: Label) {
        cases.sort_unstable();
        let kind = match (cases.first(), cases.last()) {
            (Some(&(base, _)), Some(&(last, _))) if last - base <= 16 + 8 * cases.len() as u64 => {
                let mut targets = vec![default as i32; (last - base + 1) as usize];
                for &(value, label) in &cases {
                    targets[(value - base) as usize] = label as i32;
                }
                SwitchKind::Dense { base, targets }
            }
            _ => SwitchKind::Sparse {
                values: cases.iter().map(|&(value, _)| value).collect(),
                targets: cases.iter().map(|&(_, label)| label as i32).collect(),
            },
        };
        let imm = self.out.switches.len() as u64;
        self.out.switches.push(Switch { default: default as i32, kind });
        let mut targets: Vec<Label> = cases.iter().map(|&(_, label)| label).collect();
        targets.push(default);
        targets.sort_unstable();
        targets.dedup();
        self.draft.switch_targets.push(targets);
        self.emit_counting(Op::Switch, NO_SLOT, slot, NO_SLOT, imm);
    }

    /// Through the table of block addresses, or, where an edge needs moves, as a switch over
    /// the addresses.
    pub fn lower_indirect_br(&mut self, inst: Value) -> Lowered<()> {
        let successors = inst.successors();
        let address = self.scalar_slot(inst.operand(0))?;
        let (labels, stubs) = self.edge_labels(&successors)?;
        if stubs.is_empty() {
            self.emit_counting(Op::IndirectBr, NO_SLOT, address, NO_SLOT, 0);
            return Ok(());
        }
        let mut cases: Vec<(u64, Label)> = successors
            .iter()
            .zip(labels)
            .map(|(&block, label): (&BasicBlock, Label)| (self.m.label_address(block), label))
            .collect();
        cases.sort_unstable();
        cases.dedup();
        let nowhere = self.new_label();
        self.emit_switch(address, cases, nowhere);
        self.place_label(nowhere);
        self.emit_counting(Op::Unreachable, NO_SLOT, NO_SLOT, NO_SLOT, 0);
        self.place_stubs(stubs);
        Ok(())
    }

    pub fn lower_ret(&mut self, inst: Value) -> Lowered<()> {
        if inst.n_operands() == 0 {
            self.emit_counting(Op::RetVoid, NO_SLOT, NO_SLOT, NO_SLOT, 0);
            return Ok(());
        }
        let value = inst.operand(0);
        let slots = self.m.types.shape(value.ty())?.slots;
        match slots {
            0 => self.emit_counting(Op::RetVoid, NO_SLOT, NO_SLOT, NO_SLOT, 0),
            1 if value.is_constant() => {
                let bits = self.m.const_words(value)?[0];
                self.emit_counting(Op::RetI, NO_SLOT, NO_SLOT, NO_SLOT, bits);
            }
            1 => {
                let slot = self.slot_of(value)?;
                self.emit_counting(Op::Ret, NO_SLOT, slot, NO_SLOT, 0);
            }
            _ => {
                let slot = self.value_in_slots(value)?;
                self.emit_counting(Op::RetN, NO_SLOT, slot, slots, 0);
            }
        }
        Ok(())
    }
}

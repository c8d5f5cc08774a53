//! Calls: arguments are written straight into the frame that the callee will have.

use super::Lowered;
use super::function::Body;
use super::llvm::{LLVMValueKind, Value};
use super::slots::{NO_SLOT, OUTGOING};
use super::types::{Scalar, mask};
use crate::inst::Op;
use crate::{CallSite, FuncId, function_address};

impl Body<'_, '_> {
    pub fn lower_call(&mut self, inst: Value) -> Lowered<()> {
        let callee = inst.callee();
        match callee.kind() {
            LLVMValueKind::LLVMInlineAsmValueKind => return self.lower_inline_asm(inst, callee),
            LLVMValueKind::LLVMFunctionValueKind => {
                if let Some(name) = callee.intrinsic_name() {
                    return self.lower_intrinsic(inst, &name);
                }
            }
            _ => {}
        }
        self.emit_call(inst, callee)
    }

    fn emit_call(&mut self, inst: Value, callee: Value) -> Lowered<()> {
        let function = self.m.resolve_function(callee);
        // Before the arguments: nothing may come between them and the call.
        let pointer = match function {
            None => Some(self.scalar_slot(callee)?),
            Some(_) => None,
        };
        let result_slots = self.m.types.shape(inst.ty())?.slots;
        let mut site = CallSite { result_slots, ..CallSite::default() };
        for index in 0..inst.n_args() {
            let argument = inst.operand(index);
            self.m.types.shape(argument.ty())?;
            site.args.push(self.m.param(inst, index, argument.ty()).kind);
        }
        for index in 0..inst.n_args() {
            let slot = OUTGOING + site.arg_slots;
            self.write_value(slot, inst.operand(index))?;
            site.arg_slots += site.args[index as usize].slots();
        }
        let (op, a) = match (function, pointer) {
            (Some(function), _) if !self.fits(function, &site) => {
                (Op::CallIndirect, self.constant_slot(function_address(function)))
            }
            (Some(function), _) => {
                let defined = !self.m.declared_only(function);
                (if defined { Op::Call } else { Op::CallExternal }, function.0)
            }
            (None, pointer) => (Op::CallIndirect, pointer.unwrap_or(NO_SLOT)),
        };
        let id = self.m.program.call_sites.push(site);
        let d = match (op, result_slots) {
            (Op::Call, 0) => NO_SLOT,
            // Whoever answers may leave something where nothing is expected.
            (_, 0) => self.temp(1),
            _ => self.slot_of(inst)?,
        };
        let width = match self.m.types.scalar(inst.ty()) {
            Ok(Scalar::Int(width @ 1..64)) if op == Op::CallExternal => width,
            _ => {
                self.emit_counting(op, d, a, NO_SLOT, id.0.into());
                return Ok(());
            }
        };
        // An engine intrinsic answers in 64 bits.
        let answer = self.temp(1);
        self.emit_counting(op, answer, a, NO_SLOT, id.0.into());
        self.emit(Op::AndI, d, answer, NO_SLOT, mask(width));
        Ok(())
    }

    /// Do arguments and result of the call agree with the function's own? Where a program lies
    /// about a type, the call goes the checked way, through the pointer.
    fn fits(&self, function: FuncId, site: &CallSite) -> bool {
        if self.m.declared_only(function) {
            return true;
        }
        let signature = if self.m.program.functions[function].name.is_empty() {
            &self.out // the function being lowered, taken out meanwhile
        } else {
            &self.m.program.functions[function]
        };
        let fixed = signature.params.len();
        let slots = signature
            .params
            .iter()
            .zip(&site.args)
            .all(|(param, arg)| param.kind.slots() == arg.slots());
        slots
            && site.args.len() >= fixed
            && (signature.variadic || site.args.len() == fixed)
            && (site.result_slots == signature.result_slots)
    }

    /// The value a call merely passes on.
    pub fn alias_of_call(&mut self, inst: Value) -> Option<Value> {
        let callee = inst.callee();
        if callee.kind() != LLVMValueKind::LLVMFunctionValueKind {
            return None;
        }
        let name = callee.intrinsic_name()?;
        let first = inst.operand(0);
        (super::intrinsics::passes_on(&name) && !first.is_constant()).then_some(first)
    }

    /// Empty assembly is a barrier to the compiler and nothing to us: outputs tied to an input
    /// take its value.
    fn lower_inline_asm(&mut self, inst: Value, asm: Value) -> Lowered<()> {
        let (text, constraints) = asm.inline_asm_text();
        if !text.trim().is_empty() {
            return Err(format!("inline assembly \"{}\"", text.trim()));
        }
        let shape = self.m.types.shape(inst.ty())?;
        if shape.slots == 0 {
            return Ok(());
        }
        let d = self.slot_of(inst)?;
        for (output, leaf) in shape.leaves.iter().enumerate() {
            let value = match tied_input(&constraints, output) {
                Some(input) if input < inst.n_args() => self.operand(inst.operand(input))?,
                _ => super::operand::Operand::Const(0),
            };
            self.write(d + leaf.slot, value, leaf.scalar.slots());
        }
        Ok(())
    }
}

impl super::Lowering<'_> {
    pub fn declared_only(&self, function: FuncId) -> bool {
        self.declarations.contains(&function)
    }
}

/// Which argument the constraints tie to an output: "=r,0" ties the first to output 0.
fn tied_input(constraints: &str, output: usize) -> Option<u32> {
    let inputs = constraints
        .split(',')
        .filter(|part| !part.starts_with('~') && (!part.starts_with('=') || part.contains('*')));
    inputs
        .enumerate()
        .find(|(_, part)| part.parse::<usize>() == Ok(output))
        .map(|(index, _)| index as u32)
}

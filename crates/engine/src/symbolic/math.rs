//! Functions of the C library's mathematics that the solver's theory has an operation for: exactly
//! rounded ones, whose bodies are long chains of integer arithmetic.

use fathom_expr::{ExprId, Rounding};
use fathom_ir::inst::Inst;

use crate::engine::Engine;
use crate::state::State;

/// The operation and the width of its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Math {
    operation: Operation,
    width: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Sqrt,
    Fma,
    Round(Rounding),
}

impl Math {
    pub fn named(name: &str) -> Option<Self> {
        let (name, width) = match name.strip_suffix('f') {
            Some(single) => (single, 32),
            None => (name, 64),
        };
        let operation = match name {
            "sqrt" => Operation::Sqrt,
            "fma" => Operation::Fma,
            "floor" => Operation::Round(Rounding::Floor),
            "ceil" => Operation::Round(Rounding::Ceil),
            "trunc" => Operation::Round(Rounding::Trunc),
            "rint" | "nearbyint" => Operation::Round(Rounding::Even),
            "round" => Operation::Round(Rounding::Away),
            _ => return None,
        };
        Some(Self { operation, width })
    }
}

impl Engine<'_> {
    /// Computes the function if an argument is symbolic, and goes on after the call.
    pub(super) fn exec_math(&mut self, state: &mut State, call: &Inst, math: Math) -> bool {
        let n_args = if math.operation == Operation::Fma { 3 } else { 1 };
        if (0..n_args).all(|index| state.tag(call.b + index).is_none()) {
            return false;
        }
        let args: Vec<ExprId> = (0..n_args)
            .map(|index| {
                let slot = state.slot_expr(&mut self.pool, call.b + index);
                self.pool.extract(slot, 0, math.width)
            })
            .collect();
        let value = match math.operation {
            Operation::Sqrt => self.pool.fsqrt(args[0]),
            Operation::Fma => self.pool.ffma(args[0], args[1], args[2]),
            Operation::Round(rounding) => self.pool.fround(args[0], rounding),
        };
        let value = self.pool.zext(value, 64);
        self.set_value(state, call.d, value);
        self.advance(state);
        true
    }
}

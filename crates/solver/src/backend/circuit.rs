//! Circuits of gates as clauses of the SAT solver CaDiCaL.
//!
//! Gates are simplified as they are made, and equal ones are one.

use std::ops::Not;

use rustc_hash::FxHashMap;

use super::ffi;
use super::watch::Watch;

/// A wire of the circuit, or its complement, as CaDiCaL numbers them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Lit(i32);

pub(super) const TRUE: Lit = Lit(1);
pub(super) const FALSE: Lit = Lit(-1);

impl Not for Lit {
    type Output = Self;
    fn not(self) -> Self {
        Self(-self.0)
    }
}

impl From<bool> for Lit {
    fn from(value: bool) -> Self {
        if value { TRUE } else { FALSE }
    }
}

impl Lit {
    fn is_constant(self) -> bool {
        self.0.abs() == 1
    }

    fn is_complemented(self) -> bool {
        self.0 < 0
    }
}

#[derive(PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Mux(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
}

/// A growing circuit and the solver that knows its clauses.
pub(super) struct Circuit {
    solver: *mut ffi::CaDiCaL,
    n_wires: i32,
    gates: FxHashMap<Gate, Lit>,
}

impl Circuit {
    /// `watch` is asked whether to go on; it must outlive the circuit.
    pub(super) fn new(watch: *mut Watch) -> Self {
        // SAFETY: a new solver; the caller keeps the watch alive.
        let solver = unsafe {
            let solver = ffi::ccadical_init();
            ffi::ccadical_set_option(solver, c"quiet".as_ptr(), 1);
            ffi::ccadical_set_terminate(solver, watch.cast(), Some(Watch::callback));
            solver
        };
        let mut circuit = Self { solver, n_wires: 1, gates: FxHashMap::default() };
        circuit.clause([TRUE]);
        circuit
    }

    pub(super) fn n_wires(&self) -> usize {
        self.n_wires as usize
    }

    pub(super) fn wire(&mut self) -> Lit {
        self.n_wires += 1;
        Lit(self.n_wires)
    }

    pub(super) fn clause(&mut self, lits: impl IntoIterator<Item = Lit>) {
        for lit in lits {
            // SAFETY: the solver lives as long as `self`.
            unsafe { ffi::ccadical_add(self.solver, lit.0) }
        }
        unsafe { ffi::ccadical_add(self.solver, 0) }
    }

    pub(super) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            _ if a == FALSE || b == FALSE || a == !b => return FALSE,
            _ if a == TRUE || a == b => return b,
            _ if b == TRUE => return a,
            _ => {}
        }
        self.gate(Gate::And(a, b), |circuit, out| {
            circuit.clause([!out, a]);
            circuit.clause([!out, b]);
            circuit.clause([out, !a, !b]);
        })
    }

    pub(super) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Whether all hold.
    pub(super) fn all(&mut self, lits: &[Lit]) -> Lit {
        let mut lits: Vec<Lit> = lits.iter().copied().filter(|&lit| lit != TRUE).collect();
        lits.sort_unstable();
        lits.dedup();
        if lits.contains(&FALSE) || lits.iter().any(|&lit| lits.binary_search(&!lit).is_ok()) {
            return FALSE;
        }
        match lits[..] {
            [] => TRUE,
            [lit] => lit,
            [a, b] => self.and(a, b),
            _ => {
                let out = self.wire();
                for &lit in &lits {
                    self.clause([!out, lit]);
                }
                self.clause(lits.iter().map(|&lit| !lit).chain([out]));
                out
            }
        }
    }

    pub(super) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let complement = a.is_complemented() != b.is_complemented();
        let (a, b) = (Lit(a.0.abs()), Lit(b.0.abs()));
        let (a, b) = (a.min(b), a.max(b));
        let out = match (a, b) {
            _ if a == b => FALSE,
            // The only positive constant is true.
            _ if a == TRUE => !b,
            _ => self.gate(Gate::Xor(a, b), |circuit, out| {
                circuit.clause([!out, a, b]);
                circuit.clause([!out, !a, !b]);
                circuit.clause([out, !a, b]);
                circuit.clause([out, a, !b]);
            }),
        };
        if complement { !out } else { out }
    }

    pub(super) fn mux(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if condition.is_complemented() {
            return self.mux(!condition, otherwise, then);
        }
        match (then, otherwise) {
            _ if then == otherwise || condition == TRUE => return then,
            _ if then == !otherwise => return !self.xor(condition, then),
            _ if then == TRUE || then == condition => return self.or(condition, otherwise),
            _ if then == FALSE || then == !condition => return self.and(!condition, otherwise),
            _ if otherwise == TRUE || otherwise == !condition => return self.or(!condition, then),
            _ if otherwise == FALSE || otherwise == condition => return self.and(condition, then),
            _ => {}
        }
        if then.is_complemented() {
            return !self.mux(condition, !then, !otherwise);
        }
        self.gate(Gate::Mux(condition, then, otherwise), |circuit, out| {
            circuit.clause([!condition, !out, then]);
            circuit.clause([!condition, out, !then]);
            circuit.clause([condition, !out, otherwise]);
            circuit.clause([condition, out, !otherwise]);
        })
    }

    /// Whether at least two of the three hold.
    pub(super) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut lits = [a, b, c];
        lits.sort_unstable();
        for (this, x, y) in [(a, b, c), (b, a, c), (c, a, b)] {
            match this {
                TRUE => return self.or(x, y),
                FALSE => return self.and(x, y),
                _ if x == y => return x,
                _ if x == !y => return this,
                _ => {}
            }
        }
        let [a, b, c] = lits;
        self.gate(Gate::Majority(a, b, c), |circuit, out| {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                circuit.clause([out, !x, !y]);
                circuit.clause([!out, x, y]);
            }
        })
    }

    fn gate(&mut self, gate: Gate, clauses: impl FnOnce(&mut Self, Lit)) -> Lit {
        if let Some(&out) = self.gates.get(&gate) {
            return out;
        }
        let out = self.wire();
        self.gates.insert(gate, out);
        clauses(self, out);
        out
    }

    /// Whether all `lits` can hold at once. `None`: the watch ended it.
    pub(super) fn solve(&mut self, lits: &[Lit]) -> Option<bool> {
        // SAFETY: the solver lives as long as `self`, its watch longer.
        unsafe {
            for &lit in lits.iter().filter(|&&lit| lit != TRUE) {
                ffi::ccadical_assume(self.solver, lit.0);
            }
            match ffi::ccadical_solve(self.solver) {
                ffi::SAT => Some(true),
                ffi::UNSAT => Some(false),
                _ => None,
            }
        }
    }

    /// The value of `lit` in the model just found.
    pub(super) fn value(&self, lit: Lit) -> bool {
        if lit.is_constant() {
            return lit == TRUE;
        }
        // SAFETY: the last answer was sat.
        let value = unsafe { ffi::ccadical_val(self.solver, lit.0.abs()) };
        (value > 0) != lit.is_complemented()
    }
}

impl Drop for Circuit {
    fn drop(&mut self) {
        // SAFETY: nothing uses the solver any more.
        unsafe { ffi::ccadical_release(self.solver) }
    }
}

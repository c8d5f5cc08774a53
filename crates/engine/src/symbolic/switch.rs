//! Switches on a symbolic value: a case for each target.

use std::rc::Rc;

use fathom_expr::{ExprId, Pool};
use fathom_ir::inst::Inst;
use fathom_ir::{Switch, SwitchKind};

use super::fork::Parted;
use crate::engine::Engine;
use crate::state::State;
use crate::step::Step;
use crate::trail::Decision;

impl Engine<'_> {
    pub(super) fn exec_symbolic_switch(&mut self, state: &mut State, i: &Inst) -> Step {
        let function = state.frames.last().expect("a running frame").function;
        let switch = &self.program.functions[function].switches[i.imm as usize];
        let value = state.slot_expr(&mut self.pool, i.a);
        self.check_initialised(state, value);
        let ip = state.ip;
        let cases = self.cases.of(&mut self.pool, switch, value);
        let target = switch.target(self.pool.eval(value, &state.model) as u64);
        let mine = cases.iter().position(|(to, _)| *to == target).expect("each target has a case");
        let condition = cases[mine].1;
        let others = self.pool.not(condition);
        let is_other = |(at, case): (usize, &(i32, ExprId))| {
            (at != mine && self.pool.as_const(case.1).is_none()).then_some(*case)
        };
        let other_cases: Vec<(i32, ExprId)> =
            cases.iter().enumerate().filter_map(is_other).collect();
        if state.guide.is_none() && other_cases.len() > 1 && self.is_refuted(state, others) {
            // As if each had been asked about: who repeats the path counts them.
            for _ in other_cases {
                state.next_decision();
            }
            state.ip = ip.wrapping_byte_offset(target as isize);
            self.set_marks();
            return Ok(());
        }
        let (site, own) = (self.site(state), self.own_site(state).loc);
        let decided = |engine: &Self, target: i32, condition| {
            let to = engine.site_of(site.function, ip.wrapping_byte_offset(target as isize)).loc;
            Decision { site, condition, to, own, way: target }
        };
        let mut parted = false;
        let n_forked = self.forked.len();
        for (target, condition) in other_cases {
            match self.part(state, condition) {
                Parted::Fork(mut child) => {
                    child.leave_for(ip.wrapping_byte_offset(target as isize));
                    child.trail.push(decided(self, target, condition));
                    self.forked.push(child);
                    parted = true;
                }
                Parted::Left => parted = true,
                Parted::Impossible => {}
            }
        }
        for child in &mut self.forked[n_forked..] {
            child.has_decided_with(state);
        }
        self.keep_to(state, condition, others);
        if parted {
            state.trail.push(decided(self, target, condition));
        }
        state.ip = ip.wrapping_byte_offset(target as isize);
        self.set_marks();
        Ok(())
    }
}

/// Some of the switches that states have come to lately, each with what it is on: programs look at
/// the same bytes in the same way again and again.
pub(crate) struct Cases {
    entries: Box<[Option<Known>]>,
}

struct Known {
    switch: *const Switch,
    value: ExprId,
    cases: Rc<[(i32, ExprId)]>,
}

const LEN: usize = 1 << 12;

impl Default for Cases {
    fn default() -> Self {
        Self { entries: (0..LEN).map(|_| None).collect() }
    }
}

impl Cases {
    /// The cases of `switch` on `value`. The entry is found by the value alone: addresses differ from
    /// run to run, and which cases are made again must not.
    fn of(&mut self, pool: &mut Pool, switch: &Switch, value: ExprId) -> Rc<[(i32, ExprId)]> {
        let entry = &mut self.entries[value.raw() as usize % LEN];
        match entry {
            Some(known) if std::ptr::eq(known.switch, switch) && known.value == value => {}
            _ => {
                let cases = cases(pool, switch, value).into();
                *entry = Some(Known { switch, value, cases });
            }
        }
        entry.as_ref().expect("it was just written").cases.clone()
    }
}

/// The targets in order, the default one last, each with the condition under which it is taken.
fn cases(pool: &mut Pool, switch: &Switch, value: ExprId) -> Vec<(i32, ExprId)> {
    let mut groups: Vec<(i32, Vec<u64>)> = Vec::new();
    let mut add = |number: u64, target: i32| {
        if target == switch.default {
            return;
        }
        match groups.iter_mut().find(|(to, _)| *to == target) {
            Some((_, numbers)) => numbers.push(number),
            None => groups.push((target, vec![number])),
        }
    };
    match &switch.kind {
        SwitchKind::Dense { base, targets } => {
            for (number, &target) in targets.iter().enumerate() {
                add(base.wrapping_add(number as u64), target);
            }
        }
        SwitchKind::Sparse { values, targets } => {
            for (&number, &target) in values.iter().zip(targets) {
                add(number, target);
            }
        }
    }
    let all: Vec<u64> = groups.iter().flat_map(|(_, numbers)| numbers).copied().collect();
    let any = is_among(pool, value, all);
    let mut cases: Vec<(i32, ExprId)> = groups
        .into_iter()
        .map(|(target, numbers)| (target, is_among(pool, value, numbers)))
        .collect();
    cases.push((switch.default, pool.not(any)));
    cases
}

/// Whether `value` is one of `numbers`: a comparison for every run of them.
fn is_among(pool: &mut Pool, value: ExprId, mut numbers: Vec<u64>) -> ExprId {
    numbers.sort_unstable();
    let mut found = pool.bool(false);
    for run in numbers.chunk_by(|one, next| one.checked_add(1) == Some(*next)) {
        let (first, length) = (pool.constant(64, run[0]), pool.constant(64, run.len() as u64));
        let is_here = match run.len() {
            1 => pool.eq(value, first),
            _ => {
                let distance = pool.sub(value, first);
                pool.ult(distance, length)
            }
        };
        found = pool.or(found, is_here);
    }
    found
}

#[cfg(test)]
mod tests {
    use fathom_expr::Model;

    use super::*;

    #[test]
    fn every_value_goes_to_one_target() {
        let numbers: Vec<u64> = (0..256).collect();
        let target = |number: u64| match number {
            0..=9 | 40 | 42 | 250..=255 => 1,
            10..=20 | 41 => 2,
            _ => 3,
        };
        let targets: Vec<i32> = numbers.iter().map(|&number| target(number)).collect();
        let sparse: Vec<usize> = (0..256).filter(|&at| targets[at] != 3).rev().collect();
        let kinds = [
            SwitchKind::Dense { base: 0, targets: targets.clone() },
            SwitchKind::Sparse {
                values: sparse.iter().map(|&at| numbers[at]).collect(),
                targets: sparse.iter().map(|&at| targets[at]).collect(),
            },
        ];
        for kind in kinds {
            let mut pool = Pool::new();
            let input = pool.input("x", 1);
            let byte = pool.byte(input, 0);
            let var = pool.input_info(input).first;
            let value = pool.zext(byte, 64);
            let cases = cases(&mut pool, &Switch { default: 3, kind }, value);
            assert_eq!(cases.last().expect("a default").0, 3);
            for number in 0..=255u8 {
                let mut model = Model::new();
                model.set(var, number);
                let taken: Vec<i32> = cases
                    .iter()
                    .filter(|(_, condition)| pool.eval_bool(*condition, &model))
                    .map(|(target, _)| *target)
                    .collect();
                assert_eq!(taken, [target(number.into())], "{number}");
            }
        }
    }
}

//! The path condition: all constraints of a path, kept as independent slices as they are added.

use std::rc::Rc;

use fathom_expr::{BinaryOp, ExprId, Pool, Support, UnaryOp, Var, View};
use rustc_hash::FxHashSet;

use crate::byteset::ByteSet;
use crate::slice::Slice;
use crate::tabulate::true_set;
use crate::varmap::VarMap;

/// What a path demands of the input bytes. Cloning shares everything.
#[derive(Clone, Default)]
pub struct PathCondition {
    slots: VarMap<Slot>,
    newest: Option<Rc<Link>>,
    len: usize,
    contradiction: bool,
    /// What was found to follow from the constraints, by the numbers of the terms.
    implied: VarMap<()>,
}

/// What is known of one byte: it stands for its slice, or names the byte that does.
#[derive(Clone)]
enum Slot {
    Slice(Rc<Slice>),
    Member(Var),
}

/// One constraint and those before it.
struct Link {
    constraint: ExprId,
    previous: Option<Rc<Link>>,
}

impl PathCondition {
    pub fn new() -> Self {
        Self::default()
    }

    /// Demands `condition`, of width 1. Conjunctions are taken apart.
    pub fn add(&mut self, pool: &mut Pool, condition: ExprId) {
        all_conjuncts(pool, condition, |pool, conjunct| {
            self.add_conjunct(pool, conjunct);
            true
        });
    }

    /// As `add`; the path as it was, or none if it said so already: then it leaves the opposite of
    /// `condition` no value.
    pub fn extend(&mut self, pool: &mut Pool, condition: ExprId) -> Option<Self> {
        let before = self.clone();
        let mut said_something = false;
        all_conjuncts(pool, condition, |pool, conjunct| {
            said_something |= self.add_conjunct(pool, conjunct);
            true
        });
        said_something.then_some(before)
    }

    /// Constraints in the order they were added, without those that said nothing new.
    pub fn constraints(&self) -> impl Iterator<Item = ExprId> + use<> {
        let mut constraints = Vec::with_capacity(self.len);
        let mut link = self.newest.as_deref();
        while let Some(Link { constraint, previous }) = link {
            constraints.push(*constraint);
            link = previous.as_deref();
        }
        constraints.into_iter().rev()
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether some byte has no value left, or a constraint was false outright.
    /// A path that is unsatisfiable for deeper reasons does not know.
    pub fn is_contradiction(&self) -> bool {
        self.contradiction
    }

    /// Remembers that `condition` follows from the constraints, now and after any others. What it
    /// says about single bytes is in their domains, as if it had been added.
    pub fn learn(&mut self, pool: &mut Pool, condition: ExprId) {
        all_conjuncts(pool, condition, |pool, conjunct| {
            match pool.support(conjunct).only() {
                Some(_) => {
                    self.add_conjunct(pool, conjunct);
                }
                None => *self.implied.entry(Var(conjunct.raw())) = Some(()),
            }
            true
        });
    }

    /// Whether each part of `condition` is one of the constraints, known to follow from them, or said
    /// by the domain of its only byte.
    pub fn contains(&self, pool: &mut Pool, condition: ExprId) -> bool {
        all_conjuncts(pool, condition, |pool, conjunct| self.states(pool, conjunct))
    }

    fn states(&self, pool: &mut Pool, condition: ExprId) -> bool {
        let support = pool.support(condition);
        let Some(first) = support.first() else {
            return pool.is_true(condition);
        };
        if support.only().is_none() {
            return self.is_stated(condition, first);
        }
        let Some((var, set)) = true_set(pool, condition) else { return false };
        let domain = self.domain(var);
        domain.intersect(&set) == domain
    }

    /// Whether `condition`, on several bytes of which `byte` is one, is a constraint or was learnt,
    /// as it is.
    fn is_stated(&self, condition: ExprId, byte: Var) -> bool {
        let is_in = |slice: &Rc<Slice>| slice.constraints().binary_search(&condition).is_ok();
        self.slice_of(byte).is_some_and(is_in) || self.was_learnt(condition)
    }

    fn was_learnt(&self, condition: ExprId) -> bool {
        self.implied.get(Var(condition.raw())).is_some()
    }

    /// Whether a look at the domains and constraints there are tells that `condition` cannot hold,
    /// too. The path with it need not be made for that.
    pub fn excludes(&self, pool: &mut Pool, condition: ExprId) -> bool {
        let mut narrowed: Vec<(Var, ByteSet)> = Vec::new();
        !all_conjuncts(pool, condition, |pool, part| !self.excludes_part(pool, part, &mut narrowed))
    }

    /// The same of a part of a condition; `narrowed` is what others have left of the domains.
    fn excludes_part(
        &self,
        pool: &mut Pool,
        part: ExprId,
        narrowed: &mut Vec<(Var, ByteSet)>,
    ) -> bool {
        let support = pool.support(part);
        if support.is_empty() {
            return pool.is_false(part);
        }
        if support.only().is_none() {
            return self.states_opposite(pool, part);
        }
        let Some((var, set)) = true_set(pool, part) else { return false };
        let known = narrowed.iter_mut().find(|(known, _)| *known == var);
        let domain = known.as_ref().map_or_else(|| self.domain(var), |(_, domain)| *domain);
        let left = domain.intersect(&set);
        match known {
            Some((_, domain)) => *domain = left,
            None => narrowed.push((var, left)),
        }
        left.is_empty()
    }

    /// As [`Self::contains`] of the negation of `condition`, which is on several bytes.
    fn states_opposite(&self, pool: &mut Pool, condition: ExprId) -> bool {
        match pool.view(condition) {
            View::Unary(UnaryOp::Not, inner) => self.contains(pool, inner),
            View::Binary(BinaryOp::Or, a, b) => [a, b].into_iter().all(|either| {
                let negation = negation(pool, either);
                self.contains(pool, negation)
            }),
            _ => {
                let first = pool.support(condition).first().expect("several bytes");
                self.is_stated(pool.not(condition), first)
            }
        }
    }

    /// Whether each byte that `expr` depends on has one value left: so has `expr`.
    pub fn settles(&self, pool: &Pool, expr: ExprId) -> bool {
        pool.support(expr).iter().all(|var| self.domain(var).len() == 1)
    }

    /// The values that the constraints on `var` alone leave it.
    pub fn domain(&self, var: Var) -> ByteSet {
        self.slice_of(var).map_or(ByteSet::FULL, |slice| slice.domain(var))
    }

    /// The slice that `var` belongs to; none if nothing constrains it.
    pub fn slice_of(&self, var: Var) -> Option<&Rc<Slice>> {
        match self.slots.get(var)? {
            Slot::Slice(slice) => Some(slice),
            Slot::Member(leader) => match self.slots.get(*leader) {
                Some(Slot::Slice(slice)) => Some(slice),
                _ => unreachable!("a member's leader stands for a slice"),
            },
        }
    }

    /// The slices that share bytes with `expr`, each once.
    pub(crate) fn slices_about(&self, pool: &Pool, expr: ExprId) -> Vec<Rc<Slice>> {
        let mut slices: Vec<Rc<Slice>> = Vec::new();
        for slice in pool.support(expr).iter().filter_map(|var| self.slice_of(var)) {
            if !slices.iter().any(|seen| Rc::ptr_eq(seen, slice)) {
                slices.push(slice.clone());
            }
        }
        slices
    }

    /// How many constraints tie the bytes that `expr` depends on to one another and to further ones.
    pub fn n_about(&self, pool: &Pool, expr: ExprId) -> usize {
        self.slices_about(pool, expr).iter().map(|slice| slice.constraints().len()).sum()
    }

    /// All slices, by their leading byte.
    pub fn slices(&self) -> impl Iterator<Item = &Rc<Slice>> {
        self.slots.values().filter_map(|slot| match slot {
            Slot::Slice(slice) => Some(slice),
            Slot::Member(_) => None,
        })
    }

    /// False if the path said so already.
    fn add_conjunct(&mut self, pool: &mut Pool, constraint: ExprId) -> bool {
        assert_eq!(pool.width(constraint), 1, "a constraint is a truth value");
        let said_something = if let Some((var, set)) = true_set(pool, constraint) {
            self.narrow(var, &set)
        } else if pool.is_true(constraint) {
            false
        } else if pool.is_false(constraint) {
            !std::mem::replace(&mut self.contradiction, true)
        } else if self.was_learnt(constraint) || self.states_either(pool, constraint) {
            false
        } else {
            self.join(pool.support(constraint), constraint)
        };
        if said_something {
            let previous = self.newest.take();
            self.newest = Some(Rc::new(Link { constraint, previous }));
            self.len += 1;
        }
        said_something
    }

    /// Whether `condition` is that one of several parts holds, and the path says that of one.
    fn states_either(&self, pool: &mut Pool, condition: ExprId) -> bool {
        let Some((first, second)) = either(pool, condition) else { return false };
        let mut todo = vec![second, first];
        while let Some(part) = todo.pop() {
            match either(pool, part) {
                Some((first, second)) => todo.extend([second, first]),
                None if self.contains(pool, part) => return true,
                None => {}
            }
        }
        false
    }

    /// Leaves `var` only the values in `set`, without a constraint that says so; false if it had no others.
    pub(crate) fn narrow(&mut self, var: Var, set: &ByteSet) -> bool {
        let leader = match self.slots.get(var) {
            Some(Slot::Member(leader)) => *leader,
            _ => var,
        };
        let domain = self.domain(var);
        let narrowed = domain.intersect(set);
        if narrowed == domain {
            return false;
        }
        match self.slots.entry(leader) {
            Some(Slot::Slice(slice)) => {
                Rc::make_mut(slice).set_domain(var, narrowed);
                self.contradiction |= narrowed.is_empty();
            }
            slot => {
                *slot = Some(Slot::Slice(Rc::new(Slice::of_byte(var, *set))));
                self.contradiction |= set.is_empty();
            }
        }
        true
    }

    /// Ties `vars` together by `constraint`; false if it was already there.
    fn join(&mut self, vars: Support<'_>, constraint: ExprId) -> bool {
        let leaders = self.leaders(vars);
        let largest =
            leaders.iter().copied().max_by_key(|&leader| self.slice_led_by(leader).bytes().len());
        let leader = largest.expect("a constraint has bytes");
        if leaders.len() == 1
            && self.slice_led_by(leader).constraints().binary_search(&constraint).is_ok()
        {
            return false;
        }
        let others = leaders.iter().filter(|&&other| other != leader);
        let absorbed: Vec<Rc<Slice>> =
            others.map(|&other| self.slice_led_by(other).clone()).collect();
        for byte in absorbed.iter().flat_map(|slice| slice.bytes()) {
            *self.slots.entry(byte.var) = Some(Slot::Member(leader));
        }
        let slice = self.slice_mut(leader);
        slice.absorb(&absorbed);
        slice.insert(constraint);
        true
    }

    /// The leaders of the slices of `vars`, each once; a byte without a slice gets one.
    fn leaders(&mut self, vars: Support<'_>) -> Vec<Var> {
        let mut leaders = FxHashSet::default();
        let mut in_order = Vec::new();
        for var in vars.iter() {
            let leader = match self.slots.get(var) {
                Some(Slot::Member(leader)) => *leader,
                Some(Slot::Slice(_)) => var,
                None => {
                    *self.slots.entry(var) =
                        Some(Slot::Slice(Rc::new(Slice::of_byte(var, ByteSet::FULL))));
                    var
                }
            };
            if leaders.insert(leader) {
                in_order.push(leader);
            }
        }
        in_order
    }

    fn slice_led_by(&self, leader: Var) -> &Rc<Slice> {
        match self.slots.get(leader) {
            Some(Slot::Slice(slice)) => slice,
            _ => unreachable!("a leader stands for a slice"),
        }
    }

    fn slice_mut(&mut self, leader: Var) -> &mut Slice {
        match self.slots.entry(leader) {
            Some(Slot::Slice(slice)) => Rc::make_mut(slice),
            _ => unreachable!("a leader stands for a slice"),
        }
    }
}

/// Whether `holds` says so of each part of `condition`, all of which must hold for it to hold, in
/// order.
fn all_conjuncts(
    pool: &mut Pool,
    condition: ExprId,
    mut holds: impl FnMut(&mut Pool, ExprId) -> bool,
) -> bool {
    let mut todo = Vec::new();
    let mut next = Some(condition);
    while let Some(condition) = next {
        next = match both(pool, condition) {
            Some((first, second)) => {
                todo.push(second);
                Some(first)
            }
            None if holds(pool, condition) => todo.pop(),
            None => return false,
        };
    }
    true
}

/// Two conditions that together are `condition`.
fn both(pool: &mut Pool, condition: ExprId) -> Option<(ExprId, ExprId)> {
    match pool.view(condition) {
        View::Binary(BinaryOp::And, a, b) => Some((a, b)),
        View::Unary(UnaryOp::Not, inner) => match pool.view(inner) {
            View::Binary(BinaryOp::Or, a, b) => Some((negation(pool, a), negation(pool, b))),
            _ => None,
        },
        _ => None,
    }
}

/// Two conditions one of which has to hold for `condition` to hold.
fn either(pool: &mut Pool, condition: ExprId) -> Option<(ExprId, ExprId)> {
    match pool.view(condition) {
        View::Binary(BinaryOp::Or, a, b) => Some((a, b)),
        View::Unary(UnaryOp::Not, inner) => match pool.view(inner) {
            View::Binary(BinaryOp::And, a, b) => Some((negation(pool, a), negation(pool, b))),
            _ => None,
        },
        _ => None,
    }
}

fn negation(pool: &mut Pool, condition: ExprId) -> ExprId {
    match pool.view(condition) {
        View::Unary(UnaryOp::Not, inner) => inner,
        _ => pool.not(condition),
    }
}

impl Drop for Link {
    /// Long chains are taken down one by one, not by recursion.
    fn drop(&mut self) {
        let mut next = self.previous.take();
        while let Some(mut link) = next.and_then(Rc::into_inner) {
            next = link.previous.take();
        }
    }
}

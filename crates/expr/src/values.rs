//! Which values terms can have where constraints hold: never too few, sometimes too many.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::array::{Array, Arrays};
use crate::facts::{Facts, transfer};
use crate::node::{Kind, Node};
use crate::rewrites::read::Word;
use crate::{ArrayId, BinaryOp, ExprId, Pool, UnaryOp, Var, View, fold};

/// Values that are told apart; where there may be more, only bounds and bits are known.
const FEW: usize = 1024;

/// Combinations of two operands' values that are tried.
const MAX_PAIRS: usize = 1024;

/// Places of a table that are looked at.
const MAX_PLACES: u128 = 1 << 14;

/// Bounds so close together are a list.
const MAX_LISTED: u128 = 256;

/// What is said about so many terms is kept.
const MAX_NOTED: usize = 1 << 22;

/// What one constraint says about more terms is not looked at.
const MAX_IMPLIED: usize = 4096;

/// Into a condition it is looked so deep for what constraints say.
const MAX_DEPTH: u32 = 12;

/// The 256 values of a byte, those that it may have as ones.
pub type Domain = [u64; 4];

/// What is known of a term of at most 64 bits.
#[derive(Clone)]
struct Values {
    facts: Facts,
    /// All of them, ascending.
    few: Option<Rc<[u64]>>,
}

/// A span of values that may go over the largest one to the smallest.
#[derive(Clone, Copy)]
struct Span {
    first: u64,
    /// One less than how many there are.
    size: u64,
}

impl Span {
    /// From `first` to `last`, of terms `width` bits wide.
    fn new(width: u32, first: u64, last: u64) -> Self {
        Self { first, size: last.wrapping_sub(first) & ones(width) }
    }

    fn contains(self, width: u32, value: u64) -> bool {
        value.wrapping_sub(self.first) & ones(width) <= self.size
    }

    /// Both ends, if it does not go over the largest value.
    fn ends(self, width: u32) -> Option<(u64, u64)> {
        let last = self.first.checked_add(self.size)?;
        (last <= ones(width)).then_some((self.first, last))
    }
}

fn ones(width: u32) -> u64 {
    fold::mask(width) as u64
}

/// Why there is no answer.
enum Stop {
    /// A term has no value left: the constraints contradict each other.
    Contradiction,
    OutOfSteps,
}

/// What constraints say of terms, kept from one question to the next.
#[derive(Default)]
pub struct Notes {
    read: FxHashSet<ExprId>,
    /// By term; the constraint comes first.
    limits: FxHashMap<ExprId, Vec<(ExprId, Span)>>,
    n_limits: usize,
}

/// A question about values.
pub struct Exclusion<'a> {
    /// What is taken to hold, ascending.
    pub constraints: &'a [ExprId],
    /// What could hold as well.
    pub asked: ExprId,
    /// Values that a byte may have.
    pub domain: &'a dyn Fn(Var) -> Domain,
    pub steps: usize,
    /// Large conditions inside terms that no constraint mentions are taken to be open: most are.
    pub skips_conditions: bool,
}

/// What came of it.
pub enum Finding {
    /// It cannot hold, for this reason.
    Excluded(Reason),
    /// Nothing speaks against it.
    Open,
    OutOfSteps,
}

/// Constraints that exclude something, as long as these bytes have no values that they had not.
pub struct Reason {
    pub constraints: Vec<ExprId>,
    pub bytes: Vec<Var>,
}

struct Search<'a> {
    question: &'a Exclusion<'a>,
    notes: &'a Notes,
    /// Constraints that said something, and bytes of which the domain did.
    used: RefCell<FxHashSet<ExprId>>,
    used_bytes: FxHashSet<Var>,
    /// By what was asked.
    asked: FxHashMap<ExprId, Vec<Span>>,
    known: FxHashMap<ExprId, Values>,
    steps_left: Cell<usize>,
}

/// Something that a constraint says.
enum Said {
    Holds(ExprId, bool),
    Lies(ExprId, Span),
}

impl Pool {
    /// Whether it is evident that what is asked cannot hold where the constraints do and every byte
    /// is in its domain, and the steps that it took to see.
    pub fn excludes(&mut self, notes: &mut Notes, question: &Exclusion<'_>) -> (Finding, usize) {
        notes.read(self, question.constraints);
        let implied = implied(self, question.asked);
        let mut asked: FxHashMap<ExprId, Vec<Span>> = FxHashMap::default();
        for &(term, span) in &implied {
            asked.entry(term).or_default().push(span);
        }
        let mut search = Search {
            question,
            notes,
            used: RefCell::default(),
            used_bytes: FxHashSet::default(),
            asked,
            known: FxHashMap::default(),
            steps_left: Cell::new(question.steps),
        };
        let found = implied.iter().try_for_each(|&(term, _)| search.find(self, term));
        let taken = question.steps - search.steps_left.get();
        let finding = match found {
            Ok(()) => Finding::Open,
            Err(Stop::Contradiction) => Finding::Excluded(Reason {
                constraints: search.used.take().into_iter().collect(),
                bytes: search.used_bytes.into_iter().collect(),
            }),
            Err(Stop::OutOfSteps) => Finding::OutOfSteps,
        };
        (finding, taken)
    }
}

impl Notes {
    fn read(&mut self, pool: &Pool, constraints: &[ExprId]) {
        if self.n_limits > MAX_NOTED {
            *self = Self::default();
        }
        for &constraint in constraints {
            if self.read.insert(constraint) {
                for (term, span) in implied(pool, constraint) {
                    self.limits.entry(term).or_default().push((constraint, span));
                    self.n_limits += 1;
                }
            }
        }
    }
}

/// What `constraint` says about terms, the whole of it first.
fn implied(pool: &Pool, constraint: ExprId) -> Vec<(ExprId, Span)> {
    let mut implied = Vec::new();
    let mut seen = FxHashSet::default();
    let mut open = vec![Said::Holds(constraint, true)];
    while let Some(said) = open.pop()
        && implied.len() < MAX_IMPLIED
    {
        match said {
            Said::Holds(term, holds) if seen.insert((term, holds)) => {
                implied.push((term, Span { first: holds.into(), size: 0 }));
                implied_by_truth(pool, term, holds, &mut open);
            }
            Said::Holds(..) => {}
            Said::Lies(term, span) => {
                implied.push((term, span));
                implied_by_span(pool, term, span, &mut open);
            }
        }
    }
    implied
}

impl Search<'_> {
    /// Finds the values of `root` and of what it is built from.
    fn find(&mut self, pool: &mut Pool, root: ExprId) -> Result<(), Stop> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.known.contains_key(&term) {
                stack.pop();
                continue;
            }
            self.spend(1)?;
            let before = stack.len();
            let Some(values) = self.values(pool, term, &mut stack)? else {
                debug_assert!(stack.len() > before, "something is missing");
                continue;
            };
            let values = self.limit(pool, term, values)?;
            self.known.insert(term, values);
            stack.pop();
        }
        Ok(())
    }

    fn spend(&self, steps: usize) -> Result<(), Stop> {
        let left = self.steps_left.get();
        self.steps_left.set(left.saturating_sub(steps));
        if left < steps { Err(Stop::OutOfSteps) } else { Ok(()) }
    }

    /// The values of `term` by what it is; none after putting on the `stack` what is needed first.
    fn values(
        &mut self,
        pool: &mut Pool,
        term: ExprId,
        stack: &mut Vec<ExprId>,
    ) -> Result<Option<Values>, Stop> {
        let node = pool.nodes[term];
        let width = u32::from(node.width);
        if let Some(value) = pool.as_const(term) {
            return Ok(Some(Values::of(width, vec![value])));
        }
        if width > 64 {
            return Ok(Some(Values { facts: pool.facts(term), few: None }));
        }
        if let Some(var) = pool.support(term).only()
            && let Some(table) = pool.table_of(term)
        {
            self.used_bytes.insert(var);
            let domain = (self.question.domain)(var);
            let bytes = (0..=255u8).filter(|&byte| contains(&domain, byte));
            return Ok(Some(Values::of(width, bytes.map(|byte| table.get(byte)).collect())));
        }
        let before = stack.len();
        let values = match node.kind {
            Kind::Ite => self.ite(pool, width, &node, stack),
            Kind::Concat => match pool.word_of(node.arg(0), node.arg(1)) {
                Some((word, tail)) => self.word(pool, width, &word, tail, stack)?,
                None => self.apply(pool, &node, stack)?,
            },
            Kind::Read => {
                let word = Word { table: ArrayId(node.args[0]), index: node.arg(1), n_bytes: 1 };
                self.word(pool, width, &word, None, stack)?
            }
            _ => self.apply(pool, &node, stack)?,
        };
        if stack.len() > before {
            return Ok(None);
        }
        let known = pool.facts(term);
        Ok(Some(values.unwrap_or(Values { facts: known, few: None }).meet(width, known)))
    }

    fn ite(&self, pool: &Pool, width: u32, node: &Node, stack: &mut Vec<ExprId>) -> Option<Values> {
        let condition = node.arg(0);
        let holds = if self.question.skips_conditions && pool.tree_size(condition) == u8::MAX {
            self.glimpse(pool, condition, MAX_DEPTH)
        } else {
            self.get(condition, stack)?.single().map(|value| value != 0)
        };
        match holds {
            Some(false) => self.get(node.arg(2), stack).cloned(),
            Some(true) => self.get(node.arg(1), stack).cloned(),
            None => {
                let (then, otherwise) =
                    (self.get(node.arg(1), stack), self.get(node.arg(2), stack));
                let (then, otherwise) = (then?, otherwise?);
                Some(then.join(width, otherwise))
            }
        }
    }

    /// Where constraints, or what was asked, say that the value of `term` lies.
    fn spans(&self, term: ExprId) -> impl Iterator<Item = Span> {
        let constraints = self.question.constraints;
        let noted = self.notes.limits.get(&term).map_or(&[][..], Vec::as_slice);
        self.steps_left.set(self.steps_left.get().saturating_sub(1 + noted.len() / 4));
        let said = noted.iter().filter(move |(constraint, _)| {
            let is_said = constraints.binary_search(constraint).is_ok();
            if is_said {
                self.used.borrow_mut().insert(*constraint);
            }
            is_said
        });
        let asked = self.asked.get(&term).into_iter().flatten();
        said.map(|&(_, span)| span).chain(asked.copied())
    }

    /// Whether constraints say at once that `condition` holds, or that it does not.
    fn glimpse(&self, pool: &Pool, condition: ExprId, depth: u32) -> Option<bool> {
        if let Some(span) = self.spans(condition).find(|span| span.size == 0) {
            return Some(span.first != 0);
        }
        let part = |part| self.glimpse(pool, part, depth.checked_sub(1)?);
        match pool.view(condition) {
            View::Unary(UnaryOp::Not, of) => part(of).map(|holds| !holds),
            View::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let decisive = op == BinaryOp::Or;
                let parts = [part(a), part(b)];
                if parts.contains(&Some(decisive)) {
                    return Some(decisive);
                }
                (parts == [Some(!decisive); 2]).then_some(!decisive)
            }
            _ => None,
        }
    }

    /// What is known of `term`, which goes on the `stack` if nothing is.
    fn get(&self, term: ExprId, stack: &mut Vec<ExprId>) -> Option<&Values> {
        let known = self.known.get(&term);
        if known.is_none() {
            stack.push(term);
        }
        known
    }

    /// A number in a table, before the constant bits of `tail`.
    fn word(
        &mut self,
        pool: &Pool,
        width: u32,
        word: &Word,
        tail: Option<ExprId>,
        stack: &mut Vec<ExprId>,
    ) -> Result<Option<Values>, Stop> {
        let Array::Table(bytes) = pool.arrays.get(word.table) else { return Ok(None) };
        let Some(index) = self.get(word.index, stack).cloned() else { return Ok(None) };
        let value = |at| Arrays::table_word(bytes, at, word.n_bytes);
        let values = match &index.few {
            Some(few) => few.iter().map(|&at| value(at)).collect(),
            None => {
                let Some(places) = index.facts.admitted(MAX_PLACES) else { return Ok(None) };
                let values: Vec<u64> = places.map(|at| value(at as u64)).collect();
                self.spend(values.len())?;
                values
            }
        };
        let word_width = 8 * word.n_bytes;
        let number = Values::of(word_width, values);
        Ok(Some(match tail {
            None => number,
            Some(tail) => {
                let tail_width = pool.width(tail);
                let facts = transfer::concat(number.facts, pool.facts(tail), tail_width, width);
                let tail = pool.as_const(tail);
                let few = number
                    .few
                    .zip(tail)
                    .map(|(few, tail)| few.iter().map(|&high| high << tail_width | tail).collect());
                Values { facts, few }
            }
        }))
    }

    /// The operator on the operands' values.
    fn apply(
        &mut self,
        pool: &Pool,
        node: &Node,
        stack: &mut Vec<ExprId>,
    ) -> Result<Option<Values>, Stop> {
        let width = u32::from(node.width);
        let from = node.operands().next().map_or(width, |operand| pool.width(operand));
        if let Kind::Float(_) = node.kind {
            return Ok(None);
        }
        let mut operands = node.operands().map(|operand| self.get(operand, stack).cloned());
        let (first, second) = (operands.next().flatten(), operands.next().flatten());
        drop(operands);
        let Some(first) = first else { return Ok(None) };
        let one = |values: &Values, of: &dyn Fn(u128) -> u128, facts: Facts| {
            let few = values.few.as_ref();
            match few {
                Some(few) => Values::of(width, few.iter().map(|&v| of(v.into()) as u64).collect()),
                None => Values { facts, few: None },
            }
        };
        let low = u32::from(node.low);
        Ok(Some(match node.kind {
            Kind::Unary(op) => {
                let facts = transfer::unary(op, width, first.facts);
                one(&first, &|v| fold::unary(op, width, v), facts)
            }
            Kind::Extract => {
                let facts = transfer::extract(first.facts, low, width);
                one(&first, &|v| fold::extract(v, low, width), facts)
            }
            Kind::ZExt => one(&first, &|v| v, transfer::zext(first.facts, from, width)),
            Kind::SExt => {
                let facts = transfer::sext(first.facts, from, width);
                one(&first, &|v| fold::sext(v, from, width), facts)
            }
            Kind::Binary(op) => {
                let Some(second) = second else { return Ok(None) };
                let pairs =
                    self.pairs(width, &first, &second, &|a, b| fold::binary(op, from, a, b))?;
                pairs.unwrap_or_else(|| Values {
                    facts: compare(op, from, first.facts, second.facts),
                    few: None,
                })
            }
            Kind::Concat => {
                let Some(second) = second else { return Ok(None) };
                let low_width = pool.width(node.arg(1));
                let pairs = self.pairs(width, &first, &second, &|high, low| {
                    fold::concat(high, low, low_width)
                })?;
                pairs.unwrap_or_else(|| Values {
                    facts: transfer::concat(first.facts, second.facts, low_width, width),
                    few: None,
                })
            }
            _ => return Ok(None),
        }))
    }

    fn pairs(
        &mut self,
        width: u32,
        a: &Values,
        b: &Values,
        of: &dyn Fn(u128, u128) -> u128,
    ) -> Result<Option<Values>, Stop> {
        let (Some(a), Some(b)) = (&a.few, &b.few) else { return Ok(None) };
        if a.len() * b.len() > MAX_PAIRS {
            return Ok(None);
        }
        self.spend(a.len() * b.len())?;
        let values = a.iter().flat_map(|&a| b.iter().map(move |&b| of(a.into(), b.into()) as u64));
        Ok(Some(Values::of(width, values.collect())))
    }

    /// What the constraints leave of `values`.
    fn limit(&self, pool: &Pool, term: ExprId, values: Values) -> Result<Values, Stop> {
        let width = pool.width(term);
        if width > 64 {
            return Ok(values);
        }
        self.spend(values.few.as_ref().map_or(0, |few| few.len()))?;
        let spans: Vec<Span> = self.spans(term).collect();
        let mut facts = values.facts;
        for (min, max) in spans.iter().filter_map(|span| span.ends(width)) {
            facts.min = facts.min.max(min.into());
            facts.max = facts.max.min(max.into());
        }
        let facts = facts.sharpen(width);
        if facts.min > facts.max {
            return Err(Stop::Contradiction);
        }
        if spans.is_empty() && values.few.is_some() {
            return Ok(values);
        }
        let admits = |&value: &u64| {
            facts.admits(value.into()) && spans.iter().all(|span| span.contains(width, value))
        };
        let few: Vec<u64> = match &values.few {
            Some(few) => few.iter().copied().filter(admits).collect(),
            None => match facts.admitted(MAX_LISTED) {
                Some(all) => all.map(|value| value as u64).filter(admits).collect(),
                None => return Ok(Values { facts, few: None }),
            },
        };
        if few.is_empty() { Err(Stop::Contradiction) } else { Ok(Values::of(width, few)) }
    }
}

impl Values {
    fn of(width: u32, mut values: Vec<u64>) -> Self {
        if values.len() > 1 {
            values.sort_unstable();
            values.dedup();
        }
        let each = values.iter().map(|&value| Facts::constant(width, value.into()));
        let facts = each.reduce(Facts::join).unwrap_or(Facts::unknown(width));
        let few = (values.len() <= FEW).then(|| values.into());
        Self { facts, few }
    }

    fn single(&self) -> Option<u128> {
        self.facts.value()
    }

    /// What holds of the one or of the other.
    fn join(&self, width: u32, other: &Self) -> Self {
        match (&self.few, &other.few) {
            (Some(a), Some(b)) => Self::of(width, a.iter().chain(b.iter()).copied().collect()),
            _ => Self { facts: self.facts.join(other.facts), few: None },
        }
    }

    fn meet(self, width: u32, facts: Facts) -> Self {
        let facts = self.facts.meet(facts);
        // Where they contradict each other, the term is in no case: the limits will show it.
        let facts = if facts.min > facts.max { self.facts } else { facts.sharpen(width) };
        Self { facts, ..self }
    }
}

fn contains(domain: &Domain, byte: u8) -> bool {
    domain[usize::from(byte) / 64] >> (byte % 64) & 1 == 1
}

/// What is known of the operator's result; of comparisons also whether they must hold.
fn compare(op: BinaryOp, width: u32, a: Facts, b: Facts) -> Facts {
    let holds = match op {
        BinaryOp::Eq if a.disjoint(&b) => Some(false),
        BinaryOp::Ult if a.max < b.min => Some(true),
        BinaryOp::Ult if a.min >= b.max => Some(false),
        BinaryOp::Ule if a.max <= b.min => Some(true),
        BinaryOp::Ule if a.min > b.max => Some(false),
        _ => None,
    };
    match holds {
        Some(holds) => Facts::constant(1, holds.into()),
        None => transfer::binary(op, width, a, b),
    }
}

/// What follows from `term`, one bit wide, being true or not.
fn implied_by_truth(pool: &Pool, term: ExprId, holds: bool, open: &mut Vec<Said>) {
    match (pool.view(term), holds) {
        (View::Unary(UnaryOp::Not, of), _) => open.push(Said::Holds(of, !holds)),
        (View::Binary(BinaryOp::And, a, b), true) | (View::Binary(BinaryOp::Or, a, b), false) => {
            open.extend([a, b].map(|part| Said::Holds(part, holds)));
        }
        (View::Binary(op, a, b), _) if pool.width(a) <= 64 => {
            let width = pool.width(a);
            if let Some(value) = pool.as_const(b) {
                open.extend(side(op, width, value, holds, true).map(|span| Said::Lies(a, span)));
            } else if let Some(value) = pool.as_const(a) {
                open.extend(side(op, width, value, holds, false).map(|span| Said::Lies(b, span)));
            }
        }
        _ => {}
    }
}

/// The values of the other operand of a comparison with a constant; `is_left` if that is the first.
fn side(op: BinaryOp, width: u32, value: u64, holds: bool, is_left: bool) -> Option<Span> {
    let (least, most) = match op {
        BinaryOp::Slt | BinaryOp::Sle => (1 << (width - 1), ones(width) >> 1),
        _ => (0, ones(width)),
    };
    let (before, after) =
        (value.wrapping_sub(1) & ones(width), value.wrapping_add(1) & ones(width));
    let below = (value != least).then(|| Span::new(width, least, before));
    let above = (value != most).then(|| Span::new(width, after, most));
    let up_to = Some(Span::new(width, least, value));
    let from = Some(Span::new(width, value, most));
    match (op, holds, is_left) {
        (BinaryOp::Eq, true, _) => Some(Span { first: value, size: 0 }),
        (BinaryOp::Eq, false, _) if width == 1 => Some(Span { first: value ^ 1, size: 0 }),
        (BinaryOp::Eq, false, _) => Some(Span::new(width, after, before)),
        (BinaryOp::Ult | BinaryOp::Slt, true, true) => below,
        (BinaryOp::Ult | BinaryOp::Slt, false, true) => from,
        (BinaryOp::Ult | BinaryOp::Slt, true, false) => above,
        (BinaryOp::Ult | BinaryOp::Slt, false, false) => up_to,
        (BinaryOp::Ule | BinaryOp::Sle, true, true) => up_to,
        (BinaryOp::Ule | BinaryOp::Sle, false, true) => above,
        (BinaryOp::Ule | BinaryOp::Sle, true, false) => from,
        (BinaryOp::Ule | BinaryOp::Sle, false, false) => below,
        _ => None,
    }
}

/// What follows from the value of `term` lying in `span`.
fn implied_by_span(pool: &Pool, term: ExprId, span: Span, open: &mut Vec<Said>) {
    let width = pool.width(term);
    match pool.view(term) {
        View::Binary(BinaryOp::Add, a, b) => {
            let (of, distance) = match (pool.as_const(a), pool.as_const(b)) {
                (_, Some(distance)) => (a, distance),
                (Some(distance), _) => (b, distance),
                _ => return,
            };
            let first = span.first.wrapping_sub(distance) & ones(width);
            open.push(Said::Lies(of, Span { first, ..span }));
        }
        View::ZExt { of, .. } => {
            let most = ones(pool.width(of));
            if let Some((first, last)) = span.ends(width)
                && first <= most
            {
                open.push(Said::Lies(of, Span::new(width, first, last.min(most))));
            }
        }
        View::Concat(high, low) => {
            let shift = pool.width(low);
            if let Some((first, last)) = span.ends(width) {
                open.push(Said::Lies(high, Span::new(width, first >> shift, last >> shift)));
            }
        }
        View::Ite(condition, then, otherwise) => {
            let outside = |arm| pool.as_const(arm).is_some_and(|arm| !span.contains(width, arm));
            let (holds, arm) = match (outside(then), outside(otherwise)) {
                (true, false) => (false, otherwise),
                (false, true) => (true, then),
                _ => return,
            };
            open.extend([Said::Holds(condition, holds), Said::Lies(arm, span)]);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(pool: &mut Pool, count: u32) -> Vec<ExprId> {
        let input = pool.input("x", count);
        (0..count).map(|n| pool.byte(input, n)).collect()
    }

    fn word(pool: &mut Pool, bytes: &[ExprId]) -> ExprId {
        let mut word = bytes[0];
        for &byte in &bytes[1..] {
            word = pool.concat(word, byte);
        }
        word
    }

    fn is_excluded(pool: &mut Pool, mut constraints: Vec<ExprId>, asked: ExprId) -> bool {
        constraints.sort_unstable();
        [true, false].into_iter().any(|skips_conditions| {
            let domain = |_| [u64::MAX; 4];
            let constraints = &constraints;
            let question =
                Exclusion { constraints, asked, domain: &domain, steps: 1 << 20, skips_conditions };
            matches!(pool.excludes(&mut Notes::default(), &question), (Finding::Excluded(_), _))
        })
    }

    /// A condition about which a constraint says that it is true or false is open.
    #[test]
    fn a_span_of_both_truths_says_nothing() {
        let mut pool = Pool::new();
        let bytes = bytes(&mut pool, 44);
        let mut hash = pool.constant(32, 5381);
        for &byte in &bytes[4..] {
            let (factor, wide) = (pool.constant(32, 33), pool.zext(byte, 32));
            let shifted = pool.mul(hash, factor);
            let noise = pool.xor(shifted, wide);
            hash = pool.add(noise, wide);
        }
        let limit = pool.constant(32, 1 << 30);
        let condition = pool.ult(hash, limit);
        assert_eq!(pool.tree_size(condition), u8::MAX);
        let low = pool.extract(bytes[0], 0, 7);
        let (joined, most) = (pool.concat(condition, low), pool.constant(8, 200));
        let constraint = pool.ult(joined, most);
        let (large, small) = (pool.concat(bytes[1], bytes[2]), pool.zext(bytes[3], 16));
        let (value, least) = (pool.ite(condition, large, small), pool.constant(16, 300));
        let asked = pool.ult(least, value);
        assert!(!is_excluded(&mut pool, vec![constraint], asked));
        let not = pool.not(condition);
        assert!(is_excluded(&mut pool, vec![constraint, not], asked));
    }

    /// Bits that bounds imply may leave no value between the bounds.
    #[test]
    fn bounds_that_meet_in_no_value() {
        let mut pool = Pool::new();
        let bytes = bytes(&mut pool, 14);
        let (a, b, z) = (
            word(&mut pool, &bytes[..4]),
            word(&mut pool, &bytes[4..8]),
            word(&mut pool, &bytes[8..12]),
        );
        let (product, mask) = (pool.mul(a, b), pool.constant(32, 0xffff_efff));
        let (masked, one) = (pool.and(product, mask), pool.constant(32, 1));
        let x = pool.or(masked, one);
        let ordered = pool.ult(bytes[12], bytes[13]);
        let chosen = pool.ite(ordered, x, z);
        let [least, most, below] = [0x27ff, 0x3401, 0x2801].map(|value| pool.constant(32, value));
        let constraints = vec![ordered, pool.ult(least, x), pool.ult(x, most)];
        let asked = pool.ult(chosen, below);
        assert!(is_excluded(&mut pool, constraints, asked));
    }
}

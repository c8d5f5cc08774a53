//! The exact slice cache: a slice asked before has the answer it had.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::answer::Answer;
use crate::layer::{Context, Decision, Layer, Query};
use crate::slice::Slice;
use crate::stats::LayerKind;

/// Remembers decided slices; failures are asked again.
///
/// Two generations: when the young one is full it replaces the old one.
pub(crate) struct Cache {
    young: FxHashMap<Rc<Slice>, Answer>,
    old: FxHashMap<Rc<Slice>, Answer>,
    capacity: usize,
    below: Box<dyn Layer>,
}

impl Cache {
    pub fn new(capacity: usize, below: Box<dyn Layer>) -> Self {
        Self { young: FxHashMap::default(), old: FxHashMap::default(), capacity, below }
    }

    fn get(&mut self, slice: &Rc<Slice>) -> Option<Answer> {
        if let Some(answer) = self.young.get(slice) {
            return Some(answer.clone());
        }
        let (slice, answer) = self.old.remove_entry(slice)?;
        self.put(slice, answer.clone());
        Some(answer)
    }

    fn put(&mut self, slice: Rc<Slice>, answer: Answer) {
        if self.young.len() >= self.capacity {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(slice, answer);
    }
}

impl Layer for Cache {
    fn decide(&mut self, context: &mut Context<'_>, query: &Query<'_>) -> Decision {
        if query.slice.is_unconstrained() {
            return self.below.decide(context, query);
        }
        context.stats[LayerKind::Cache].asked += 1;
        if let Some(answer) = self.get(query.slice) {
            context.stats[LayerKind::Cache].answered += 1;
            return Ok(Some(answer));
        }
        let decision = self.below.decide(context, query)?;
        if let Some(answer) = &decision {
            self.put(query.slice.clone(), answer.clone());
        }
        Ok(decision)
    }
}

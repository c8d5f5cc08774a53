//! Objects by their first window: a persistent map whose copies share what they have not changed.

use std::rc::Rc;

use fathom_ir::layout::INDEX_BITS;

use super::Object;

/// A write to a shared copy copies one node of each level: small nodes make small copies.
const LEVEL_BITS: u32 = 4;
const FAN: usize = 1 << LEVEL_BITS;
const _: () = assert!(6 * LEVEL_BITS == INDEX_BITS);

type Level<T> = [Option<Rc<T>>; FAN];
type Leaf = Level<Object>;
type Twig = Level<Level<Leaf>>;
type Root = Level<Level<Level<Twig>>>;

const fn digit(window: u32, level: u32) -> usize {
    (window >> (LEVEL_BITS * level)) as usize % FAN
}

/// The part of `level` that `digit` leads to, unshared; made if absent.
fn enter<T: Clone>(level: &mut Level<Level<T>>, digit: usize) -> &mut Level<T> {
    Rc::make_mut(level[digit].get_or_insert_with(|| Rc::new([const { None }; FAN])))
}

#[derive(Clone)]
pub(crate) struct Store {
    root: Rc<Root>,
}

impl Default for Store {
    fn default() -> Self {
        Self { root: Rc::new([const { None }; FAN]) }
    }
}

impl Store {
    pub fn get(&self, window: u32) -> Option<&Object> {
        self.leaf(window)?[digit(window, 0)].as_deref()
    }

    fn slot(&mut self, window: u32) -> &mut Option<Rc<Object>> {
        let branch = enter(Rc::make_mut(&mut self.root), digit(window, 5));
        let twig = enter(enter(branch, digit(window, 4)), digit(window, 3));
        let leaf = enter(enter(twig, digit(window, 2)), digit(window, 1));
        &mut leaf[digit(window, 0)]
    }

    /// The object for writing: its own copy if it was shared.
    pub fn get_mut(&mut self, window: u32) -> Option<&mut Object> {
        self.get(window)?;
        self.slot(window).as_mut().map(Rc::make_mut)
    }

    pub fn insert(&mut self, window: u32, object: Object) {
        *self.slot(window) = Some(Rc::new(object));
    }

    pub fn remove(&mut self, window: u32) {
        *self.slot(window) = None;
    }

    /// The last object at or below `window`, within `reach` windows of it.
    pub fn below(&self, window: u32, reach: u32) -> Option<(u32, &Object)> {
        let mut candidate = window;
        for _ in 0..=reach {
            if let Some(object) = self.get(candidate) {
                return Some((candidate, object));
            }
            // Skip a leaf that does not exist.
            let skip = match self.leaf(candidate) {
                Some(_) => 1,
                None => digit(candidate, 0) as u32 + 1,
            };
            candidate = candidate.checked_sub(skip)?;
            if window - candidate > reach {
                return None;
            }
        }
        None
    }

    fn leaf(&self, window: u32) -> Option<&Leaf> {
        let branch = self.root[digit(window, 5)].as_ref()?;
        let twig = branch[digit(window, 4)].as_ref()?[digit(window, 3)].as_ref()?;
        twig[digit(window, 2)].as_ref()?[digit(window, 1)].as_deref()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Object> {
        let branches = self.root.iter().flatten().flat_map(|level| level.iter().flatten());
        let twigs = branches.flat_map(|level| level.iter().flatten());
        let leaves = twigs.flat_map(|twig| twig.iter().flatten().flat_map(|l| l.iter().flatten()));
        leaves.flat_map(|leaf| leaf.iter().flatten().map(|object| &**object))
    }
}

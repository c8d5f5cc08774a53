//! What constructors were called with lately, and what came of it.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use crate::ExprId;
use crate::node::Node;

/// A table with one place for each hash: what comes later takes the place of what was there. The
/// same terms are built again on path after path, and finding one here costs far less than trying
/// all rewrites.
#[derive(Default)]
pub(crate) struct Built {
    places: Vec<Option<(Node, ExprId)>>,
}

const PLACES: usize = 1 << 15;

impl Built {
    pub fn get(&self, node: &Node) -> Option<ExprId> {
        let (found, id) = self.places.get(place(node))?.as_ref()?;
        (found == node).then_some(*id)
    }

    pub fn insert(&mut self, node: Node, id: ExprId) {
        if self.places.is_empty() {
            self.places = vec![None; PLACES];
        }
        self.places[place(&node)] = Some((node, id));
    }
}

/// The high bits of the hash are its best ones.
fn place(node: &Node) -> usize {
    (FxBuildHasher.hash_one(node) >> 32) as usize % PLACES
}

//! The nodes of the file tree: a vector that clones in constant time and shares what is unchanged.

use std::rc::Rc;

use crate::overlay::{Node, NodeId};

const CHUNK: usize = 32;

/// All nodes, by id. After a clone, changing one copies it, its chunk and the list of chunks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Nodes {
    chunks: Rc<Vec<Chunk>>,
    length: usize,
}

type Chunk = Rc<Vec<Rc<Node>>>;

impl Nodes {
    pub fn push(&mut self, node: Node) -> NodeId {
        let chunks = Rc::make_mut(&mut self.chunks);
        if self.length.is_multiple_of(CHUNK) {
            chunks.push(Rc::new(Vec::with_capacity(CHUNK)));
        }
        let chunk = chunks.last_mut().expect("the last one has room");
        Rc::make_mut(chunk).push(Rc::new(node));
        self.length += 1;
        NodeId(self.length as u32 - 1)
    }

    pub fn get(&self, NodeId(id): NodeId) -> &Node {
        &self.chunks[id as usize / CHUNK][id as usize % CHUNK]
    }

    pub fn get_mut(&mut self, NodeId(id): NodeId) -> &mut Node {
        let chunk = &mut Rc::make_mut(&mut self.chunks)[id as usize / CHUNK];
        Rc::make_mut(&mut Rc::make_mut(chunk)[id as usize % CHUNK])
    }

    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.length as u32).map(NodeId)
    }
}

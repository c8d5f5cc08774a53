//! Reading `tree.bin`, also one that is still being written or was cut short.

use std::path::Path;

use super::TreeEnd;
use super::log::{Log, Record};
use super::numbers::Numbers;
use crate::{Frame, Result};

/// The execution tree of a run.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Node 0 is the start of the program; a node comes after its parent.
    pub nodes: Vec<Node>,
    pub sites: Vec<Frame>,
    pub n_forks: u64,
    /// There are more forks in the file than were asked for.
    pub cut: bool,
    /// Bytes at the end that are not a whole record: what a killed run was about to write.
    pub torn: u64,
}

/// A point at which paths part, or where one ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Itself for the first.
    pub parent: u32,
    pub what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The program starts, once for each number of arguments.
    Start,
    /// Two paths part at this one of the sites.
    Fork(u32),
    /// A path goes on where a bug does not happen.
    Check,
    /// A path ended, with this test case (0 for none).
    End(TreeEnd, u32),
    /// A path was never finished.
    Open,
}

impl Tree {
    /// Reads the tree of at most `max_forks` forks.
    pub fn read(path: &Path, max_forks: u64) -> Result<Tree> {
        let mut log = Log::open(path)?;
        let mut builder = Builder::new();
        while let Some(record) = log.next()? {
            if builder.tree.n_forks >= max_forks {
                builder.tree.cut = true;
                return Ok(builder.tree);
            }
            builder.add(record).ok_or_else(|| log.unknown())?;
        }
        builder.tree.torn = log.torn();
        Ok(builder.tree)
    }
}

struct Builder {
    tree: Tree,
    texts: Vec<String>,
    /// The leaf at which each state stands that was heard of: of many start states, few may be.
    at: Numbers,
}

impl Builder {
    fn new() -> Self {
        let root = Node { parent: 0, what: What::Start };
        let tree = Tree { nodes: vec![root], ..Tree::default() };
        Self { tree, texts: Vec::new(), at: Numbers::default() }
    }

    /// `None` where the record speaks of something that is not there.
    fn add(&mut self, record: Record) -> Option<()> {
        match record {
            Record::Text(text) => self.texts.push(text),
            Record::Site { function, file, line } => {
                let text = |number: u32| self.texts.get(number as usize).cloned();
                let site = Frame { function: text(function)?, file: text(file)?, line };
                self.tree.sites.push(site);
            }
            Record::Fork { parent, child, site } => {
                self.tree.sites.get(site as usize)?;
                self.tree.n_forks += 1;
                let node = self.part(parent, What::Fork(site));
                *self.at.entry(child) = self.tree.nodes.len() as u32;
                self.tree.nodes.push(Node { parent: node, what: What::Open });
            }
            Record::Bug { state, test } => {
                let parent = self.part(state, What::Check);
                let what = What::End(TreeEnd::Bug, u32::try_from(test).ok()?);
                self.tree.nodes.push(Node { parent, what });
            }
            Record::End { state, how, test } => {
                let node = self.node(state);
                self.tree.nodes[node as usize].what = What::End(how, u32::try_from(test).ok()?);
            }
        }
        Some(())
    }

    /// The leaf of a state; one never heard of starts at the root.
    fn node(&mut self, state: u32) -> u32 {
        let (node, nodes) = (self.at.entry(state), &mut self.tree.nodes);
        if *node == 0 {
            *node = nodes.len() as u32;
            nodes.push(Node { parent: 0, what: What::Open });
        }
        *node
    }

    /// Makes the leaf of `state` an inner node, and lets the state go on below it.
    fn part(&mut self, state: u32, what: What) -> u32 {
        let node = self.node(state);
        self.tree.nodes[node as usize].what = what;
        *self.at.entry(state) = self.tree.nodes.len() as u32;
        self.tree.nodes.push(Node { parent: node, what: What::Open });
        node
    }
}

//! The execution tree made small enough to be drawn.
//!
//! Forks at one place that follow one another on a path, as those of a loop, become one block.
//! Leaves of one kind below the same block become one. Of the blocks, those with the most paths
//! below them are kept; what is below the others is only counted.

use std::collections::{BTreeMap, BinaryHeap};

use serde_json::{Value, json};

use crate::{Tree, TreeEnd, What};

/// How many blocks are drawn.
const MAX_BLOCKS: usize = 1500;
/// Kinds of leaves: the ends of paths, and paths that came to none, in place of impossible ones.
const N_KINDS: usize = TreeEnd::ALL.len();
const OPEN: usize = TreeEnd::Impossible as usize;

type Leaves = [u32; N_KINDS];

/// The blocks that are drawn, parents before children. The first is the start of the program.
pub struct Shape {
    pub blocks: Vec<Block>,
    /// Leaves of the whole tree by kind.
    pub leaves: Leaves,
    /// Forks by site, most first.
    pub sites: Vec<(u32, u64)>,
}

/// Where paths part.
pub struct Block {
    /// Itself for the first.
    pub parent: usize,
    /// `None` for the start, and for checks at which a bug was found.
    pub site: Option<u32>,
    pub n_forks: u64,
    /// Leaves right below it: kind, how many, and the test case of the first.
    pub ends: Vec<(usize, u64, u32)>,
    /// Leaves below blocks that are not drawn.
    pub hidden: Leaves,
}

impl Shape {
    pub fn of(tree: &Tree) -> Shape {
        let merged = Merged::of(tree);
        let mut n_forks = vec![0; tree.sites.len()];
        for node in &tree.nodes {
            if let What::Fork(site) = node.what {
                n_forks[site as usize] += 1;
            }
        }
        let mut sites: Vec<(u32, u64)> = (0..).zip(n_forks).filter(|&(_, n)| n > 0).collect();
        sites.sort_by_key(|&(site, forks)| (std::cmp::Reverse(forks), site));
        let leaves = merged.leaves.first().copied().unwrap_or_default();
        Shape { blocks: merged.draw(tree), leaves, sites }
    }

    /// For the script: `[parent, site, forks, [[kind, count, test]…], [count by kind]]`.
    pub fn to_json(&self) -> Value {
        let rows = self.blocks.iter().map(|block| {
            let site = block.site.map_or(-1, i64::from);
            let hidden: &[u32] =
                if block.hidden.iter().any(|&n| n > 0) { &block.hidden } else { &[] };
            json!([block.parent, site, block.n_forks, block.ends, hidden])
        });
        rows.collect()
    }
}

/// For every node the first of the chain that it is part of, and the leaves below it by kind.
struct Merged {
    head: Vec<u32>,
    leaves: Vec<Leaves>,
    /// The first of a chain, and an inner node below it that starts another; sorted.
    below: Vec<(u32, u32)>,
}

impl Merged {
    fn of(tree: &Tree) -> Merged {
        let n_nodes = tree.nodes.len();
        let mut head: Vec<u32> = (0..n_nodes as u32).collect();
        let mut below = Vec::new();
        for (at, node) in tree.nodes.iter().enumerate().skip(1) {
            let parent = node.parent as usize;
            let is_inner = matches!(node.what, What::Fork(_) | What::Check);
            if is_inner && node.what == tree.nodes[parent].what {
                head[at] = head[parent];
            } else if is_inner {
                below.push((head[parent], at as u32));
            }
        }
        below.sort_unstable();
        let mut leaves = vec![[0; N_KINDS]; n_nodes];
        for at in (1..n_nodes).rev() {
            if let Some((kind, _)) = leaf(tree.nodes[at].what) {
                leaves[at][kind] += 1;
            }
            let mine = leaves[at];
            let above = &mut leaves[tree.nodes[at].parent as usize];
            above.iter_mut().zip(mine).for_each(|(sum, n)| *sum += n);
        }
        Merged { head, leaves, below }
    }

    /// The blocks with the most paths below, and bugs before all others.
    fn draw(&self, tree: &Tree) -> Vec<Block> {
        let weight = |node: u32| {
            let leaves = &self.leaves[node as usize];
            let has_bug = leaves[TreeEnd::Bug as usize] > 0;
            (has_bug, leaves.iter().sum::<u32>(), std::cmp::Reverse(node))
        };
        let mut queue = BinaryHeap::new();
        if !tree.nodes.is_empty() {
            queue.push((weight(0), 0, 0));
        }
        let mut blocks: Vec<Block> = Vec::new();
        let mut drawn = vec![None; tree.nodes.len()];
        while let Some((_, node, parent)) = queue.pop() {
            if blocks.len() == MAX_BLOCKS {
                let hidden = &mut blocks[parent].hidden;
                let leaves = self.leaves[node as usize];
                hidden.iter_mut().zip(leaves).for_each(|(sum, n)| *sum += n);
                continue;
            }
            let number = blocks.len();
            drawn[node as usize] = Some(number as u32);
            let site = match tree.nodes[node as usize].what {
                What::Fork(site) => Some(site),
                _ => None,
            };
            blocks.push(Block { parent, site, n_forks: 0, ends: Vec::new(), hidden: [0; N_KINDS] });
            let first = self.below.partition_point(|&(head, _)| head < node);
            let below = self.below[first..].iter().take_while(|&&(head, _)| head == node);
            for &(_, child) in below {
                queue.push((weight(child), child, number));
            }
        }
        self.fill(tree, &drawn, &mut blocks);
        blocks
    }

    /// Counts the forks of each block and the leaves right below it.
    fn fill(&self, tree: &Tree, drawn: &[Option<u32>], blocks: &mut [Block]) {
        let mut ends: Vec<BTreeMap<usize, (u64, u32)>> = vec![BTreeMap::new(); blocks.len()];
        for (at, node) in tree.nodes.iter().enumerate() {
            if let Some(block) = drawn[self.head[at] as usize]
                && matches!(node.what, What::Fork(_))
            {
                blocks[block as usize].n_forks += 1;
            }
            if let Some((kind, test)) = leaf(node.what)
                && let Some(block) = drawn[self.head[node.parent as usize] as usize]
            {
                let (n, first) = ends[block as usize].entry(kind).or_insert((0, test));
                *n += 1;
                *first = if *first == 0 { test } else { *first };
            }
        }
        for (block, ends) in blocks.iter_mut().zip(ends) {
            block.ends = ends.into_iter().map(|(kind, (n, first))| (kind, n, first)).collect();
        }
    }
}

/// The kind of a leaf and its test case; `None` for inner nodes.
fn leaf(what: What) -> Option<(usize, u32)> {
    match what {
        What::End(TreeEnd::Impossible, _) | What::Start | What::Fork(_) | What::Check => None,
        What::End(how, test) => Some((how as usize, test)),
        What::Open => Some((OPEN, 0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frame, Node};

    fn total(leaves: &Leaves) -> u64 {
        leaves.iter().map(|&n| u64::from(n)).sum()
    }

    /// A loop that leaves at every turn, `n` times.
    fn looping(n: u32, site: impl Fn(u32) -> u32) -> Tree {
        let mut nodes = vec![Node { parent: 0, what: What::Start }];
        let mut parent = 0;
        for turn in 0..n {
            nodes.push(Node { parent, what: What::Fork(site(turn)) });
            parent = nodes.len() as u32 - 1;
            let what = What::End(TreeEnd::Success, turn + 1);
            nodes.push(Node { parent, what });
        }
        nodes.push(Node { parent, what: What::Open });
        let sites = vec![Frame::default(); 8];
        Tree { nodes, sites, ..Tree::default() }
    }

    #[test]
    fn a_loop_is_one_block() {
        let shape = Shape::of(&looping(1000, |_| 7));
        assert_eq!(shape.blocks.len(), 2);
        let block = &shape.blocks[1];
        assert_eq!((block.site, block.n_forks), (Some(7), 1000));
        assert_eq!(block.ends, [(0, 1000, 1), (OPEN, 1, 0)]);
        assert_eq!(shape.sites, [(7, 1000)]);
    }

    #[test]
    fn a_large_tree_is_cut_and_no_path_is_lost() {
        let shape = Shape::of(&looping(5000, |turn| turn % 3));
        assert_eq!(shape.blocks.len(), MAX_BLOCKS);
        let shown: u64 = shape.blocks.iter().flat_map(|it| &it.ends).map(|&(_, n, _)| n).sum();
        let hidden: u64 = shape.blocks.iter().map(|block| total(&block.hidden)).sum();
        assert_eq!(shown + hidden, 5001);
        assert_eq!(total(&shape.leaves), 5001);
        assert!(shape.blocks.iter().enumerate().all(|(at, block)| block.parent <= at));
    }

    #[test]
    fn an_empty_tree_has_no_blocks() {
        assert!(Shape::of(&Tree::default()).blocks.is_empty());
    }
}

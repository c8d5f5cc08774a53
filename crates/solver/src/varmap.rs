//! A persistent map keyed by input byte, or by another dense number: cloning shares, writing
//! copies one path of small nodes.

use std::rc::Rc;

use fathom_expr::Var;

const BITS: u32 = 4;
const FAN_OUT: usize = 1 << BITS;

/// A radix tree over the dense numbers of [`Var`].
#[derive(Clone)]
pub(crate) struct VarMap<T> {
    root: Option<Rc<Node<T>>>,
    /// Levels of branches above the leaves.
    height: u32,
}

#[derive(Clone)]
enum Node<T> {
    Leaf([Option<T>; FAN_OUT]),
    Branch([Option<Rc<Node<T>>>; FAN_OUT]),
}

impl<T> Default for VarMap<T> {
    fn default() -> Self {
        Self { root: None, height: 0 }
    }
}

fn digit(var: Var, level: u32) -> usize {
    (var.0 >> (level * BITS)) as usize & (FAN_OUT - 1)
}

impl<T: Clone> VarMap<T> {
    fn covers(&self, var: Var) -> bool {
        var.0.checked_shr((self.height + 1) * BITS).unwrap_or(0) == 0
    }

    pub fn get(&self, var: Var) -> Option<&T> {
        if !self.covers(var) {
            return None;
        }
        let mut node = self.root.as_deref()?;
        let mut level = self.height;
        loop {
            match node {
                Node::Leaf(items) => return items[digit(var, 0)].as_ref(),
                Node::Branch(children) => node = children[digit(var, level)].as_deref()?,
            }
            level -= 1;
        }
    }

    /// The entry of `var` for writing; nodes shared with other maps are copied.
    pub fn entry(&mut self, var: Var) -> &mut Option<T> {
        while !self.covers(var) {
            let mut children = [const { None }; FAN_OUT];
            children[0] = self.root.take();
            self.root = Some(Rc::new(Node::Branch(children)));
            self.height += 1;
        }
        let mut level = self.height;
        let mut node = &mut self.root;
        loop {
            let here = node.get_or_insert_with(|| {
                Rc::new(if level == 0 {
                    Node::Leaf([const { None }; FAN_OUT])
                } else {
                    Node::Branch([const { None }; FAN_OUT])
                })
            });
            match Rc::make_mut(here) {
                Node::Leaf(items) => return &mut items[digit(var, 0)],
                Node::Branch(children) => node = &mut children[digit(var, level)],
            }
            level -= 1;
        }
    }

    /// All values, by ascending key.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        let mut stack: Vec<&Node<T>> = self.root.as_deref().into_iter().collect();
        let mut items: &[Option<T>] = &[];
        std::iter::from_fn(move || {
            loop {
                while let Some((first, rest)) = items.split_first() {
                    items = rest;
                    if first.is_some() {
                        return first.as_ref();
                    }
                }
                match stack.pop()? {
                    Node::Leaf(leaf) => items = leaf,
                    Node::Branch(children) => {
                        stack.extend(children.iter().rev().filter_map(|c| c.as_deref()))
                    }
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_versions_stay_as_they_were() {
        let mut map = VarMap::default();
        for key in [0, 15, 16, 300, 70_000, u32::MAX] {
            *map.entry(Var(key)) = Some(key);
        }
        let old = map.clone();
        *map.entry(Var(300)) = Some(1);
        assert_eq!((old.get(Var(300)), map.get(Var(300))), (Some(&300), Some(&1)));
        assert_eq!(map.get(Var(70_000)), Some(&70_000));
        assert_eq!(map.get(Var(70_001)), None);
        assert_eq!(old.values().copied().collect::<Vec<_>>(), [0, 15, 16, 300, 70_000, u32::MAX]);
    }
}

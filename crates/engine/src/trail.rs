//! The decisions of a path: where it could have gone another way, and did not.

use std::rc::Rc;

use fathom_expr::ExprId;
use fathom_ir::LocId;

use crate::outcome::Site;

/// A branch at which both sides were possible, as far as anybody knew.
#[derive(Clone, Copy, Debug)]
pub struct Decision {
    pub site: Site,
    /// What holds on the path since.
    pub condition: ExprId,
    /// Where in its function it went on.
    pub to: LocId,
    /// The innermost place in the program's own sources: the decision's, or that of the call it was
    /// made in; the decision's where there is none.
    pub own: LocId,
    /// Tells apart the ways on from there, which may begin on one line.
    pub way: i32,
}

/// All decisions of a path. States that parted share what came before.
#[derive(Clone, Default)]
pub struct Trail {
    newest: Option<Rc<Link>>,
}

struct Link {
    decision: Decision,
    previous: Option<Rc<Link>>,
}

impl Trail {
    pub(crate) fn push(&mut self, decision: Decision) {
        let previous = self.newest.take();
        self.newest = Some(Rc::new(Link { decision, previous }));
    }

    /// Newest first.
    pub fn iter(&self) -> impl Iterator<Item = &Decision> {
        let mut link = self.newest.as_deref();
        std::iter::from_fn(move || {
            let Link { decision, previous } = link?;
            link = previous.as_deref();
            Some(decision)
        })
    }
}

impl Drop for Link {
    /// Long trails are taken down one by one, not by recursion.
    fn drop(&mut self) {
        let mut next = self.previous.take();
        while let Some(mut link) = next.and_then(Rc::into_inner) {
            next = link.previous.take();
        }
    }
}

//! The execution tree as it grows, for `tree.bin`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use fathom_engine::StateId;
use fathom_engine::hooks::Observer;
use fathom_engine::outcome::{Ended, Site, Stop};
use fathom_ir::Program;
use fathom_report::{Frame, TestCase, TreeEnd, TreeWriter};

use super::test_case::frame;

/// What the engine says about its states.
enum Event {
    /// Parent, child, place.
    Fork(StateId, StateId, Site),
    Impossible(StateId),
}

/// Forks that the engine has announced and nobody has written down yet.
#[derive(Default)]
pub struct Forks {
    waiting: Rc<RefCell<Vec<Event>>>,
    /// The writer's numbers of places.
    sites: HashMap<Site, u32>,
}

/// Hears of forks.
struct Listener(Rc<RefCell<Vec<Event>>>);

impl Observer for Listener {
    fn fork(&mut self, parent: StateId, child: StateId, site: Site) {
        self.0.borrow_mut().push(Event::Fork(parent, child, site));
    }

    fn impossible(&mut self, state: StateId) {
        self.0.borrow_mut().push(Event::Impossible(state));
    }
}

impl Forks {
    /// What hears of forks for this one.
    pub fn observer(&self) -> Box<dyn Observer> {
        Box::new(Listener(Rc::clone(&self.waiting)))
    }

    /// The next tree numbers places anew.
    pub fn forget_places(&mut self) {
        self.sites.clear();
    }

    /// Writes down what waits.
    pub fn write(&mut self, program: &Program, tree: &mut TreeWriter) {
        for event in self.waiting.borrow_mut().drain(..) {
            match event {
                Event::Fork(parent, child, site) => {
                    let number = *self.sites.entry(site).or_insert_with(|| {
                        let Frame { function, file, line } = frame(program, &site);
                        tree.site(&function, &file, line)
                    });
                    tree.fork(parent.0, child.0, number);
                }
                Event::Impossible(state) => tree.end(state.0, TreeEnd::Impossible, 0),
            }
        }
    }
}

/// Writes down an end whose test case, if it has one, is this.
pub fn write_end(tree: &mut TreeWriter, ended: &Ended, test: Option<(u64, &TestCase)>) {
    let state = ended.state.0;
    match (&ended.stop, test) {
        (Stop::Bug(_), Some((number, _))) if ended.goes_on => tree.bug(state, number),
        (_, Some((number, test))) => tree.end(state, TreeEnd::from(&test.outcome), number),
        (_, None) => tree.end(state, TreeEnd::Dropped, 0),
    }
}

//! Which files of the host a run has opened, on whatever path: a native run needs them, too.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A list that all copies of a process share.
#[derive(Clone, Debug, Default)]
pub struct HostFiles(Rc<RefCell<BTreeSet<PathBuf>>>);

impl HostFiles {
    pub(crate) fn note(&self, path: &Path) {
        if !self.0.borrow().contains(path) {
            self.0.borrow_mut().insert(path.to_owned());
        }
    }

    /// Those below `dir`, relative to it, sorted.
    pub fn below(&self, dir: &Path) -> Vec<PathBuf> {
        let files = self.0.borrow();
        files.iter().filter_map(|path| Some(path.strip_prefix(dir).ok()?.to_owned())).collect()
    }
}

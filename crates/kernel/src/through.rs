//! Changes made on the host itself, where the user allows it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::errno::{Errno, host};
use crate::overlay::{Kind, NodeId, Tree, c_path};
use crate::path::Place;

impl Tree {
    /// The host's path of a place, if changes there go to the host.
    pub fn host_place(&self, place: &Place) -> Option<PathBuf> {
        let path = self.node(place.parent).host.as_ref()?.join(OsStr::from_bytes(&place.name));
        self.sandbox.writes_through(&path).then_some(path)
    }

    /// The host's path of a node, if changes to it go to the host.
    pub fn through(&self, node: NodeId) -> Option<PathBuf> {
        let unchanged = !matches!(self.node(node).kind, Kind::File(_));
        let path = self.node(node).host.as_ref().filter(|_| unchanged)?;
        self.sandbox.writes_through(path).then(|| path.clone())
    }

    /// Keeps what a node needs to live on in open descriptors when its last name is gone.
    fn leave_host(&mut self, node: NodeId, mut stat: libc::stat) {
        stat.st_nlink = if self.is_directory(node) { 0 } else { stat.st_nlink.saturating_sub(1) };
        self.abandon(node, stat);
    }

    /// Does `call` with the host's path and looks at the place anew.
    pub fn change_host(
        &mut self,
        place: &Place,
        path: &Path,
        call: impl FnOnce(*const libc::c_char) -> i32,
    ) -> Result<(), Errno> {
        let before = place.node.map(|node| self.stat(node)).transpose()?;
        host(call(c_path(path).as_ptr()).into())?;
        self.forget(place.parent, &place.name);
        if let (Some(node), Some(stat)) = (place.node, before) {
            self.leave_host(node, stat);
        }
        Ok(())
    }

    /// Renames on the host; nodes below the old name follow.
    pub fn rename_host(
        &mut self,
        (old, old_path): (&Place, PathBuf),
        (new, new_path): (&Place, PathBuf),
        flags: u32,
    ) -> Result<(), Errno> {
        let (from, to) = (c_path(&old_path), c_path(&new_path));
        let before = new.node.map(|node| self.stat(node)).transpose()?;
        // SAFETY: both are C strings.
        let result = unsafe {
            libc::renameat2(libc::AT_FDCWD, from.as_ptr(), libc::AT_FDCWD, to.as_ptr(), flags)
        };
        host(result.into())?;
        let exchange = flags & libc::RENAME_EXCHANGE != 0;
        if let (Some(node), Some(stat), false) = (new.node, before, exchange) {
            self.leave_host(node, stat);
        }
        self.forget(old.parent, &old.name);
        self.forget(new.parent, &new.name);
        if exchange {
            let aside = old_path.with_file_name(".fathom-exchange");
            self.move_host_paths(&new_path, &aside);
            self.move_host_paths(&old_path, &new_path);
            self.move_host_paths(&aside, &old_path);
            if let Some(node) = new.node {
                self.adopt_moved(old.parent, &old.name, node);
            }
        } else {
            self.move_host_paths(&old_path, &new_path);
        }
        if let Some(node) = old.node {
            self.adopt_moved(new.parent, &new.name, node);
        }
        Ok(())
    }
}

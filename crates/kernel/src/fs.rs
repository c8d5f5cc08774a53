//! Calls that make, remove and move names.

use std::os::unix::ffi::OsStrExt;

use fathom_engine::system::SystemContext;
use libc::{
    AT_EMPTY_PATH, AT_FDCWD, AT_REMOVEDIR, AT_SYMLINK_FOLLOW, EBUSY, EEXIST, EINVAL, EISDIR,
    ENOENT, ENOTDIR, ENOTEMPTY, EPERM, EXDEV, RENAME_EXCHANGE, RENAME_NOREPLACE, S_IFLNK, S_IFMT,
};

use crate::Linux;
use crate::contents::Contents;
use crate::errno::{Called, Early, Errno};
use crate::overlay::{Kind, NodeId, ROOT};
use crate::path::{Last, Links, Place};

impl Linux {
    /// Where a path argument leads.
    pub(crate) fn place(
        &mut self,
        context: &SystemContext<'_>,
        directory: i32,
        path: u64,
        links: Links,
    ) -> Result<Place, Early> {
        let path = context.memory.c_string(path)?.to_vec();
        if path.is_empty() {
            return Err(Errno(ENOENT).into());
        }
        let start = self.start(directory, &path)?;
        Ok(self.world.tree.resolve(start, &path, links)?)
    }

    /// The existing file a path argument with `AT_…` flags leads to.
    pub(crate) fn target(
        &mut self,
        context: &SystemContext<'_>,
        directory: i32,
        path: u64,
        flags: i32,
        links: Links,
    ) -> Result<NodeId, Early> {
        let text = if path == 0 { Vec::new() } else { context.memory.c_string(path)?.to_vec() };
        if text.is_empty() && flags & AT_EMPTY_PATH != 0 {
            if directory == AT_FDCWD {
                return Ok(self.cwd);
            }
            let node = self.files.get(directory)?.description.node();
            return node.ok_or(Errno(EINVAL).into());
        }
        if let (Some(fd), Links::Follow) = (self.descriptor_alias(&text), links)
            && let Some(node) = self.files.get(fd).ok().and_then(|file| file.description.node())
        {
            return Ok(node);
        }
        let place = self.place(context, directory, path, links);
        let found = place.and_then(|place| Ok(place.existing(&self.world.tree)?));
        found.map_err(|early| self.as_recorded(directory, &text, early))
    }

    /// The place for a new name; what is there already is an error.
    fn new_place(
        &mut self,
        context: &SystemContext<'_>,
        directory: i32,
        path: u64,
        for_directory: bool,
    ) -> Result<Place, Early> {
        let place = self.place(context, directory, path, Links::KeepAlways)?;
        if place.last != Last::Name || place.node.is_some() {
            return Err(Errno(EEXIST).into());
        }
        if place.slash && !for_directory {
            return Err(Errno(ENOENT).into());
        }
        Ok(place)
    }

    pub(crate) fn mkdirat(
        &mut self,
        context: &mut SystemContext<'_>,
        directory: i32,
        path: u64,
        mode: u32,
    ) -> Called {
        let place = self.new_place(context, directory, path, true)?;
        let mode = mode & !self.umask & 0o1777;
        let tree = &mut self.world.tree;
        if let Some(path) = tree.host_place(&place) {
            // SAFETY: the path is a C string.
            tree.change_host(&place, &path, |path| unsafe { libc::mkdir(path, mode) })?;
            return Ok(0);
        }
        tree.create_directory(place.parent, &place.name, mode)?;
        Ok(0)
    }

    pub(crate) fn symlinkat(
        &mut self,
        context: &mut SystemContext<'_>,
        target: u64,
        directory: i32,
        path: u64,
    ) -> Called {
        let target = context.memory.c_string(target)?.to_vec();
        if target.is_empty() {
            return Err(Errno(ENOENT).into());
        }
        let place = self.new_place(context, directory, path, false)?;
        let tree = &mut self.world.tree;
        if let Some(path) = tree.host_place(&place) {
            std::os::unix::fs::symlink(std::ffi::OsStr::from_bytes(&target), path)
                .map_err(Errno::from)?;
            tree.forget(place.parent, &place.name);
            return Ok(0);
        }
        tree.create(place.parent, &place.name, Kind::Symlink(target.into()), S_IFLNK | 0o777)?;
        Ok(0)
    }

    pub(crate) fn mknodat(
        &mut self,
        context: &mut SystemContext<'_>,
        directory: i32,
        path: u64,
        mode: u32,
        device: u64,
    ) -> Called {
        let place = self.new_place(context, directory, path, false)?;
        let permissions = mode & !self.umask & 0o7777;
        let (kind, kind_bits) = match mode & S_IFMT {
            0 | libc::S_IFREG => (Kind::File(Contents::default()), libc::S_IFREG),
            libc::S_IFIFO => (Kind::Fifo(None), libc::S_IFIFO),
            libc::S_IFSOCK => (Kind::Special(0), libc::S_IFSOCK),
            libc::S_IFCHR | libc::S_IFBLK if self.world.tree.user.uid == 0 => {
                (Kind::Special(device), mode & S_IFMT)
            }
            libc::S_IFCHR | libc::S_IFBLK => return Err(Errno(EPERM).into()),
            _ => return Err(Errno(EINVAL).into()),
        };
        self.world.tree.create(place.parent, &place.name, kind, kind_bits | permissions)?;
        Ok(0)
    }

    pub(crate) fn linkat(
        &mut self,
        context: &mut SystemContext<'_>,
        [old_directory, old, new_directory, new, flags, _]: [u64; 6],
    ) -> Called {
        let flags = flags as i32;
        if flags & !(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH) != 0 {
            return Err(Errno(EINVAL).into());
        }
        let links = if flags & AT_SYMLINK_FOLLOW != 0 { Links::Follow } else { Links::Keep };
        let node = self.target(context, old_directory as i32, old, flags, links)?;
        let place = self.new_place(context, new_directory as i32, new, false)?;
        let tree = &mut self.world.tree;
        if tree.is_directory(node) {
            return Err(Errno(EPERM).into());
        }
        if let (Some(old), Some(new)) = (tree.through(node), tree.host_place(&place)) {
            std::fs::hard_link(old, new).map_err(Errno::from)?;
            tree.forget(place.parent, &place.name);
            return Ok(0);
        }
        tree.check_changeable(place.parent)?;
        tree.attach(place.parent, &place.name, node)?;
        Ok(0)
    }

    pub(crate) fn unlinkat(
        &mut self,
        context: &mut SystemContext<'_>,
        directory: i32,
        path: u64,
        flags: i32,
    ) -> Called {
        if flags & !AT_REMOVEDIR != 0 {
            return Err(Errno(EINVAL).into());
        }
        let place = self.place(context, directory, path, Links::KeepAlways)?;
        match flags & AT_REMOVEDIR != 0 {
            true => self.remove_directory(&place),
            false => self.remove_file(&place),
        }
    }

    fn remove_file(&mut self, place: &Place) -> Called {
        if place.last != Last::Name {
            return Err(Errno(EISDIR).into());
        }
        let node = place.node.ok_or(Errno(ENOENT))?;
        let tree = &mut self.world.tree;
        let is_directory = tree.is_directory(node);
        if place.slash && !is_directory {
            return Err(Errno(ENOTDIR).into());
        }
        tree.check_removable(place.parent, node)?;
        if is_directory {
            return Err(Errno(EISDIR).into());
        }
        if let Some(path) = tree.host_place(place) {
            // SAFETY: the path is a C string.
            tree.change_host(place, &path, |path| unsafe { libc::unlink(path) })?;
            return Ok(0);
        }
        tree.detach(place.parent, &place.name, node)?;
        Ok(0)
    }

    fn remove_directory(&mut self, place: &Place) -> Called {
        match place.last {
            Last::Name => {}
            Last::Dot => return Err(Errno(EINVAL).into()),
            Last::DotDot => return Err(Errno(ENOTEMPTY).into()),
            Last::Root => return Err(Errno(EBUSY).into()),
        }
        let node = place.node.ok_or(Errno(ENOENT))?;
        let tree = &mut self.world.tree;
        tree.check_removable(place.parent, node)?;
        if !tree.is_directory(node) {
            return Err(Errno(ENOTDIR).into());
        }
        if let Some(path) = tree.host_place(place) {
            // SAFETY: the path is a C string.
            tree.change_host(place, &path, |path| unsafe { libc::rmdir(path) })?;
            return Ok(0);
        }
        if !tree.is_empty(node)? {
            return Err(Errno(ENOTEMPTY).into());
        }
        tree.detach(place.parent, &place.name, node)?;
        tree.bury(node)?;
        Ok(0)
    }

    pub(crate) fn renameat2(
        &mut self,
        context: &mut SystemContext<'_>,
        [old_directory, old, new_directory, new, flags, _]: [u64; 6],
    ) -> Called {
        let flags = flags as u32;
        let exchange = flags & RENAME_EXCHANGE != 0;
        let no_replace = flags & RENAME_NOREPLACE != 0;
        if flags & !(RENAME_EXCHANGE | RENAME_NOREPLACE) != 0 || (exchange && no_replace) {
            return Err(Errno(EINVAL).into());
        }
        let old = self.place(context, old_directory as i32, old, Links::KeepAlways)?;
        let new = self.place(context, new_directory as i32, new, Links::KeepAlways)?;
        if old.last != Last::Name {
            return Err(Errno(EBUSY).into());
        }
        if new.last != Last::Name {
            return Err(Errno(if no_replace { EEXIST } else { EBUSY }).into());
        }
        let source = self.check_rename(&old, &new, flags)?;
        if new.node == Some(source) {
            return Ok(0);
        }
        let tree = &mut self.world.tree;
        match (tree.host_place(&old), tree.host_place(&new)) {
            (Some(old_path), Some(new_path)) => {
                tree.rename_host((&old, old_path), (&new, new_path), flags)?;
                return Ok(0);
            }
            (None, None) => {}
            _ => return Err(Errno(EXDEV).into()),
        }
        self.move_name(&old, &new, source, exchange)?;
        Ok(0)
    }

    /// The errors of a rename, in the order Linux finds them.
    fn check_rename(&mut self, old: &Place, new: &Place, flags: u32) -> Result<NodeId, Errno> {
        let exchange = flags & RENAME_EXCHANGE != 0;
        let tree = &mut self.world.tree;
        let source = old.node.ok_or(Errno(ENOENT))?;
        if flags & RENAME_NOREPLACE != 0 && new.node.is_some() {
            return Err(Errno(EEXIST));
        }
        if exchange && new.node.is_none() {
            return Err(Errno(ENOENT));
        }
        if exchange && new.slash && !new.node.is_some_and(|node| tree.is_directory(node)) {
            return Err(Errno(ENOTDIR));
        }
        let is_directory = tree.is_directory(source);
        if !is_directory && (old.slash || (!exchange && new.slash)) {
            return Err(Errno(ENOTDIR));
        }
        if is_directory && tree.is_within(new.parent, source) {
            return Err(Errno(EINVAL));
        }
        if let Some(victim) = new.node
            && tree.is_directory(victim)
            && tree.is_within(old.parent, victim)
        {
            return Err(Errno(if exchange { EINVAL } else { ENOTEMPTY }));
        }
        if new.node == Some(source) {
            return Ok(source);
        }
        tree.check_removable(old.parent, source)?;
        match new.node {
            None => tree.check_changeable(new.parent)?,
            Some(victim) => {
                tree.check_removable(new.parent, victim)?;
                match (is_directory, tree.is_directory(victim)) {
                    _ if exchange => {}
                    (true, false) => return Err(Errno(ENOTDIR)),
                    (false, true) => return Err(Errno(EISDIR)),
                    (true, true) if !tree.is_empty(victim)? => return Err(Errno(ENOTEMPTY)),
                    _ => {}
                }
            }
        }
        Ok(source)
    }

    fn move_name(
        &mut self,
        old: &Place,
        new: &Place,
        source: NodeId,
        exchange: bool,
    ) -> Result<(), Errno> {
        let tree = &mut self.world.tree;
        if let Some(victim) = new.node {
            tree.detach(new.parent, &new.name, victim)?;
            if !exchange && tree.is_directory(victim) {
                tree.bury(victim)?;
            }
        }
        tree.detach(old.parent, &old.name, source)?;
        tree.attach(new.parent, &new.name, source)?;
        if let (true, Some(victim)) = (exchange, new.node) {
            tree.attach(old.parent, &old.name, victim)?;
        }
        tree.touch_changed(source);
        Ok(())
    }

    // ---- the working directory -----------------------------------------------------------

    pub(crate) fn chdir(&mut self, context: &mut SystemContext<'_>, path: u64) -> Called {
        let place = self.place(context, AT_FDCWD, path, Links::Follow)?;
        let node = place.existing(&self.world.tree)?;
        self.enter(node)
    }

    /// The root stays where it is.
    pub(crate) fn chroot(&mut self, context: &mut SystemContext<'_>, path: u64) -> Called {
        let place = self.place(context, AT_FDCWD, path, Links::Follow)?;
        let node = place.existing(&self.world.tree)?;
        self.world.tree.directory(node)?;
        if self.world.tree.user.uid != 0 {
            return Err(Errno(EPERM).into());
        }
        if node != ROOT {
            self.world.note("another root directory is not supported");
            return Err(Errno(EPERM).into());
        }
        Ok(0)
    }

    pub(crate) fn fchdir(&mut self, fd: i32) -> Called {
        let node = self.files.get(fd)?.description.node();
        self.enter(node.ok_or(Errno(ENOTDIR))?)
    }

    fn enter(&mut self, node: NodeId) -> Called {
        self.world.tree.directory(node)?;
        self.world.tree.check_access(node, libc::X_OK)?;
        self.cwd = node;
        self.note_cwd();
        Ok(0)
    }

    pub(crate) fn getcwd(
        &mut self,
        context: &mut SystemContext<'_>,
        buffer: u64,
        size: u64,
    ) -> Called {
        let mut path = self.world.tree.path_of(self.cwd).ok_or(Errno(ENOENT))?;
        path.push(0);
        if (path.len() as u64) > size {
            return Err(Errno(libc::ERANGE).into());
        }
        context.memory.write(buffer, &path)?;
        Ok(path.len() as i64)
    }

    pub(crate) fn readlinkat(
        &mut self,
        context: &mut SystemContext<'_>,
        directory: i32,
        path: u64,
        buffer: u64,
        size: u64,
    ) -> Called {
        if size as i32 <= 0 {
            return Err(Errno(EINVAL).into());
        }
        let text = context.memory.c_string(path)?.to_vec();
        let target = match self.descriptor_alias(&text).filter(|_| text.starts_with(b"/proc")) {
            Some(fd) => self.descriptor_path(fd)?,
            None => {
                let node = match text.is_empty() {
                    true => self.target(context, directory, path, AT_EMPTY_PATH, Links::Keep)?,
                    false => self.target(context, directory, path, 0, Links::Keep)?,
                };
                match &self.world.tree.node(node).kind {
                    Kind::Symlink(target) => target.to_vec(),
                    _ => return Err(Errno(if text.is_empty() { ENOENT } else { EINVAL }).into()),
                }
            }
        };
        let length = target.len().min(size as usize);
        context.memory.write(buffer, &target[..length])?;
        Ok(length as i64)
    }

    /// What `/proc/self/fd/N` points to.
    pub(crate) fn descriptor_path(&mut self, fd: i32) -> Result<Vec<u8>, Errno> {
        let cwd = self.world.tree.path_of(self.cwd).unwrap_or_default();
        let file = self.files.get(fd).map_err(|_| Errno(ENOENT))?;
        if let Some(host_fd) = file.description.host_fd() {
            let path = std::fs::read_link(format!("/proc/self/fd/{host_fd}"))?;
            return Ok(path.as_os_str().as_bytes().to_vec());
        }
        if let Some(node) =
            file.description.node().filter(|&node| self.world.tree.is_directory(node))
        {
            return self.world.tree.path_of(node).ok_or(Errno(ENOENT));
        }
        Ok(match file.path.first() {
            Some(b'/') => file.path.to_vec(),
            Some(_) => [&cwd[..], b"/", &file.path].concat(),
            None => format!("pipe:[{}]", file.description.stat(&self.world)?.st_ino).into_bytes(),
        })
    }
}

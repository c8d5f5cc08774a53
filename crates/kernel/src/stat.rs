//! Calls that read and set metadata: the `stat` family, access, modes, owners, times, attributes.

use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use fathom_engine::system::SystemContext;
use libc::{
    AT_EMPTY_PATH, AT_SYMLINK_NOFOLLOW, EINVAL, ENODATA, ENOTSUP, EOPNOTSUPP, EPERM, EROFS,
};

use crate::Linux;
use crate::errno::{Called, Early, Errno, host};
use crate::metadata::{ATIME, GID, MODE, MTIME, UID, in_statx};
use crate::overlay::{Kind, NodeId, c_path};
use crate::path::Links;
use crate::symbols::Symbols;

fn links_of(flags: i32) -> Links {
    if flags & AT_SYMLINK_NOFOLLOW != 0 { Links::Keep } else { Links::Follow }
}

/// The bytes of a plain C structure.
pub(crate) fn bytes_of<T: Copy>(value: &T) -> &[u8] {
    // SAFETY: only used with C structures of the kernel's interface, whose padding we zeroed.
    unsafe { std::slice::from_raw_parts((value as *const T).cast(), size_of::<T>()) }
}

impl Linux {
    /// The metadata of what a path leads to, and which of its bytes are symbolic.
    fn stat_path(
        &mut self,
        context: &SystemContext<'_>,
        directory: i32,
        path: u64,
        flags: i32,
    ) -> Result<(libc::stat, Symbols), Early> {
        let text = if path == 0 { Vec::new() } else { context.memory.c_string(path)?.to_vec() };
        if text.is_empty() && flags & AT_EMPTY_PATH != 0 && directory >= 0 {
            return Ok(self.stat_file(directory)?);
        }
        if let (Some(fd), Links::Follow) = (self.descriptor_alias(&text), links_of(flags)) {
            self.files.get(fd).map_err(|_| Errno(libc::ENOENT))?;
            return Ok(self.stat_file(fd)?);
        }
        let node = self.target(context, directory, path, flags, links_of(flags))?;
        Ok((self.world.tree.stat(node)?, self.world.tree.node(node).symbols.clone()))
    }

    fn stat_file(&mut self, fd: i32) -> Result<(libc::stat, Symbols), Errno> {
        let description = &self.files.get(fd)?.description;
        let symbols = match description.node() {
            Some(node) => self.world.tree.node(node).symbols.clone(),
            None => Symbols::default(),
        };
        Ok((description.stat(&self.world)?, symbols))
    }

    pub(crate) fn newfstatat(
        &mut self,
        context: &mut SystemContext<'_>,
        directory: i32,
        path: u64,
        buffer: u64,
        flags: i32,
    ) -> Called {
        let (stat, symbols) = self.stat_path(context, directory, path, flags)?;
        context.memory.write(buffer, bytes_of(&stat))?;
        context.memory.set_symbols(buffer, symbols.as_slice());
        Ok(0)
    }

    pub(crate) fn fstat(
        &mut self,
        context: &mut SystemContext<'_>,
        fd: i32,
        buffer: u64,
    ) -> Called {
        let (stat, symbols) = self.stat_file(fd)?;
        context.memory.write(buffer, bytes_of(&stat))?;
        context.memory.set_symbols(buffer, symbols.as_slice());
        Ok(0)
    }

    pub(crate) fn statx(
        &mut self,
        context: &mut SystemContext<'_>,
        [directory, path, flags, mask, buffer, _]: [u64; 6],
    ) -> Called {
        let (stat, symbols) = self.stat_path(context, directory as i32, path, flags as i32)?;
        // SAFETY: all-zero bytes are a valid `statx`.
        let mut statx: libc::statx = unsafe { std::mem::zeroed() };
        let time = |seconds: i64, nanoseconds: i64| {
            // SAFETY: as above.
            let mut time: libc::statx_timestamp = unsafe { std::mem::zeroed() };
            (time.tv_sec, time.tv_nsec) = (seconds, nanoseconds as u32);
            time
        };
        statx.stx_mask = libc::STATX_BASIC_STATS;
        statx.stx_blksize = stat.st_blksize as u32;
        statx.stx_nlink = stat.st_nlink as u32;
        (statx.stx_uid, statx.stx_gid) = (stat.st_uid, stat.st_gid);
        statx.stx_mode = stat.st_mode as u16;
        statx.stx_ino = stat.st_ino;
        (statx.stx_size, statx.stx_blocks) = (stat.st_size as u64, stat.st_blocks as u64);
        statx.stx_atime = time(stat.st_atime, stat.st_atime_nsec);
        statx.stx_mtime = time(stat.st_mtime, stat.st_mtime_nsec);
        statx.stx_ctime = time(stat.st_ctime, stat.st_ctime_nsec);
        (statx.stx_rdev_major, statx.stx_rdev_minor) =
            (libc::major(stat.st_rdev), libc::minor(stat.st_rdev));
        (statx.stx_dev_major, statx.stx_dev_minor) =
            (libc::major(stat.st_dev), libc::minor(stat.st_dev));
        if mask as u32 & libc::STATX_BTIME != 0
            && let Some(birth) = self.birth_time(context, directory as i32, path, flags as i32)
        {
            statx.stx_mask |= libc::STATX_BTIME;
            statx.stx_btime = birth;
        }
        context.memory.write(buffer, bytes_of(&statx))?;
        context.memory.set_symbols(buffer, in_statx(&symbols).as_slice());
        Ok(0)
    }

    /// When a file of the host was made, as the host says.
    fn birth_time(
        &mut self,
        context: &SystemContext<'_>,
        directory: i32,
        path: u64,
        flags: i32,
    ) -> Option<libc::statx_timestamp> {
        let node = self.target(context, directory, path, flags, links_of(flags)).ok()?;
        let path = c_path(self.world.tree.node(node).host.as_ref()?);
        // SAFETY: the path is a C string and the host fills the structure.
        unsafe {
            let mut statx: libc::statx = std::mem::zeroed();
            let (flags, mask) = (AT_SYMLINK_NOFOLLOW, libc::STATX_BTIME);
            let result = libc::statx(libc::AT_FDCWD, path.as_ptr(), flags, mask, &mut statx);
            (result == 0 && statx.stx_mask & mask != 0).then_some(statx.stx_btime)
        }
    }

    pub(crate) fn faccessat(
        &mut self,
        context: &mut SystemContext<'_>,
        directory: i32,
        path: u64,
        mode: i32,
        flags: i32,
    ) -> Called {
        if mode & !7 != 0 {
            return Err(Errno(EINVAL).into());
        }
        let text = context.memory.c_string(path)?.to_vec();
        if let Some(fd) = self.descriptor_alias(&text) {
            return self.files.get(fd).map(|_| 0).map_err(|_| Errno(libc::ENOENT).into());
        }
        let node = self.target(context, directory, path, flags, links_of(flags))?;
        if mode & libc::X_OK != 0 && !self.world.tree.node(node).symbols.is_empty() {
            self.world.note("whether a file with a symbolic mode may be executed is not symbolic");
        }
        self.world.tree.check_access(node, mode)?;
        let host = self.world.tree.node(node).host.clone();
        if let (Some(path), true) = (host, mode & libc::W_OK != 0) {
            // A file system of the host that is read-only is so for the program too.
            // SAFETY: the path is a C string.
            let result = host_access(&path);
            if result == Err(Errno(EROFS)) {
                return Err(Errno(EROFS).into());
            }
        }
        Ok(0)
    }

    // ---- changing ------------------------------------------------------------------------

    /// The file a descriptor is open on.
    fn node_of(&mut self, fd: i32) -> Result<NodeId, Early> {
        let file = self.files.get_opened(fd)?;
        file.description.node().ok_or(Errno(EPERM).into())
    }

    /// The host's descriptor behind one opened on a file the program may change there.
    fn written_through(&mut self, fd: i32) -> Result<Option<i32>, Errno> {
        let description = &self.files.get_opened(fd)?.description;
        Ok(description.host_fd().filter(|_| description.node().is_some()))
    }

    fn check_owner(&self, node: NodeId) -> Result<(), Errno> {
        let uid = self.world.tree.user.uid;
        let owner = uid == 0 || uid == self.world.tree.stat(node)?.st_uid;
        if owner { Ok(()) } else { Err(Errno(EPERM)) }
    }

    pub(crate) fn fchmod(&mut self, fd: i32, mode: u32) -> Called {
        if let Some(host_fd) = self.written_through(fd)? {
            // SAFETY: a plain host call.
            return Ok(host(unsafe { libc::fchmod(host_fd, mode) }.into())?);
        }
        let node = self.node_of(fd)?;
        self.set_mode(node, mode)
    }

    pub(crate) fn fchmodat(
        &mut self,
        context: &mut SystemContext<'_>,
        directory: i32,
        path: u64,
        mode: u32,
        flags: i32,
    ) -> Called {
        let node = self.target(context, directory, path, flags, links_of(flags))?;
        if matches!(self.world.tree.node(node).kind, Kind::Symlink(_)) {
            return Err(Errno(EOPNOTSUPP).into());
        }
        self.set_mode(node, mode)
    }

    fn set_mode(&mut self, node: NodeId, mode: u32) -> Called {
        self.check_owner(node)?;
        let tree = &mut self.world.tree;
        if let Some(path) = tree.through(node) {
            // SAFETY: the path is a C string.
            return Ok(host(unsafe { libc::chmod(c_path(&path).as_ptr(), mode) }.into())?);
        }
        let stat = tree.stat_mut(node, &[MODE])?;
        stat.st_mode = stat.st_mode & !0o7777 | mode & 0o7777;
        tree.touch_changed(node);
        Ok(0)
    }

    pub(crate) fn fchown(&mut self, fd: i32, uid: u32, gid: u32) -> Called {
        if let Some(host_fd) = self.written_through(fd)? {
            // SAFETY: a plain host call.
            return Ok(host(unsafe { libc::fchown(host_fd, uid, gid) }.into())?);
        }
        let node = self.node_of(fd)?;
        self.set_owner(node, uid, gid)
    }

    pub(crate) fn fchownat(
        &mut self,
        context: &mut SystemContext<'_>,
        [directory, path, uid, gid, flags, _]: [u64; 6],
    ) -> Called {
        let flags = flags as i32;
        let node = self.target(context, directory as i32, path, flags, links_of(flags))?;
        self.set_owner(node, uid as u32, gid as u32)
    }

    fn set_owner(&mut self, node: NodeId, uid: u32, gid: u32) -> Called {
        let tree = &mut self.world.tree;
        let (stat, user) = (tree.stat(node)?, &tree.user);
        let same_uid = uid == u32::MAX || uid == stat.st_uid;
        let own_gid = gid == u32::MAX || gid == user.gid || user.groups.contains(&gid);
        let allowed = user.uid == 0 || (same_uid && stat.st_uid == user.uid && own_gid);
        let unchanged = uid == u32::MAX && gid == u32::MAX;
        if !allowed && !unchanged {
            return Err(Errno(EPERM).into());
        }
        if let Some(path) = tree.through(node) {
            // SAFETY: the path is a C string.
            return Ok(host(unsafe { libc::lchown(c_path(&path).as_ptr(), uid, gid) }.into())?);
        }
        if uid != u32::MAX {
            tree.stat_mut(node, &[UID])?.st_uid = uid;
        }
        if gid != u32::MAX {
            tree.stat_mut(node, &[GID])?.st_gid = gid;
        }
        let stat = tree.stat_mut(node, &[MODE])?;
        if stat.st_mode & libc::S_IFMT == libc::S_IFREG {
            let group_executable = stat.st_mode & 0o010 != 0;
            stat.st_mode &= !libc::S_ISUID;
            stat.st_mode &= if group_executable { !libc::S_ISGID } else { !0 };
        }
        tree.touch_changed(node);
        Ok(0)
    }

    pub(crate) fn utimensat(
        &mut self,
        context: &mut SystemContext<'_>,
        directory: i32,
        path: u64,
        times: u64,
        flags: i32,
    ) -> Called {
        let mut wanted = [(0, libc::UTIME_NOW); 2];
        if times != 0 {
            for (index, time) in wanted.iter_mut().enumerate() {
                let at = times.wrapping_add(index as u64 * 16);
                let nanoseconds = context.memory.read_u64(at.wrapping_add(8))? as i64;
                *time = (context.memory.read_u64(at)? as i64, nanoseconds);
                let special = [libc::UTIME_NOW, libc::UTIME_OMIT].contains(&nanoseconds);
                if !special && !(0..1_000_000_000).contains(&nanoseconds) {
                    return Err(Errno(EINVAL).into());
                }
            }
        }
        let node = match path {
            0 => match self.node_of(directory) {
                Ok(node) if self.written_through(directory)?.is_none() => node,
                _ => return self.futimens_host(directory, &wanted),
            },
            _ => self.target(context, directory, path, flags, links_of(flags))?,
        };
        self.set_times(node, wanted)
    }

    fn futimens_host(&mut self, fd: i32, wanted: &[(i64, i64); 2]) -> Called {
        let Some(fd) = self.files.get(fd)?.description.host_fd() else { return Ok(0) };
        let times = wanted.map(|(tv_sec, tv_nsec)| libc::timespec { tv_sec, tv_nsec });
        // SAFETY: two valid times.
        Ok(host(unsafe { libc::futimens(fd, times.as_ptr()) }.into())?)
    }

    /// Sets the time of access and of modification, each in seconds and nanoseconds.
    pub(crate) fn set_times(&mut self, node: NodeId, wanted: [(i64, i64); 2]) -> Called {
        let is_now = wanted.iter().all(|time| time.1 == libc::UTIME_NOW);
        if self.check_owner(node).is_err() {
            let errno = if is_now { libc::EACCES } else { EPERM };
            let writable = is_now && self.world.tree.check_access(node, libc::W_OK).is_ok();
            if !writable {
                return Err(Errno(errno).into());
            }
        }
        let tree = &mut self.world.tree;
        let now = tree.now;
        let wanted = wanted.map(|time| if time.1 == libc::UTIME_NOW { now } else { time });
        if let Some(path) = tree.through(node) {
            let times = wanted.map(|(tv_sec, tv_nsec)| libc::timespec { tv_sec, tv_nsec });
            let path = c_path(&path);
            // SAFETY: a C string and two valid times.
            let result = unsafe {
                libc::utimensat(libc::AT_FDCWD, path.as_ptr(), times.as_ptr(), AT_SYMLINK_NOFOLLOW)
            };
            return Ok(host(result.into())?);
        }
        let [(atime, atime_nsec), (mtime, mtime_nsec)] = wanted;
        if atime_nsec != libc::UTIME_OMIT {
            let stat = tree.stat_mut(node, &[ATIME])?;
            (stat.st_atime, stat.st_atime_nsec) = (atime, atime_nsec);
        }
        if mtime_nsec != libc::UTIME_OMIT {
            let stat = tree.stat_mut(node, &[MTIME])?;
            (stat.st_mtime, stat.st_mtime_nsec) = (mtime, mtime_nsec);
        }
        tree.touch_changed(node);
        Ok(0)
    }

    /// `utime`, `utimes` and `futimesat`: times in units of `1/per_second`.
    pub(crate) fn utimes(
        &mut self,
        context: &mut SystemContext<'_>,
        directory: i32,
        path: u64,
        times: u64,
        microseconds: bool,
    ) -> Called {
        let mut wanted = [(0, libc::UTIME_NOW); 2];
        if times != 0 {
            let step = if microseconds { 16 } else { 8 };
            for (index, time) in wanted.iter_mut().enumerate() {
                let at = times.wrapping_add(index as u64 * step);
                let fraction = if microseconds {
                    context.memory.read_u64(at.wrapping_add(8))? as i64
                } else {
                    0
                };
                if !(0..1_000_000).contains(&fraction) {
                    return Err(Errno(EINVAL).into());
                }
                *time = (context.memory.read_u64(at)? as i64, fraction * 1000);
            }
        }
        let node = self.target(context, directory, path, 0, Links::Follow)?;
        self.set_times(node, wanted)
    }

    pub(crate) fn truncate(
        &mut self,
        context: &mut SystemContext<'_>,
        path: u64,
        size: i64,
    ) -> Called {
        let size = u64::try_from(size).map_err(|_| Errno(EINVAL))?;
        let node = self.target(context, libc::AT_FDCWD, path, 0, Links::Follow)?;
        match self.world.tree.node(node).kind {
            Kind::Directory(_) => return Err(Errno(libc::EISDIR).into()),
            Kind::HostFile | Kind::File(_) => {}
            _ => return Err(Errno(EINVAL).into()),
        }
        self.world.tree.check_access(node, libc::W_OK)?;
        let mut file = self.open_node(node, libc::O_WRONLY)?;
        let before = file.description.stat(&self.world)?.st_size as u64;
        self.check_growth(before, size)?;
        file.description.truncate(&mut self.world, size)?;
        Ok(0)
    }

    // ---- file systems and attributes -----------------------------------------------------

    pub(crate) fn statfs(
        &mut self,
        context: &mut SystemContext<'_>,
        path: u64,
        buffer: u64,
    ) -> Called {
        let node = self.target(context, libc::AT_FDCWD, path, 0, Links::Follow)?;
        let path = self.host_ancestor(node);
        self.write_statfs(context, &path, buffer)
    }

    pub(crate) fn fstatfs(
        &mut self,
        context: &mut SystemContext<'_>,
        fd: i32,
        buffer: u64,
    ) -> Called {
        let file = self.files.get(fd)?;
        let path = match (file.description.host_fd(), file.description.node()) {
            (Some(fd), _) => PathBuf::from(format!("/proc/self/fd/{fd}")),
            (None, Some(node)) => self.host_ancestor(node),
            (None, None) => PathBuf::from("/proc"),
        };
        self.write_statfs(context, &path, buffer)
    }

    /// The host's path of a node, or of the working directory for those that are not there.
    fn host_ancestor(&self, node: NodeId) -> PathBuf {
        let mut current = node;
        loop {
            if let Some(path) = &self.world.tree.node(current).host {
                return path.clone();
            }
            match self.world.tree.directory(current) {
                Ok(directory) => current = directory.parent,
                Err(_) => current = self.cwd,
            }
        }
    }

    fn write_statfs(
        &mut self,
        context: &mut SystemContext<'_>,
        path: &std::path::Path,
        buffer: u64,
    ) -> Called {
        // SAFETY: the path is a C string and the host fills the structure.
        let statfs = unsafe {
            let mut statfs: libc::statfs = std::mem::zeroed();
            host(libc::statfs(c_path(path).as_ptr(), &mut statfs).into())?;
            statfs
        };
        context.memory.write(buffer, bytes_of(&statfs))?;
        Ok(0)
    }

    /// `getxattr`, `lgetxattr`: what the host says of unchanged files, nothing of others.
    pub(crate) fn getxattr(
        &mut self,
        context: &mut SystemContext<'_>,
        [path, name, value, size, ..]: [u64; 6],
        links: Links,
    ) -> Called {
        let node = self.target(context, libc::AT_FDCWD, path, 0, links)?;
        let name = std::ffi::CString::new(context.memory.c_string(name)?).unwrap_or_default();
        let Some(path) = self.world.tree.node(node).host.clone() else {
            return Err(Errno(ENODATA).into());
        };
        let path = c_path(&path);
        let mut bytes = vec![0u8; size.min(65536) as usize];
        // SAFETY: C strings and a buffer of its length.
        let count = host(unsafe {
            libc::lgetxattr(path.as_ptr(), name.as_ptr(), bytes.as_mut_ptr().cast(), bytes.len())
                as i64
        })?;
        if size > 0 {
            context.memory.write(value, &bytes[..count as usize])?;
        }
        Ok(count)
    }

    pub(crate) fn listxattr(
        &mut self,
        context: &mut SystemContext<'_>,
        [path, list, size, ..]: [u64; 6],
        links: Links,
    ) -> Called {
        let node = self.target(context, libc::AT_FDCWD, path, 0, links)?;
        let Some(path) = self.world.tree.node(node).host.clone() else { return Ok(0) };
        let path = c_path(&path);
        let mut bytes = vec![0u8; size.min(65536) as usize];
        // SAFETY: a C string and a buffer of its length.
        let count = host(unsafe {
            libc::llistxattr(path.as_ptr(), bytes.as_mut_ptr().cast(), bytes.len()) as i64
        })?;
        if size > 0 {
            context.memory.write(list, &bytes[..count as usize])?;
        }
        Ok(count)
    }

    /// The same on a descriptor: no attributes.
    pub(crate) fn fgetxattr(&mut self, fd: i32, lists: bool) -> Called {
        self.files.get(fd)?;
        if lists { Ok(0) } else { Err(Errno(ENODATA).into()) }
    }

    pub(crate) fn setxattr(&mut self) -> Called {
        self.world.note("extended attributes cannot be set");
        Err(Errno(ENOTSUP).into())
    }
}

fn host_access(path: &std::path::Path) -> Result<i64, Errno> {
    if path.as_os_str().as_bytes().starts_with(b"/proc") {
        return Ok(0);
    }
    // SAFETY: the path is a C string.
    host(unsafe { libc::access(c_path(path).as_ptr(), libc::W_OK) }.into())
}

//! The file tree: the host's, read-only, under a private layer of everything the program changes.
//!
//! A node stands for one file. Nodes of the host are made when first looked up and ask the host
//! again each time until they are changed; from then on they carry their own metadata and bytes.
//! Names are entries of directory nodes, so renaming, unlinking and hard links only move names.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{CString, OsStr};
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use libc::{EACCES, EISDIR, ENOENT, ENOTDIR, S_IFDIR, S_IFIFO, S_IFLNK, S_IFMT, S_IFREG};

use crate::contents::Contents;
use crate::errno::{Errno, host};
use crate::host_files::HostFiles;
use crate::metadata::{CTIME, Field, MTIME, NLINK};
use crate::nodes::Nodes;
use crate::pipe::PipeId;
use crate::sandbox::{Sandbox, Sight, is_other_process, is_private};
use crate::symbols::Symbols;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct NodeId(pub u32);

pub(crate) const ROOT: NodeId = NodeId(0);

/// One file of any type.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub kind: Kind,
    /// Where it is on the host, if it comes from there.
    pub host: Option<PathBuf>,
    /// Its own metadata; `None` while the host's holds.
    stat: Option<libc::stat>,
    /// The symbolic bytes of its metadata, by their offsets in a `stat`.
    pub symbols: Symbols,
}

impl Node {
    fn of_host(kind: Kind, path: PathBuf) -> Self {
        Self { kind, host: Some(path), stat: None, symbols: Symbols::default() }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// Unchanged from the host.
    HostFile,
    File(Contents),
    Directory(Directory),
    Symlink(Rc<[u8]>),
    Fifo(Option<PipeId>),
    /// A device or socket of the host, by its device number.
    Special(u64),
}

#[derive(Clone, Debug)]
pub(crate) struct Directory {
    pub parent: NodeId,
    pub name: Rc<[u8]>,
    /// Has no name any more.
    pub removed: bool,
    /// What is known of its entries; `None`: the host's entry of that name is gone.
    entries: Rc<BTreeMap<Rc<[u8]>, Option<NodeId>>>,
}

impl Directory {
    fn new(parent: NodeId, name: &[u8]) -> Self {
        Self { parent, name: name.into(), removed: false, entries: Rc::default() }
    }

    fn enter(&mut self, name: &[u8], node: Option<NodeId>) {
        Rc::make_mut(&mut self.entries).insert(name.into(), node);
    }

    fn forget(&mut self, name: &[u8]) {
        Rc::make_mut(&mut self.entries).remove(name);
    }
}

/// One entry of a directory listing.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub name: Vec<u8>,
    pub ino: u64,
    /// `DT_…`.
    pub kind: u8,
}

/// Who the program is: its process and the user it runs as.
#[derive(Clone, Debug)]
pub(crate) struct User {
    /// `/proc/self` leads there.
    pub pid: i32,
    pub parent: i32,
    pub uid: u32,
    pub gid: u32,
    pub groups: Rc<[u32]>,
}

/// All files the program can reach.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    nodes: Nodes,
    /// Host files with several names.
    by_inode: Rc<HashMap<(u64, u64), NodeId>>,
    /// What the metadata of files of the host are for the program, where they are not the host's.
    pub statuses: Rc<HashMap<PathBuf, libc::stat>>,
    /// In which order a recording lists the names in directories of the host.
    pub listings: Rc<HashMap<PathBuf, Vec<Vec<u8>>>>,
    pub sandbox: Rc<Sandbox>,
    pub user: User,
    /// Now, for time stamps: seconds and nanoseconds.
    pub now: (i64, i64),
    next_ino: u64,
    /// What was not done exactly, for the ledger.
    pub notes: Vec<String>,
    pub opened: HostFiles,
}

impl Tree {
    /// The files below `root`, a directory of the host without symbolic links in its path.
    pub fn new(root: PathBuf, sandbox: Sandbox, user: User) -> Self {
        let mut nodes = Nodes::default();
        nodes.push(Node::of_host(Kind::Directory(Directory::new(ROOT, b"")), root));
        Self {
            nodes,
            by_inode: Rc::default(),
            statuses: Rc::default(),
            listings: Rc::default(),
            sandbox: Rc::new(sandbox),
            user,
            now: (0, 0),
            next_ino: 0x1000_0000_0000,
            notes: Vec::new(),
            opened: HostFiles::default(),
        }
    }

    pub fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id)
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        self.nodes.get_mut(id)
    }

    pub fn directory(&self, id: NodeId) -> Result<&Directory, Errno> {
        match &self.node(id).kind {
            Kind::Directory(directory) => Ok(directory),
            _ => Err(Errno(ENOTDIR)),
        }
    }

    fn directory_mut(&mut self, id: NodeId) -> &mut Directory {
        match &mut self.node_mut(id).kind {
            Kind::Directory(directory) => directory,
            _ => unreachable!("callers have checked that the node is a directory"),
        }
    }

    pub fn is_directory(&self, id: NodeId) -> bool {
        matches!(self.node(id).kind, Kind::Directory(_))
    }

    // ---- metadata ------------------------------------------------------------------------

    pub fn stat(&self, id: NodeId) -> Result<libc::stat, Errno> {
        let node = self.node(id);
        let mut stat = match (&node.stat, &node.host) {
            (Some(stat), _) => *stat,
            (None, Some(path)) => match self.statuses.get(path) {
                Some(stat) => *stat,
                None => host_lstat(path)?,
            },
            (None, None) => unreachable!("a node has metadata of its own or of the host"),
        };
        if let Kind::File(contents) = &node.kind {
            stat.st_size = contents.size() as i64;
            stat.st_blocks = contents.blocks() as i64;
        }
        Ok(stat)
    }

    /// The node's own metadata, taken over from the host when first changed. The fields to be
    /// set become concrete.
    pub fn stat_mut(&mut self, id: NodeId, set: &[Field]) -> Result<&mut libc::stat, Errno> {
        if self.node(id).stat.is_none() {
            let stat = self.stat(id)?;
            self.node_mut(id).stat = Some(stat);
        }
        let node = self.node_mut(id);
        for field in set {
            field.in_stat().for_each(|bytes| node.symbols.clear(bytes));
        }
        Ok(node.stat.as_mut().expect("just made"))
    }

    /// Sets the time of the last change of the bytes and of the metadata to now.
    pub fn touch_modified(&mut self, id: NodeId) {
        let (seconds, nanoseconds) = self.now;
        if let Ok(stat) = self.stat_mut(id, &[MTIME, CTIME]) {
            (stat.st_mtime, stat.st_mtime_nsec) = (seconds, nanoseconds);
            (stat.st_ctime, stat.st_ctime_nsec) = (seconds, nanoseconds);
        }
    }

    pub fn touch_changed(&mut self, id: NodeId) {
        let (seconds, nanoseconds) = self.now;
        if let Ok(stat) = self.stat_mut(id, &[CTIME]) {
            (stat.st_ctime, stat.st_ctime_nsec) = (seconds, nanoseconds);
        }
    }

    /// Whether the user may access the node; `want` is of `R_OK`, `W_OK`, `X_OK`.
    pub fn check_access(&self, id: NodeId, want: i32) -> Result<(), Errno> {
        let stat = self.stat(id)?;
        let mode = stat.st_mode;
        let user = &self.user;
        let granted = if user.uid == 0 {
            let executable = mode & 0o111 != 0 || mode & S_IFMT == S_IFDIR;
            if executable { 7 } else { 6 }
        } else if stat.st_uid == user.uid {
            mode >> 6 & 7
        } else if stat.st_gid == user.gid || user.groups.contains(&stat.st_gid) {
            mode >> 3 & 7
        } else {
            mode & 7
        };
        if want as u32 & !granted == 0 { Ok(()) } else { Err(Errno(EACCES)) }
    }

    // ---- names ---------------------------------------------------------------------------

    /// The node `name` of a directory, if there is one. Not for `.` and `..`.
    pub fn lookup(&mut self, directory: NodeId, name: &[u8]) -> Result<Option<NodeId>, Errno> {
        if let Some(known) = self.directory(directory)?.entries.get(name) {
            return Ok(*known);
        }
        let Some(parent) = &self.node(directory).host else {
            self.note_missing(directory, name);
            return Ok(None);
        };
        let path = parent.join(OsStr::from_bytes(name));
        if is_other_process(&path) {
            return Ok(None);
        }
        let found = host_lstat(&path);
        if self.sandbox.sight(&path) == Sight::Hidden {
            if found.is_err() || is_private(parent) {
                return Ok(None);
            }
            self.refuse(&path);
            return Err(Errno(EACCES));
        }
        match found {
            Ok(stat) => self.adopt(directory, name, path, &stat).map(Some),
            Err(Errno(ENOENT)) => Ok(None),
            Err(errno) => Err(errno),
        }
    }

    /// Notes a file that Linux has in the process's directory and we do not.
    fn note_missing(&mut self, directory: NodeId, name: &[u8]) {
        let own = self.user.pid.to_string().into_bytes();
        if self.directory(directory).is_ok_and(|directory| *directory.name == own[..]) {
            let path = Path::new("/proc/self").join(OsStr::from_bytes(name));
            if host_lstat(&path).is_ok() {
                self.notes.push(format!("{} is not supported", path.display()));
            }
        }
    }

    fn refuse(&mut self, path: &Path) {
        let path = path.display();
        self.notes.push(format!("reading {path} was refused; --allow-read {path} permits it"));
    }

    /// Makes a node of a host file.
    fn adopt(
        &mut self,
        parent: NodeId,
        name: &[u8],
        path: PathBuf,
        stat: &libc::stat,
    ) -> Result<NodeId, Errno> {
        let shared = (stat.st_dev, stat.st_ino);
        // Where the host itself is changed, each name is looked up for itself.
        let several = stat.st_nlink > 1 && !self.sandbox.writes_through(&path);
        if several
            && stat.st_mode & S_IFMT != S_IFDIR
            && let Some(&id) = self.by_inode.get(&shared)
        {
            self.directory_mut(parent).enter(name, Some(id));
            return Ok(id);
        }
        let kind = match stat.st_mode & S_IFMT {
            S_IFDIR => return self.adopt_directory(parent, name, path),
            S_IFREG => Kind::HostFile,
            S_IFLNK => Kind::Symlink(std::fs::read_link(&path)?.as_os_str().as_bytes().into()),
            S_IFIFO => Kind::Fifo(None),
            _ => Kind::Special(stat.st_rdev),
        };
        let id = self.nodes.push(Node::of_host(kind, path));
        if several {
            Rc::make_mut(&mut self.by_inode).insert(shared, id);
        }
        self.directory_mut(parent).enter(name, Some(id));
        Ok(id)
    }

    fn adopt_directory(
        &mut self,
        parent: NodeId,
        name: &[u8],
        path: PathBuf,
    ) -> Result<NodeId, Errno> {
        let kind = Kind::Directory(Directory::new(parent, name));
        let id = self.nodes.push(Node::of_host(kind, path));
        self.directory_mut(parent).enter(name, Some(id));
        Ok(id)
    }

    /// A new node without a name.
    pub fn create_nameless(
        &mut self,
        parent: NodeId,
        kind: Kind,
        mode: u32,
    ) -> Result<NodeId, Errno> {
        let directory = self.stat(parent)?;
        // SAFETY: all-zero bytes are a valid `stat`.
        let mut stat: libc::stat = unsafe { std::mem::zeroed() };
        let inherits = directory.st_mode & libc::S_ISGID != 0;
        stat.st_mode = mode;
        stat.st_dev = directory.st_dev;
        stat.st_ino = self.next_ino;
        stat.st_nlink = 0;
        stat.st_uid = self.user.uid;
        stat.st_gid = if inherits { directory.st_gid } else { self.user.gid };
        stat.st_blksize = 4096;
        let (seconds, nanoseconds) = self.now;
        (stat.st_atime, stat.st_atime_nsec) = (seconds, nanoseconds);
        (stat.st_mtime, stat.st_mtime_nsec) = (seconds, nanoseconds);
        (stat.st_ctime, stat.st_ctime_nsec) = (seconds, nanoseconds);
        match &kind {
            Kind::Directory(_) => {
                (stat.st_size, stat.st_blocks) = (4096, 8);
                stat.st_mode |= if inherits { libc::S_ISGID } else { 0 };
            }
            Kind::Symlink(target) => stat.st_size = target.len() as i64,
            Kind::Special(device) => stat.st_rdev = *device,
            _ => {}
        }
        self.next_ino += 1;
        Ok(self.create_known(kind, stat))
    }

    /// A node without a name whose metadata is known.
    pub fn create_known(&mut self, kind: Kind, stat: libc::stat) -> NodeId {
        let symbols = Symbols::default();
        self.nodes.push(Node { kind, host: None, stat: Some(stat), symbols })
    }

    /// A new node under a name that is free.
    pub fn create(
        &mut self,
        parent: NodeId,
        name: &[u8],
        kind: Kind,
        mode: u32,
    ) -> Result<NodeId, Errno> {
        self.check_changeable(parent)?;
        let id = self.create_nameless(parent, kind, mode)?;
        self.attach(parent, name, id)?;
        Ok(id)
    }

    /// Puts a node of the kernel's own under a name, whatever was there.
    pub fn plant(
        &mut self,
        parent: NodeId,
        name: &[u8],
        kind: Kind,
        mode: u32,
    ) -> Result<NodeId, Errno> {
        let id = self.create_nameless(parent, kind, mode)?;
        self.stat_mut(id, &[NLINK])?.st_nlink = if mode & S_IFMT == S_IFDIR { 2 } else { 1 };
        self.directory_mut(parent).enter(name, Some(id));
        Ok(id)
    }

    pub fn plant_directory(
        &mut self,
        parent: NodeId,
        name: &[u8],
        mode: u32,
    ) -> Result<NodeId, Errno> {
        self.plant(parent, name, Kind::Directory(Directory::new(parent, name)), S_IFDIR | mode)
    }

    /// Lets a name stand for a file of the host, whose path is relative to the root.
    pub fn plant_host(&mut self, parent: NodeId, name: &[u8], path: &str) {
        let path = self.node(ROOT).host.as_ref().expect("the root is the host's").join(path);
        let id = self.nodes.push(Node::of_host(Kind::HostFile, path));
        self.directory_mut(parent).enter(name, Some(id));
    }

    pub fn create_directory(
        &mut self,
        parent: NodeId,
        name: &[u8],
        mode: u32,
    ) -> Result<NodeId, Errno> {
        self.create(parent, name, Kind::Directory(Directory::new(parent, name)), S_IFDIR | mode)
    }

    /// Whether names may be added to and taken from a directory.
    pub fn check_changeable(&self, directory: NodeId) -> Result<(), Errno> {
        if self.directory(directory)?.removed {
            return Err(Errno(ENOENT));
        }
        self.check_access(directory, libc::W_OK | libc::X_OK)
    }

    /// Whether `node` may lose its name in `directory`, which may be sticky.
    pub fn check_removable(&self, directory: NodeId, node: NodeId) -> Result<(), Errno> {
        self.check_changeable(directory)?;
        let parent = self.stat(directory)?;
        let uid = self.user.uid;
        let sticky = parent.st_mode & libc::S_ISVTX != 0;
        if sticky && uid != 0 && uid != parent.st_uid && uid != self.stat(node)?.st_uid {
            return Err(Errno(libc::EPERM));
        }
        Ok(())
    }

    /// Gives `node` a name.
    pub fn attach(&mut self, parent: NodeId, name: &[u8], id: NodeId) -> Result<(), Errno> {
        self.directory_mut(parent).enter(name, Some(id));
        self.touch_modified(parent);
        if self.is_directory(id) {
            let directory = self.directory_mut(id);
            (directory.parent, directory.removed) = (parent, false);
            directory.name = name.into();
            self.stat_mut(id, &[NLINK])?.st_nlink = self.stat(id)?.st_nlink.max(2);
            self.stat_mut(parent, &[NLINK])?.st_nlink += 1;
        } else {
            self.stat_mut(id, &[NLINK])?.st_nlink += 1;
            self.touch_changed(id);
        }
        Ok(())
    }

    /// Takes a name from its node.
    pub fn detach(&mut self, parent: NodeId, name: &[u8], id: NodeId) -> Result<(), Errno> {
        let on_host = self.node(parent).host.is_some();
        let directory = self.directory_mut(parent);
        match on_host {
            true => directory.enter(name, None),
            false => directory.forget(name),
        }
        self.touch_modified(parent);
        if self.is_directory(id) {
            self.stat_mut(parent, &[NLINK])?.st_nlink -= 1;
        } else {
            self.stat_mut(id, &[NLINK])?.st_nlink -= 1;
            self.touch_changed(id);
        }
        Ok(())
    }

    /// Drops what is known about a name, so that the host is asked again.
    pub fn forget(&mut self, parent: NodeId, name: &[u8]) {
        self.directory_mut(parent).forget(name);
    }

    /// Cuts a node from the host's path, which no longer leads to it.
    pub fn abandon(&mut self, id: NodeId, stat: libc::stat) {
        let node = self.node_mut(id);
        (node.stat, node.host) = (Some(stat), None);
        if let Kind::Directory(directory) = &mut node.kind {
            directory.removed = true;
        }
    }

    /// Follows a rename on the host.
    pub fn move_host_paths(&mut self, old: &Path, new: &Path) {
        for id in self.nodes.ids() {
            let Some(path) = &self.node(id).host else { continue };
            if let Ok(rest) = path.strip_prefix(old) {
                let empty = rest.as_os_str().is_empty();
                let path = if empty { new.to_owned() } else { new.join(rest) };
                self.node_mut(id).host = Some(path);
            }
        }
    }

    /// Puts a node the host has renamed under its new name.
    pub fn adopt_moved(&mut self, parent: NodeId, name: &[u8], id: NodeId) {
        self.directory_mut(parent).enter(name, Some(id));
        if self.is_directory(id) {
            let directory = self.directory_mut(id);
            (directory.parent, directory.name) = (parent, name.into());
        }
    }

    /// Marks a directory as deleted once its name is gone.
    pub fn bury(&mut self, id: NodeId) -> Result<(), Errno> {
        self.directory_mut(id).removed = true;
        self.stat_mut(id, &[NLINK])?.st_nlink = 0;
        Ok(())
    }

    /// The entries of a directory in the order of the host or the recording, then those the program
    /// made.
    pub fn list(&mut self, id: NodeId) -> Result<Vec<Listed>, Errno> {
        let directory = self.directory(id)?;
        if directory.removed {
            return Ok(Vec::new());
        }
        let (parent, mut listing) = (directory.parent, Vec::new());
        let ino = self.stat(id)?.st_ino;
        let parent_ino = self.stat(parent)?.st_ino;
        let dots = [(&b"."[..], ino), (b"..", parent_ino)];
        let dots = dots.map(|(name, ino)| Listed { name: name.to_vec(), ino, kind: libc::DT_DIR });
        match self.node(id).host.clone() {
            Some(path) => self.list_host(id, &path, &mut listing)?,
            None => listing.extend(dots),
        }
        let mut own = Vec::new();
        let listed: std::collections::HashSet<Vec<u8>> =
            listing.iter().map(|entry| entry.name.clone()).collect();
        for (name, node) in self.directory(id)?.entries.iter() {
            if let (Some(node), false) = (node, listed.contains(&name[..])) {
                let stat = self.stat(*node)?;
                let kind = (stat.st_mode >> 12 & 15) as u8;
                own.push(Listed { name: name.to_vec(), ino: stat.st_ino, kind });
            }
        }
        listing.extend(own);
        let order = self.node(id).host.as_ref().and_then(|path| self.listings.get(path));
        if let Some(order) = order {
            let places: HashMap<&[u8], usize> =
                order.iter().enumerate().map(|(at, name)| (&name[..], at + 1)).collect();
            listing.sort_by_key(|entry| match &entry.name[..] {
                b"." | b".." => 0,
                name => places.get(name).copied().unwrap_or(usize::MAX),
            });
        }
        Ok(listing)
    }

    fn list_host(
        &mut self,
        id: NodeId,
        path: &Path,
        listing: &mut Vec<Listed>,
    ) -> Result<(), Errno> {
        let whole = self.sandbox.sight(path) == Sight::Full;
        if !whole && !is_private(path) {
            self.refuse(path);
            return Err(Errno(EACCES));
        }
        for mut entry in host_list(path)? {
            let dots = entry.name == b"." || entry.name == b"..";
            let child = path.join(OsStr::from_bytes(&entry.name));
            let hidden = !dots && !whole && self.sandbox.sight(&child) == Sight::Hidden;
            if hidden || is_other_process(&child) {
                continue;
            }
            match self.directory(id)?.entries.get(&entry.name[..]) {
                Some(None) => continue,
                Some(Some(node)) => {
                    let stat = self.stat(*node)?;
                    (entry.ino, entry.kind) = (stat.st_ino, (stat.st_mode >> 12 & 15) as u8);
                }
                None => {}
            }
            listing.push(entry);
        }
        Ok(())
    }

    pub fn is_empty(&mut self, id: NodeId) -> Result<bool, Errno> {
        let dots = |entry: &Listed| entry.name == b"." || entry.name == b"..";
        Ok(self.list(id)?.iter().all(dots))
    }

    /// The absolute path of a directory, if it still has one.
    pub fn path_of(&self, id: NodeId) -> Option<Vec<u8>> {
        let mut parts = Vec::new();
        let mut current = id;
        while current != ROOT {
            let directory = self.directory(current).ok()?;
            if directory.removed {
                return None;
            }
            parts.push(directory.name.clone());
            current = directory.parent;
        }
        let mut path = Vec::new();
        for part in parts.iter().rev() {
            path.push(b'/');
            path.extend_from_slice(part);
        }
        Some(if path.is_empty() { b"/".to_vec() } else { path })
    }

    /// Whether `ancestor` is `id` or a directory above it.
    pub fn is_within(&self, id: NodeId, ancestor: NodeId) -> bool {
        let mut current = id;
        loop {
            match self.directory(current) {
                _ if current == ancestor => return true,
                Ok(directory) if current != ROOT => current = directory.parent,
                _ => return false,
            }
        }
    }

    // ---- bytes ---------------------------------------------------------------------------

    /// The host's file behind an unchanged node.
    pub fn open_host(&self, id: NodeId) -> Result<Rc<File>, Errno> {
        let path = self.node(id).host.as_ref().ok_or(Errno(ENOENT))?;
        let file = File::open(path)?;
        self.opened.note(path);
        Ok(Rc::new(file))
    }

    /// The node's bytes, to be changed; the host's file is put under them first.
    pub fn contents_mut(&mut self, id: NodeId) -> Result<&mut Contents, Errno> {
        if matches!(self.node(id).kind, Kind::HostFile) {
            self.stat_mut(id, &[])?;
            let contents = Contents::over(self.open_host(id)?);
            self.node_mut(id).kind = Kind::File(contents);
        }
        match &mut self.node_mut(id).kind {
            Kind::File(contents) => Ok(contents),
            Kind::Directory(_) => Err(Errno(EISDIR)),
            _ => Err(Errno(libc::EINVAL)),
        }
    }

    /// Gives a file other bytes; all else about it stays.
    pub fn replace_contents(&mut self, id: NodeId, contents: Contents) -> Result<(), Errno> {
        self.stat_mut(id, &[])?;
        self.node_mut(id).kind = Kind::File(contents);
        Ok(())
    }

    pub fn truncate(&mut self, id: NodeId, size: u64) -> Result<(), Errno> {
        if size == 0 && matches!(self.node(id).kind, Kind::HostFile) {
            self.stat_mut(id, &[])?;
            self.node_mut(id).kind = Kind::File(Contents::default());
        } else {
            self.contents_mut(id)?.set_size(size);
        }
        self.touch_modified(id);
        Ok(())
    }
}

pub(crate) fn c_path(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).expect("paths come from C strings")
}

pub(crate) fn host_lstat(path: &Path) -> Result<libc::stat, Errno> {
    // SAFETY: all-zero bytes are a valid `stat`, and the host fills it.
    unsafe {
        let mut stat: libc::stat = std::mem::zeroed();
        host(libc::lstat(c_path(path).as_ptr(), &mut stat).into())?;
        Ok(stat)
    }
}

/// All entries of a host directory, `.` and `..` too, in the order the host gives them.
fn host_list(path: &Path) -> Result<Vec<Listed>, Errno> {
    let mut listing = Vec::new();
    // SAFETY: the stream is open until `closedir`, and each entry is copied before the next call.
    unsafe {
        let stream = libc::opendir(c_path(path).as_ptr());
        if stream.is_null() {
            return Err(Errno::last());
        }
        while let Some(entry) = libc::readdir64(stream).as_ref() {
            let name = std::ffi::CStr::from_ptr(entry.d_name.as_ptr()).to_bytes().to_vec();
            listing.push(Listed { name, ino: entry.d_ino, kind: entry.d_type });
        }
        libc::closedir(stream);
    }
    Ok(listing)
}

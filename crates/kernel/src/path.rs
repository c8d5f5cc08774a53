//! From a path to a node: relative paths, `..`, symbolic links, trailing slashes.

use std::collections::VecDeque;

use libc::{ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR, X_OK};

use crate::Linux;
use crate::errno::Errno;
use crate::overlay::{Kind, NodeId, ROOT, Tree};

/// What to do with a symbolic link at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    Follow,
    /// Follow unless a slash comes after it: the caller refuses to make a directory.
    FollowToCreate,
    /// Follow only if a slash comes after it, as `lstat` does.
    Keep,
    /// Never, as calls that make or remove a name do.
    KeepAlways,
}

/// The last component of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Last {
    Name,
    Dot,
    DotDot,
    Root,
}

/// Where a path leads: a name in a directory, and the node there if there is one.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub parent: NodeId,
    pub name: Vec<u8>,
    pub node: Option<NodeId>,
    pub last: Last,
    /// The path ends in a slash.
    pub slash: bool,
}

impl Place {
    /// The node, which must be there.
    pub fn existing(&self, tree: &Tree) -> Result<NodeId, Errno> {
        let node = self.node.ok_or(Errno(ENOENT))?;
        if self.slash && !tree.is_directory(node) {
            return Err(Errno(ENOTDIR));
        }
        Ok(node)
    }
}

const MAX_LINKS: u32 = 40;

impl Tree {
    /// Follows `path` from the directory `start`.
    pub fn resolve(&mut self, start: NodeId, path: &[u8], links: Links) -> Result<Place, Errno> {
        if path.is_empty() {
            return Err(Errno(ENOENT));
        }
        if path.len() >= 4096 {
            return Err(Errno(ENAMETOOLONG));
        }
        let mut current = if path[0] == b'/' { ROOT } else { start };
        let mut slash = path.ends_with(b"/");
        let mut rest: VecDeque<Vec<u8>> = components(path).collect();
        let mut n_links = 0;
        let here =
            |node, last, slash| Place { parent: node, name: vec![], node: Some(node), last, slash };
        if rest.is_empty() {
            return Ok(here(ROOT, Last::Root, slash));
        }
        while let Some(name) = rest.pop_front() {
            let parent = self.directory(current)?.parent;
            self.check_access(current, X_OK)?;
            if name == b"." || name == b".." {
                let last = if name == b"." { Last::Dot } else { Last::DotDot };
                current = if last == Last::Dot { current } else { parent };
                if rest.is_empty() {
                    return Ok(here(current, last, slash));
                }
                continue;
            }
            if name.len() > 255 {
                return Err(Errno(ENAMETOOLONG));
            }
            let node = self.lookup(current, &name)?;
            let is_last = rest.is_empty();
            if let Some(target) = node.and_then(|node| self.link_target(node)) {
                let follow = match links {
                    Links::Follow => true,
                    Links::FollowToCreate => !slash,
                    Links::Keep => slash,
                    Links::KeepAlways => false,
                };
                if !is_last || follow {
                    n_links += 1;
                    if n_links > MAX_LINKS {
                        return Err(Errno(ELOOP));
                    }
                    slash |= is_last && target.ends_with(b"/");
                    if target.first() == Some(&b'/') {
                        current = ROOT;
                    }
                    let inner: Vec<_> = components(&target).collect();
                    if inner.is_empty() && is_last {
                        return Ok(here(ROOT, Last::Root, slash));
                    }
                    for component in inner.into_iter().rev() {
                        rest.push_front(component);
                    }
                    continue;
                }
            }
            if is_last {
                return Ok(Place { parent: current, name, node, last: Last::Name, slash });
            }
            current = node.ok_or(Errno(ENOENT))?;
        }
        unreachable!("the last component returns")
    }

    fn link_target(&self, node: NodeId) -> Option<Vec<u8>> {
        match &self.node(node).kind {
            Kind::Symlink(target) => Some(target.to_vec()),
            _ => None,
        }
    }
}

fn components(path: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    path.split(|&byte| byte == b'/').filter(|part| !part.is_empty()).map(<[u8]>::to_vec)
}

impl Linux {
    /// The descriptor a path such as `/dev/stdin` or `/proc/self/fd/3` stands for.
    pub(crate) fn descriptor_alias(&self, path: &[u8]) -> Option<i32> {
        match path {
            b"/dev/stdin" => return Some(0),
            b"/dev/stdout" => return Some(1),
            b"/dev/stderr" => return Some(2),
            _ => {}
        }
        let own = format!("/proc/{}/fd/", self.world.tree.user.pid);
        let prefixes =
            [&b"/dev/fd/"[..], b"/proc/self/fd/", b"/proc/thread-self/fd/", own.as_bytes()];
        let number = prefixes.into_iter().find_map(|prefix| path.strip_prefix(prefix))?;
        std::str::from_utf8(number).ok()?.parse().ok().filter(|&fd: &i32| fd >= 0)
    }
}

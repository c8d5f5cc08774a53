//! The standard streams of a run that prints nothing: regular files without a name, the same that
//! native replay gives a program.

use fathom_expr::ExprId;
use libc::{O_RDWR, S_IFREG};

use crate::Linux;
use crate::contents::Contents;
use crate::errno::Errno;
use crate::fd::OpenFile;
use crate::file::RegularFile;
use crate::open::O_LARGEFILE;
use crate::overlay::{Kind, NodeId, ROOT};
use crate::symbols::Symbols;

/// Where Linux keeps files in memory without a name: no other file is on this device.
const MEMORY_DEVICE: u64 = 1;

/// How much is kept of what the program prints to a stream.
const KEPT: u64 = 1 << 20;

/// Where what the program prints to a stream is kept: behind `start` in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    pub node: NodeId,
    pub start: u64,
}

impl Kept {
    /// The contents of a file to keep it in.
    pub fn contents(start: u64) -> Contents {
        let mut contents = Contents::keeping(start + KEPT);
        contents.set_size(start);
        contents
    }
}

/// What a state has printed: bytes, and which of them are symbolic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    pub bytes: Vec<u8>,
    /// Offset and 8-bit expression, in order; `bytes` has placeholders there.
    pub symbols: Vec<(u64, ExprId)>,
}

impl Linux {
    /// Opens descriptors 0 to 2.
    pub(crate) fn open_streams(&mut self, input: Contents) -> Result<[NodeId; 3], Errno> {
        let contents = [input, Kept::contents(0), Kept::contents(0)];
        let mut nodes = [ROOT; 3];
        for (fd, contents) in contents.into_iter().enumerate() {
            let tree = &mut self.world.tree;
            nodes[fd] = tree.create_nameless(ROOT, Kind::File(contents), S_IFREG | 0o777)?;
            tree.stat_mut(nodes[fd], &[])?.st_dev = MEMORY_DEVICE;
            let description = Box::new(RegularFile::new(nodes[fd], None));
            let mut file = OpenFile::new(description, O_RDWR | O_LARGEFILE);
            file.path = b"/memfd:fathom (deleted)"[..].into();
            self.files.open_at(fd, file, false);
        }
        self.printed = [nodes[1], nodes[2]].map(|node| Some(Kept { node, start: 0 }));
        Ok(nodes)
    }

    /// What the program has printed to standard output, descriptor 1 at the start, or standard
    /// error, descriptor 2; nothing where the host has printed it.
    pub fn output(&self, fd: i32) -> Printed {
        let Some(Kept { node, start }) = self.printed[usize::from(fd == 2)] else {
            return Printed::default();
        };
        let Kind::File(contents) = &self.world.tree.node(node).kind else {
            return Printed::default();
        };
        let mut bytes = vec![0; contents.size().saturating_sub(start).min(KEPT) as usize];
        let mut symbols = Symbols::default();
        contents.read_at(&mut bytes, &mut symbols, start);
        Printed { bytes, symbols: symbols.as_slice().to_vec() }
    }
}

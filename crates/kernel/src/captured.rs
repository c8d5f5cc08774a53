//! What the program prints, kept with the state instead of being printed.

use std::rc::Rc;

use fathom_expr::ExprId;

use crate::errno::Errno;
use crate::fd::{FileDescription, Io};
use crate::symbols::Symbols;
use crate::{Linux, World};

/// How much is kept of each stream.
const KEPT: u64 = 1 << 20;

/// Standard output or standard error; to the program, a pipe that never fills.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Captured {
    Output,
    Error,
}

/// What a state has printed: bytes, and which of them are symbolic.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    pub bytes: Vec<u8>,
    /// Offset and 8-bit expression, in order; `bytes` has placeholders there.
    pub symbols: Vec<(u64, ExprId)>,
}

impl FileDescription for Captured {
    fn copied(&self) -> Rc<dyn FileDescription> {
        Rc::new(*self)
    }

    fn write(
        &mut self,
        world: &mut World,
        _: Io,
        bytes: &[u8],
        symbols: &Symbols,
    ) -> Result<usize, Errno> {
        let kept = &mut world.printed[*self as usize];
        let size = kept.size();
        let length = bytes.len().min((KEPT - size) as usize);
        kept.write_at(&bytes[..length], symbols, size);
        if length < bytes.len() {
            world.note(format!("output after the first {KEPT} bytes is not kept"));
        }
        Ok(bytes.len())
    }

    fn stat(&self, world: &World) -> Result<libc::stat, Errno> {
        Ok(crate::pipe::stat(world, libc::S_IFIFO | 0o600, 14, 0xfff0 + *self as u64))
    }

    fn ready(&self, _: &World) -> i16 {
        libc::POLLOUT
    }

    fn reopen(&self, _: &mut World) -> Option<Box<dyn FileDescription>> {
        Some(Box::new(*self))
    }
}

impl Linux {
    /// What the program has printed to standard output, descriptor 1 at the start, or standard
    /// error, descriptor 2; nothing where the host has printed it.
    pub fn output(&self, fd: i32) -> Printed {
        let stream = if fd == 2 { Captured::Error } else { Captured::Output };
        let contents = &self.world.printed[stream as usize];
        let mut bytes = vec![0; contents.size() as usize];
        let mut symbols = Symbols::default();
        contents.read_at(&mut bytes, &mut symbols, 0);
        Printed { bytes, symbols: symbols.as_slice().to_vec() }
    }
}

//! KLEE's `.ktest` format, byte for byte.

use std::fs;
use std::path::Path;

use crate::{Error, Result, write};

const MAGIC: &[u8; 5] = b"KTEST";
/// What very old versions of KLEE wrote; its own tools still take it.
const OLD_MAGIC: &[u8; 5] = b"BOUT\n";
const VERSION: u32 = 3;

/// A `.ktest` file: the command line given to KLEE, and the objects in the order of creation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KTest {
    /// The program and its arguments, `--sym-arg` and its kind not yet replaced.
    pub args: Vec<Vec<u8>>,
    /// Unused by KLEE today, always 0.
    pub sym_argvs: u32,
    /// Unused by KLEE today, always 0.
    pub sym_argv_len: u32,
    pub objects: Vec<KObject>,
}

/// A symbolic object and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KObject {
    pub name: Vec<u8>,
    pub bytes: Vec<u8>,
}

impl KTest {
    pub fn is_ktest(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC) || bytes.starts_with(OLD_MAGIC)
    }

    pub fn read(path: &Path) -> Result<KTest> {
        let bytes = fs::read(path).map_err(Error::read(path))?;
        KTest::from_bytes(&bytes).map_err(|what| Error::format(path, what))
    }

    pub fn write(&self, path: &Path) -> Result<()> {
        write::write_file(path, self.to_bytes())
    }

    /// Parses; the error says what is wrong. Bytes after the last object are ignored, as by KLEE.
    pub fn from_bytes(bytes: &[u8]) -> std::result::Result<KTest, String> {
        if !KTest::is_ktest(bytes) {
            return Err("not a .ktest file".into());
        }
        let mut from = Cursor(&bytes[MAGIC.len()..]);
        let cut = || "a .ktest file that ends too early".to_string();
        let version = from.number().ok_or_else(cut)?;
        if version > VERSION {
            return Err(format!(
                ".ktest version {version}; only versions up to {VERSION} are known"
            ));
        }
        from.contents(version).ok_or_else(cut)
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        put(&mut out, VERSION);
        put(&mut out, self.args.len() as u32);
        self.args.iter().for_each(|arg| put_bytes(&mut out, arg));
        put(&mut out, self.sym_argvs);
        put(&mut out, self.sym_argv_len);
        put(&mut out, self.objects.len() as u32);
        for object in &self.objects {
            put_bytes(&mut out, &object.name);
            put_bytes(&mut out, &object.bytes);
        }
        out
    }
}

fn put(out: &mut Vec<u8>, value: u32) {
    out.extend_from_slice(&value.to_be_bytes());
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u32);
    out.extend_from_slice(bytes);
}

struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn number(&mut self) -> Option<u32> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_be_bytes(*number))
    }

    fn bytes(&mut self) -> Option<Vec<u8>> {
        let len = self.number()?;
        let (bytes, rest) = self.0.split_at_checked(len as usize)?;
        self.0 = rest;
        Some(bytes.to_vec())
    }

    fn contents(&mut self, version: u32) -> Option<KTest> {
        let args = (0..self.number()?).map(|_| self.bytes()).collect::<Option<_>>()?;
        let (sym_argvs, sym_argv_len) = match version {
            0 | 1 => (0, 0),
            _ => (self.number()?, self.number()?),
        };
        let objects = (0..self.number()?)
            .map(|_| Some(KObject { name: self.bytes()?, bytes: self.bytes()? }))
            .collect::<Option<_>>()?;
        Some(KTest { args, sym_argvs, sym_argv_len, objects })
    }
}

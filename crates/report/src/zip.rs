//! A zip archive of files stored as they are, the same bytes for the same files.

/// 1980-01-01, the first day the format knows.
const DATE: u16 = 1 << 5 | 1;
const STORED: u16 = 0;
const VERSION: u16 = 10;

/// An archive being built in memory.
#[derive(Default)]
pub struct Zip {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    n_files: u32,
}

impl Zip {
    /// Adds a file; false when the archive can take no more (65,535 files, 4 GiB).
    pub fn add(&mut self, name: &str, contents: &[u8]) -> bool {
        let end = self.bytes.len() + contents.len() + 2 * name.len() + self.directory.len() + 128;
        if self.n_files == u32::from(u16::MAX) || u32::try_from(end).is_err() {
            return false;
        }
        let at = self.bytes.len() as u32;
        let mut about = Vec::new();
        for short in [VERSION, 0, STORED, 0, DATE] {
            about.extend_from_slice(&short.to_le_bytes());
        }
        for long in [crc32fast::hash(contents), contents.len() as u32, contents.len() as u32] {
            about.extend_from_slice(&long.to_le_bytes());
        }
        about.extend_from_slice(&(name.len() as u16).to_le_bytes());
        about.extend_from_slice(&[0, 0]);
        self.bytes.extend_from_slice(b"PK\x03\x04");
        self.bytes.extend_from_slice(&about);
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.extend_from_slice(contents);
        self.directory.extend_from_slice(b"PK\x01\x02");
        self.directory.extend_from_slice(&VERSION.to_le_bytes());
        self.directory.extend_from_slice(&about);
        self.directory.extend_from_slice(&[0; 10]);
        self.directory.extend_from_slice(&at.to_le_bytes());
        self.directory.extend_from_slice(name.as_bytes());
        self.n_files += 1;
        true
    }

    pub fn finish(mut self) -> Vec<u8> {
        let (at, len) = (self.bytes.len() as u32, self.directory.len() as u32);
        let n_files = (self.n_files as u16).to_le_bytes();
        self.bytes.append(&mut self.directory);
        self.bytes.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        self.bytes.extend_from_slice(&n_files);
        self.bytes.extend_from_slice(&n_files);
        self.bytes.extend_from_slice(&len.to_le_bytes());
        self.bytes.extend_from_slice(&at.to_le_bytes());
        self.bytes.extend_from_slice(&[0, 0]);
        self.bytes
    }
}

//! The kernel's `struct stat` of x86-64.

use crate::frames::Bytes;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    pub dev: u64,
    pub ino: u64,
    pub nlink: u64,
    pub mode: u32,
    pub uid: u32,
    pub gid: u32,
    pub rdev: u64,
    pub size: i64,
    pub blksize: i64,
    pub blocks: i64,
    pub atime: Time,
    pub mtime: Time,
    pub ctime: Time,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    pub seconds: i64,
    pub nanoseconds: i64,
}

/// `S_IF*`
const KIND: u32 = 0o170000;

impl Stat {
    pub fn is_regular(&self) -> bool {
        self.mode & KIND == 0o100000
    }

    pub fn is_directory(&self) -> bool {
        self.mode & KIND == 0o040000
    }

    pub fn is_link(&self) -> bool {
        self.mode & KIND == 0o120000
    }

    pub fn is_fifo(&self) -> bool {
        self.mode & KIND == 0o010000
    }

    /// By the numbers of Linux: consoles, serial lines, `/dev/tty`, and those of windows, but not
    /// `/dev/ptmx`, which is another one each time.
    pub fn is_terminal(&self) -> bool {
        let (major, minor) = (self.rdev >> 8 & 0xfff, self.rdev & 0xff);
        let is_known = matches!(major, 4 | 5 | 136..=143 | 166 | 188 | 204);
        self.mode & KIND == 0o020000 && is_known && (major, minor) != (5, 2)
    }

    /// Whether what is read from it is gone for other readers.
    pub fn is_stream(&self) -> bool {
        self.is_fifo() || self.is_terminal()
    }

    pub(crate) fn read(bytes: &mut Bytes<'_>) -> Option<Stat> {
        let (dev, ino, nlink) = (bytes.u64()?, bytes.u64()?, bytes.u64()?);
        let (mode, uid, gid, _) = (bytes.u32()?, bytes.u32()?, bytes.u32()?, bytes.u32()?);
        let (rdev, size, blksize) = (bytes.u64()?, bytes.i64()?, bytes.i64()?);
        let blocks = bytes.i64()?;
        let (atime, mtime, ctime) = (bytes.time()?, bytes.time()?, bytes.time()?);
        bytes.take(24)?;
        Some(Stat {
            dev,
            ino,
            nlink,
            mode,
            uid,
            gid,
            rdev,
            size,
            blksize,
            blocks,
            atime,
            mtime,
            ctime,
        })
    }
}

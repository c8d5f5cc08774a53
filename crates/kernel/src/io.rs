//! Calls on descriptors: reading, writing, seeking, duplicating, `fcntl`.

use std::borrow::Cow;

use fathom_engine::memory::Memory;
use fathom_engine::outcome::{Fault, FaultKind};
use fathom_engine::system::SystemContext;
use libc::{EBADF, EINVAL, EPIPE, O_APPEND, O_NONBLOCK};

use crate::Linux;
use crate::errno::{Called, Early, Errno};
use crate::symbols::Symbols;

/// The most one call transfers, as in Linux.
const MAX_TRANSFER: u64 = 0x7fff_f000;

/// Pieces of memory to read or write in turn: address and length.
type Vectors = Vec<(u64, u64)>;

fn read_vectors(memory: &Memory, address: u64, count: u64) -> Result<Vectors, Early> {
    if count > 1024 {
        return Err(Errno(EINVAL).into());
    }
    let mut left = MAX_TRANSFER;
    let mut vectors = Vec::new();
    for index in 0..count {
        let base = memory.read_u64(address.wrapping_add(index * 16))?;
        let length = memory.read_u64(address.wrapping_add(index * 16 + 8))?;
        if length > i64::MAX as u64 {
            return Err(Errno(EINVAL).into());
        }
        let length = length.min(left);
        left -= length;
        vectors.push((base, length));
    }
    Ok(vectors)
}

fn offset_of(offset: u64) -> Result<Option<u64>, Errno> {
    if offset as i64 >= 0 { Ok(Some(offset)) } else { Err(Errno(EINVAL)) }
}

impl Linux {
    pub(crate) fn read(
        &mut self,
        context: &mut SystemContext<'_>,
        fd: i32,
        buffer: u64,
        length: u64,
    ) -> Called {
        self.read_into(context.memory, fd, &[(buffer, length.min(MAX_TRANSFER))], None)
    }

    pub(crate) fn pread64(
        &mut self,
        context: &mut SystemContext<'_>,
        fd: i32,
        buffer: u64,
        length: u64,
        offset: u64,
    ) -> Called {
        let offset = offset_of(offset)?;
        self.read_into(context.memory, fd, &[(buffer, length.min(MAX_TRANSFER))], offset)
    }

    pub(crate) fn readv(
        &mut self,
        context: &mut SystemContext<'_>,
        fd: i32,
        vectors: u64,
        count: u64,
        offset: Option<u64>,
    ) -> Called {
        let offset = offset.map_or(Ok(None), offset_of)?;
        let vectors = read_vectors(context.memory, vectors, count)?;
        self.read_into(context.memory, fd, &vectors, offset)
    }

    /// Reads into each piece until one is not filled.
    fn read_into(
        &mut self,
        memory: &mut Memory,
        fd: i32,
        vectors: &[(u64, u64)],
        mut offset: Option<u64>,
    ) -> Called {
        let file = self.files.get(fd)?;
        file.check_readable()?;
        if offset.is_some() {
            let position = file.description.seek(&mut self.world, 0, libc::SEEK_CUR);
            position.map_err(|_| Errno(libc::ESPIPE))?;
        }
        let mut total = 0;
        for &(address, length) in vectors {
            let room = memory.extent(address).unwrap_or(0).min(length);
            // An object smaller than the count is a fault only if the data goes past it: one
            // byte more shows that.
            let mut buffer = vec![0; length.min(room + 1) as usize];
            let (io, mut symbols) = (file.io(offset), Symbols::default());
            let result = file.description.read(&mut self.world, io, &mut buffer, &mut symbols);
            let count = match result {
                Err(_) if total > 0 => break,
                result => result?,
            };
            if count as u64 > room {
                memory.slice_mut(address, length)?;
            }
            memory.write(address, &buffer[..count])?;
            memory.set_symbols(address, symbols.as_slice());
            total += count as i64;
            offset = offset.map(|offset| offset.saturating_add(count as u64));
            let is_piece = count > 0 && file.description.pauses(&self.world);
            if (count as u64) < length || is_piece {
                break;
            }
        }
        Ok(total)
    }

    pub(crate) fn write(
        &mut self,
        context: &mut SystemContext<'_>,
        fd: i32,
        buffer: u64,
        length: u64,
    ) -> Called {
        self.write_from(context.memory, fd, &[(buffer, length.min(MAX_TRANSFER))], None)
    }

    pub(crate) fn pwrite64(
        &mut self,
        context: &mut SystemContext<'_>,
        fd: i32,
        buffer: u64,
        length: u64,
        offset: u64,
    ) -> Called {
        let offset = offset_of(offset)?;
        self.write_from(context.memory, fd, &[(buffer, length.min(MAX_TRANSFER))], offset)
    }

    pub(crate) fn writev(
        &mut self,
        context: &mut SystemContext<'_>,
        fd: i32,
        vectors: u64,
        count: u64,
        offset: Option<u64>,
    ) -> Called {
        let offset = offset.map_or(Ok(None), offset_of)?;
        let vectors = read_vectors(context.memory, vectors, count)?;
        self.write_from(context.memory, fd, &vectors, offset)
    }

    /// Writes the pieces as one.
    fn write_from(
        &mut self,
        memory: &Memory,
        fd: i32,
        vectors: &[(u64, u64)],
        offset: Option<u64>,
    ) -> Called {
        let limit = self.max_file_size();
        let file = self.files.get(fd)?;
        file.check_writable()?;
        if offset.is_some() {
            let position = file.description.seek(&mut self.world, 0, libc::SEEK_CUR);
            position.map_err(|_| Errno(libc::ESPIPE))?;
        }
        if file.description.host_fd().is_some() {
            // The host takes no symbols: the engine picks values for them.
            for &(address, length) in vectors {
                memory.slice(address, length)?;
            }
        }
        let (bytes, symbols) = match *vectors {
            [(address, length)] => {
                let (bytes, symbols) = data_at(memory, address, length)?;
                (Cow::Borrowed(bytes), symbols)
            }
            _ => gather(memory, vectors)?,
        };
        let io = file.io(offset);
        let room = file.room(&mut self.world, io, limit)?;
        if room == 0 && !bytes.is_empty() {
            return Err(self.too_large().into());
        }
        let bytes =
            &bytes[..usize::try_from(room).map_or(bytes.len(), |room| room.min(bytes.len()))];
        let result = file.description.write(&mut self.world, io, bytes, &symbols);
        if result == Err(Errno(EPIPE)) {
            self.signals.raise(libc::SIGPIPE);
        }
        Ok(result? as i64)
    }

    pub(crate) fn lseek(&mut self, fd: i32, offset: i64, whence: i32) -> Called {
        let file = self.files.get_opened(fd)?;
        if !(0..=4).contains(&whence) {
            return Err(Errno(EINVAL).into());
        }
        Ok(file.description.seek(&mut self.world, offset, whence)?)
    }

    pub(crate) fn close(&mut self, fd: i32) -> Called {
        self.files.close(&mut self.world, fd)?;
        Ok(0)
    }

    pub(crate) fn close_range(&mut self, first: u64, last: u64, flags: u64) -> Called {
        let (first, last) = (first as u32, last as u32);
        if first > last {
            return Err(Errno(EINVAL).into());
        }
        for fd in first..=last.min(self.files.end() as u32) {
            if flags & 4 != 0 {
                if let Ok(cloexec) = self.files.close_on_exec(fd as i32) {
                    *cloexec = true;
                }
            } else {
                // Descriptors that are not open are skipped.
                let _ = self.files.close(&mut self.world, fd as i32);
            }
        }
        Ok(0)
    }

    pub(crate) fn dup(&mut self, fd: i32) -> Called {
        Ok(self.files.duplicate(fd, 0, false)?.into())
    }

    pub(crate) fn dup2(&mut self, fd: i32, new: i32) -> Called {
        Ok(self.files.duplicate_to(&mut self.world, fd, new, false)?.into())
    }

    pub(crate) fn dup3(&mut self, fd: i32, new: i32, flags: i32) -> Called {
        if fd == new || flags & !libc::O_CLOEXEC != 0 {
            return Err(Errno(EINVAL).into());
        }
        Ok(self.files.duplicate_to(&mut self.world, fd, new, flags != 0)?.into())
    }

    pub(crate) fn fcntl(
        &mut self,
        context: &mut SystemContext<'_>,
        fd: i32,
        command: i32,
        argument: u64,
    ) -> Called {
        const SETTABLE: i32 =
            O_APPEND | O_NONBLOCK | libc::O_ASYNC | libc::O_DIRECT | libc::O_NOATIME;
        const SHARED_FLAGS: i32 =
            !(libc::O_CLOEXEC | libc::O_CREAT | libc::O_EXCL | libc::O_TRUNC | libc::O_NOCTTY);
        let file = self.files.get(fd)?;
        match command {
            libc::F_DUPFD | libc::F_DUPFD_CLOEXEC => {
                let lowest = argument as u32 as usize;
                let cloexec = command == libc::F_DUPFD_CLOEXEC;
                Ok(self.files.duplicate(fd, lowest, cloexec)?.into())
            }
            libc::F_GETFD => Ok(i64::from(*self.files.close_on_exec(fd)?)),
            libc::F_SETFD => {
                *self.files.close_on_exec(fd)? = argument & 1 != 0;
                Ok(0)
            }
            libc::F_GETFL => Ok(i64::from(file.flags & SHARED_FLAGS)),
            libc::F_SETFL => {
                file.flags = file.flags & !SETTABLE | argument as i32 & SETTABLE;
                Ok(0)
            }
            libc::F_GETLK | libc::F_OFD_GETLK => {
                // Nobody else holds a lock.
                context.memory.write(argument, &(libc::F_UNLCK as i16).to_le_bytes())?;
                Ok(0)
            }
            libc::F_SETLK | libc::F_SETLKW | libc::F_OFD_SETLK | libc::F_OFD_SETLKW => Ok(0),
            libc::F_GETOWN | libc::F_SETOWN => Ok(0),
            libc::F_GETPIPE_SZ => Ok(65536),
            libc::F_SETPIPE_SZ => Ok(argument as i64),
            libc::F_GETLEASE => Ok(libc::F_UNLCK.into()),
            _ => Err(Errno(EINVAL).into()),
        }
    }

    pub(crate) fn check_fd(&mut self, fd: i32) -> Called {
        self.files.get_opened(fd)?;
        Ok(0)
    }

    /// Only what is stored somewhere can be written there.
    pub(crate) fn fsync(&mut self, fd: i32) -> Called {
        let stat = self.files.get_opened(fd)?.description.stat(&self.world)?;
        match stat.st_mode & libc::S_IFMT {
            libc::S_IFREG | libc::S_IFDIR | libc::S_IFBLK => Ok(0),
            _ => Err(Errno(EINVAL).into()),
        }
    }

    pub(crate) fn ftruncate(&mut self, fd: i32, size: i64) -> Called {
        let size = u64::try_from(size).map_err(|_| Errno(EINVAL))?;
        let file = self.files.get_opened(fd)?;
        file.check_writable().map_err(|_| Errno(EINVAL))?;
        let before = file.description.stat(&self.world)?.st_size as u64;
        self.check_growth(before, size)?;
        self.files.get_opened(fd)?.description.truncate(&mut self.world, size)?;
        Ok(0)
    }

    /// Whether a file may get a new size.
    pub(crate) fn check_growth(&mut self, before: u64, size: u64) -> Result<(), Errno> {
        match size <= before || size <= self.max_file_size() {
            true => Ok(()),
            false => Err(self.too_large()),
        }
    }

    /// What is said of a file that would be larger than the limit, besides the signal.
    fn too_large(&mut self) -> Errno {
        self.signals.raise(libc::SIGXFSZ);
        Errno(libc::EFBIG)
    }

    pub(crate) fn fallocate(&mut self, fd: i32, mode: i32, offset: i64, length: i64) -> Called {
        let file = self.files.get_opened(fd)?;
        let (offset, length) = (u64::try_from(offset), u64::try_from(length));
        let (Ok(offset), Ok(length @ 1..)) = (offset, length) else {
            return Err(Errno(EINVAL).into());
        };
        let punch = mode == libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        if !punch && mode != 0 && mode != libc::FALLOC_FL_KEEP_SIZE {
            return Err(Errno(libc::EOPNOTSUPP).into());
        }
        file.check_writable()?;
        if let Some(host_fd) = file.description.host_fd() {
            // SAFETY: a plain host call.
            let result = unsafe { libc::fallocate(host_fd, mode, offset as i64, length as i64) };
            return Ok(crate::errno::host(result.into())?);
        }
        let Some(node) = file.description.node() else { return Err(Errno(libc::ENODEV).into()) };
        let end = offset.checked_add(length).ok_or(Errno(libc::EFBIG))?;
        if mode == 0 {
            self.check_growth(self.world.tree.stat(node)?.st_size as u64, end)?;
        }
        let contents = self.world.tree.contents_mut(node)?;
        match mode {
            0 | libc::FALLOC_FL_KEEP_SIZE => {
                if mode == 0 && end > contents.size() {
                    contents.set_size(end);
                }
                contents.reserve(offset, length).ok_or(Errno(libc::ENOSPC))?;
            }
            _ => contents.punch(offset, length),
        }
        self.world.tree.touch_modified(node);
        Ok(0)
    }

    pub(crate) fn sendfile(
        &mut self,
        context: &mut SystemContext<'_>,
        [to, from, offset, count, ..]: [u64; 6],
    ) -> Called {
        self.copy(context, (from as i32, offset), (to as i32, 0), count)
    }

    pub(crate) fn copy_file_range(
        &mut self,
        context: &mut SystemContext<'_>,
        [from, from_offset, to, to_offset, count, flags]: [u64; 6],
    ) -> Called {
        if flags != 0 {
            return Err(Errno(EINVAL).into());
        }
        let mut devices = [0; 2];
        for (device, fd) in devices.iter_mut().zip([from, to]) {
            let stat = self.files.get(fd as i32)?.description.stat(&self.world)?;
            match stat.st_mode & libc::S_IFMT {
                libc::S_IFREG => *device = stat.st_dev,
                libc::S_IFDIR => return Err(Errno(libc::EISDIR).into()),
                _ => return Err(Errno(EINVAL).into()),
            }
        }
        self.files.get(from as i32)?.check_readable()?;
        self.files.get(to as i32)?.check_writable()?;
        if self.files.get(to as i32)?.flags & O_APPEND != 0 {
            return Err(Errno(EBADF).into());
        }
        // Since Linux 5.19.
        if devices[0] != devices[1] {
            return Err(Errno(libc::EXDEV).into());
        }
        self.copy(context, (from as i32, from_offset), (to as i32, to_offset), count)
    }

    /// Copies between descriptors; an offset of 0 means the file's own position.
    fn copy(
        &mut self,
        context: &mut SystemContext<'_>,
        (from, from_offset): (i32, u64),
        (to, to_offset): (i32, u64),
        count: u64,
    ) -> Called {
        let read_offset = |address: u64, memory: &Memory| match address {
            0 => Ok::<_, Early>(None),
            _ => Ok(offset_of(memory.read_u64(address)?)?),
        };
        let mut source_at = read_offset(from_offset, context.memory)?;
        let mut target_at = read_offset(to_offset, context.memory)?;
        self.files.get(from)?.check_readable()?;
        self.files.get(to)?.check_writable()?;
        let limit = self.max_file_size();
        let mut total = 0;
        let mut buffer = vec![0; count.min(1 << 18) as usize];
        while total < count.min(MAX_TRANSFER) {
            let target = self.files.get(to)?;
            let io = target.io(target_at);
            let room = target.room(&mut self.world, io, limit)?;
            if room == 0 && total > 0 {
                break;
            }
            if room == 0 {
                return Err(self.too_large().into());
            }
            let room = usize::try_from(room).unwrap_or(usize::MAX);
            let length = buffer.len().min((count - total) as usize).min(room);
            let source = self.files.get(from)?;
            let io = source.io(source_at);
            let (part, mut symbols) = (&mut buffer[..length], Symbols::default());
            let read = source.description.read(&mut self.world, io, part, &mut symbols)?;
            if read == 0 {
                break;
            }
            let target = self.files.get(to)?;
            let io = target.io(target_at);
            let part = &buffer[..read];
            let result = target.description.write(&mut self.world, io, part, &symbols);
            let written = match result {
                Err(Errno(EPIPE)) => {
                    self.signals.raise(libc::SIGPIPE);
                    return Err(Errno(EPIPE).into());
                }
                result => result?,
            };
            total += written as u64;
            source_at = source_at.map(|offset| offset + written as u64);
            target_at = target_at.map(|offset| offset + written as u64);
            if written < read {
                break;
            }
        }
        for (address, offset) in [(from_offset, source_at), (to_offset, target_at)] {
            if let Some(offset) = offset {
                context.memory.write_u64(address, offset)?;
            }
        }
        Ok(total as i64)
    }
}

/// Bytes of memory, and which of them are symbolic.
pub(crate) fn data_at(
    memory: &Memory,
    address: u64,
    length: u64,
) -> Result<(&[u8], Symbols), Fault> {
    match memory.slice(address, length) {
        Ok(bytes) => Ok((bytes, Symbols::default())),
        Err(fault) if fault.kind == FaultKind::Symbolic => {
            Ok((memory.bytes(address, length)?, memory.symbols(address, length).into()))
        }
        Err(fault) => Err(fault),
    }
}

/// The pieces as one, with their symbolic bytes.
fn gather<'a>(memory: &Memory, vectors: &[(u64, u64)]) -> Result<(Cow<'a, [u8]>, Symbols), Early> {
    let (mut bytes, mut symbols) = (Vec::new(), Symbols::default());
    for &(address, length) in vectors {
        let (piece, piece_symbols) = data_at(memory, address, length)?;
        symbols.copy(bytes.len() as u64, &piece_symbols, 0, length);
        bytes.extend_from_slice(piece);
    }
    Ok((Cow::Owned(bytes), symbols))
}

//! Memory from the kernel: `mmap` and its relatives. Every mapping is an object of its own.

use std::rc::Rc;

use fathom_engine::memory::{Memory, ObjectKind};
use fathom_engine::system::SystemContext;
use libc::{EINVAL, ENODEV, ENOMEM, MAP_ANONYMOUS, MAP_FIXED, MAP_SHARED, PROT_WRITE};

use crate::contents::PAGE;
use crate::errno::{Called, Early, Errno, if_there};
use crate::fd::OpenFile;
use crate::io::data_at;
use crate::symbols::Symbols;
use crate::{Linux, World};

const MAP_FIXED_NOREPLACE: i32 = 0x10_0000;

/// Where the break stays: the C library's allocator is the engine's, so nothing grows it.
const BREAK: i64 = 0x5555_5555_0000;

/// The mappings that live.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mappings(Rc<Vec<Mapping>>);

#[derive(Clone, Debug)]
struct Mapping {
    base: u64,
    length: u64,
    /// The file that changes are written back to, and the offset in it.
    shared: Option<(OpenFile, u64)>,
}

impl Mappings {
    fn at(&self, address: u64) -> Option<usize> {
        self.0.iter().position(|mapping| address.wrapping_sub(mapping.base) < mapping.length)
    }

    fn get_mut(&mut self) -> &mut Vec<Mapping> {
        Rc::make_mut(&mut self.0)
    }
}

fn round_up(length: u64) -> Option<u64> {
    length.checked_next_multiple_of(PAGE).filter(|&length| length > 0 && length <= 1 << 36)
}

impl Linux {
    pub(crate) fn mmap(
        &mut self,
        context: &mut SystemContext<'_>,
        [_, length, protection, flags, fd, offset]: [u64; 6],
    ) -> Called {
        let (protection, flags) = (protection as i32, flags as i32);
        if length == 0 || offset % PAGE != 0 {
            return Err(Errno(EINVAL).into());
        }
        let length = round_up(length).ok_or(Errno(ENOMEM))?;
        if flags & MAP_FIXED != 0 || flags & MAP_FIXED_NOREPLACE == MAP_FIXED_NOREPLACE {
            self.world.note("mmap at a fixed address is not supported");
            return Err(Errno(ENOMEM).into());
        }
        let file = match flags & MAP_ANONYMOUS {
            0 => Some(self.mapped_file(fd as i32, protection, flags)?),
            _ => None,
        };
        let base = context.memory.allocate(length, PAGE, ObjectKind::Mapping, context.trace);
        let base = base.map_err(|_| Errno(ENOMEM))?;
        let mut shared = None;
        if let Some(mut file) = file {
            fill(&mut self.world, context.memory, &mut file, offset, (base, length))?;
            if flags & libc::MAP_TYPE == MAP_SHARED && protection & PROT_WRITE != 0 {
                self.world
                    .note("a shared file mapping is written back at munmap, msync and exit only");
                shared = Some((file, offset));
            }
        }
        if protection & PROT_WRITE == 0 && flags & MAP_ANONYMOUS == 0 {
            context.memory.set_writable(base, false);
        }
        self.mappings.get_mut().push(Mapping { base, length, shared });
        Ok(base as i64)
    }

    fn mapped_file(&mut self, fd: i32, protection: i32, flags: i32) -> Result<OpenFile, Errno> {
        let file = self.files.get(fd)?;
        file.check_readable().map_err(|_| Errno(libc::EACCES))?;
        if flags & libc::MAP_TYPE == MAP_SHARED && protection & PROT_WRITE != 0 {
            file.check_writable().map_err(|_| Errno(libc::EACCES))?;
        }
        let kind = file.description.stat(&self.world)?.st_mode & libc::S_IFMT;
        if kind != libc::S_IFREG {
            return Err(Errno(ENODEV));
        }
        let mut file = file.clone();
        // The file's own position plays no part, and appending would move the write-back.
        file.flags &= !libc::O_APPEND;
        Ok(file)
    }

    pub(crate) fn munmap(
        &mut self,
        context: &mut SystemContext<'_>,
        address: u64,
        length: u64,
    ) -> Called {
        if !address.is_multiple_of(PAGE) || length == 0 {
            return Err(Errno(EINVAL).into());
        }
        let length = round_up(length).ok_or(Errno(EINVAL))?;
        let Some(index) = self.mappings.at(address) else { return Ok(0) };
        let mapping = &self.mappings.0[index];
        if mapping.base != address || mapping.length > length {
            self.world.note("munmap of a part of a mapping does nothing");
            return Ok(0);
        }
        self.write_back(context, index)?;
        self.mappings.get_mut().remove(index);
        context.memory.free(address, context.trace)?;
        Ok(0)
    }

    pub(crate) fn msync(&mut self, context: &mut SystemContext<'_>, address: u64) -> Called {
        match self.mappings.at(address) {
            Some(index) => self.write_back(context, index)?,
            None => return Err(Errno(ENOMEM).into()),
        }
        Ok(0)
    }

    /// Writes a shared mapping to its file, as far as the file goes.
    fn write_back(&mut self, context: &mut SystemContext<'_>, index: usize) -> Result<(), Early> {
        let mapping = &mut self.mappings.get_mut()[index];
        let Some((file, offset)) = &mut mapping.shared else { return Ok(()) };
        let Ok(stat) = file.description.stat(&self.world) else { return Ok(()) };
        let length = (stat.st_size as u64).saturating_sub(*offset).min(mapping.length);
        let data = if_there(data_at(context.memory, mapping.base, length))?;
        let Some((bytes, symbols)) = data else { return Ok(()) };
        let (mut current, mut current_symbols) = (vec![0; bytes.len()], Symbols::default());
        let io = file.io(Some(*offset));
        let description = &mut file.description;
        let count = description.read(&mut self.world, io, &mut current, &mut current_symbols);
        let same = count == Ok(bytes.len()) && current == bytes && current_symbols == symbols;
        if !same && description.write(&mut self.world, io, bytes, &symbols).is_err() {
            self.world.note("a shared file mapping could not be written back");
        }
        Ok(())
    }

    /// What the kernel does when the process ends.
    pub(crate) fn finish(&mut self, context: &mut SystemContext<'_>) -> Result<(), Early> {
        for index in 0..self.mappings.0.len() {
            self.write_back(context, index)?;
        }
        Ok(())
    }

    pub(crate) fn mprotect(
        &mut self,
        context: &mut SystemContext<'_>,
        address: u64,
        length: u64,
        protection: i32,
    ) -> Called {
        if !address.is_multiple_of(PAGE) {
            return Err(Errno(EINVAL).into());
        }
        let Some(index) = self.mappings.at(address) else {
            return if context.memory.extent(address).is_some() {
                Ok(0)
            } else {
                Err(Errno(ENOMEM).into())
            };
        };
        let mapping = &self.mappings.0[index];
        if mapping.base == address && length >= mapping.length {
            context.memory.set_writable(address, protection & PROT_WRITE != 0);
        }
        Ok(0)
    }

    pub(crate) fn mremap(
        &mut self,
        context: &mut SystemContext<'_>,
        [old, old_length, new_length, flags, ..]: [u64; 6],
    ) -> Called {
        let length = round_up(new_length).ok_or(Errno(EINVAL))?;
        let old_length = round_up(old_length).ok_or(Errno(EINVAL))?;
        if old % PAGE != 0 || flags as i32 & !libc::MREMAP_MAYMOVE != 0 {
            return Err(Errno(EINVAL).into());
        }
        let index = self.mappings.at(old).ok_or(Errno(libc::EFAULT))?;
        if length == old_length {
            return Ok(old as i64);
        }
        if self.mappings.0[index].base != old || flags as i32 & libc::MREMAP_MAYMOVE == 0 {
            return if length < old_length { Ok(old as i64) } else { Err(Errno(ENOMEM).into()) };
        }
        let kept = self.mappings.0[index].length.min(length);
        let (bytes, symbols) = data_at(context.memory, old, kept)?;
        let bytes = bytes.to_vec();
        let base = context.memory.allocate(length, PAGE, ObjectKind::Mapping, context.trace);
        let base = base.map_err(|_| Errno(ENOMEM))?;
        context.memory.write(base, &bytes)?;
        context.memory.set_symbols(base, symbols.as_slice());
        context.memory.free(old, context.trace)?;
        let mapping = &mut self.mappings.get_mut()[index];
        (mapping.base, mapping.length) = (base, length);
        Ok(base as i64)
    }

    pub(crate) fn brk(&mut self) -> Called {
        Ok(BREAK)
    }

    pub(crate) fn madvise(
        &mut self,
        context: &mut SystemContext<'_>,
        address: u64,
        length: u64,
        advice: i32,
    ) -> Called {
        let writable =
            self.mappings.at(address).is_some_and(|i| self.mappings.0[i].shared.is_none());
        if advice == libc::MADV_DONTNEED && writable {
            let length = length.min(context.memory.extent(address).unwrap_or(0));
            if_there(context.memory.write(address, &vec![0; length as usize]))?;
        }
        Ok(0)
    }

    /// Every page that holds a byte of a live object is in memory; the others do not exist.
    pub(crate) fn mincore(
        &mut self,
        context: &mut SystemContext<'_>,
        address: u64,
        length: u64,
        vector: u64,
    ) -> Called {
        let pages = round_up(length).ok_or(Errno(ENOMEM))? / PAGE;
        let exists = |page| context.memory.touches_object(address.wrapping_add(page * PAGE), PAGE);
        if !address.is_multiple_of(PAGE) {
            return Err(Errno(libc::EINVAL).into());
        }
        if !(0..pages).all(exists) {
            return Err(Errno(ENOMEM).into());
        }
        context.memory.write(vector, &vec![1; pages as usize])?;
        Ok(0)
    }
}

/// Fills a new mapping, base and length, with the bytes of a file from `offset` on.
fn fill(
    world: &mut World,
    memory: &mut Memory,
    file: &mut OpenFile,
    offset: u64,
    (base, length): (u64, u64),
) -> Result<(), Early> {
    const PIECE: u64 = 1 << 20;
    let mut buffer = vec![0; length.min(PIECE) as usize];
    let mut done = 0;
    while done < length {
        let part = &mut buffer[..(length - done).min(PIECE) as usize];
        let mut symbols = Symbols::default();
        let io = file.io(Some(offset.saturating_add(done)));
        let count = file.description.read(world, io, part, &mut symbols)?;
        if count == 0 {
            break;
        }
        memory.write(base + done, &part[..count])?;
        memory.set_symbols(base + done, symbols.as_slice());
        done += count as u64;
    }
    Ok(())
}

//! Bytes in the private layer: changed pages over an unchanged host file, with holes.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::rc::Rc;

use crate::symbols::Symbols;

pub(crate) const PAGE: u64 = 4096;

/// A file's bytes. Clones share the pages until one of them writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    size: u64,
    /// The host file whose bytes show where no page is.
    base: Option<Base>,
    pages: Rc<BTreeMap<u64, Rc<Page>>>,
    /// Where bytes are not kept any more: they read as zeros.
    limit: Option<u64>,
}

#[derive(Clone, Debug)]
struct Page {
    /// Zeros at the end are left out: most of what programs print is short, and every path has its
    /// own.
    bytes: Vec<u8>,
    symbols: Symbols,
}

impl Page {
    fn read(&self, part: &mut [u8], within: usize) {
        let kept = self.bytes.get(within..).unwrap_or_default();
        let length = kept.len().min(part.len());
        part[..length].copy_from_slice(&kept[..length]);
        part[length..].fill(0);
    }

    fn write(&mut self, part: &[u8], within: usize) {
        let end = within + part.len();
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        self.bytes[within..end].copy_from_slice(part);
    }
}

#[derive(Clone, Debug)]
struct Base {
    file: Rc<File>,
    /// What is left of it: truncation cuts it for good.
    size: u64,
}

impl Contents {
    /// The contents of a host file, to be changed without touching it.
    pub fn over(file: Rc<File>) -> Self {
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        Self { size, base: Some(Base { file, size }), ..Self::default() }
    }

    /// An empty file that keeps only so many of its first bytes.
    pub fn keeping(limit: u64) -> Self {
        Self { limit: Some(limit), ..Self::default() }
    }

    /// Whether it has lost bytes.
    pub fn is_cut(&self) -> bool {
        self.limit.is_some_and(|limit| self.size > limit)
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    /// Blocks of 512 bytes that hold data.
    pub fn blocks(&self) -> u64 {
        let base_pages = self.base_size().div_ceil(PAGE);
        let beyond = self.pages.range(base_pages..).count() as u64;
        (base_pages + beyond) * (PAGE / 512)
    }

    fn base_size(&self) -> u64 {
        self.base.as_ref().map_or(0, |base| base.size)
    }

    /// Reads what is there; the count is short only at the end of the file. `symbols` gets the
    /// symbolic bytes of the buffer.
    pub fn read_at(&self, buffer: &mut [u8], symbols: &mut Symbols, offset: u64) -> usize {
        let available = self.size.saturating_sub(offset).min(buffer.len() as u64) as usize;
        let mut done = 0;
        while done < available {
            let position = offset + done as u64;
            let within = (position % PAGE) as usize;
            let length = (PAGE as usize - within).min(available - done);
            let part = &mut buffer[done..done + length];
            match self.pages.get(&(position / PAGE)) {
                Some(page) => {
                    page.read(part, within);
                    symbols.copy(done as u64, &page.symbols, within as u64, length as u64);
                }
                None => self.read_base(part, position),
            }
            done += length;
        }
        available
    }

    fn read_base(&self, part: &mut [u8], position: u64) {
        part.fill(0);
        let Some(base) = &self.base else { return };
        let length = base.size.saturating_sub(position).min(part.len() as u64) as usize;
        let mut done = 0;
        while done < length {
            match base.file.read_at(&mut part[done..length], position + done as u64) {
                Ok(0) | Err(_) => break,
                Ok(count) => done += count,
            }
        }
    }

    /// Writes all of `bytes`, growing the file where needed; `symbols` are the symbolic ones.
    pub fn write_at(&mut self, bytes: &[u8], symbols: &Symbols, offset: u64) {
        let kept = self.limit.map_or(u64::MAX, |limit| limit.saturating_sub(offset));
        let kept = kept.min(bytes.len() as u64) as usize;
        let mut done = 0;
        while done < kept {
            let position = offset + done as u64;
            let within = (position % PAGE) as usize;
            let length = (PAGE as usize - within).min(kept - done);
            let page = self.page_mut(position / PAGE);
            page.write(&bytes[done..done + length], within);
            page.symbols.copy(within as u64, symbols, done as u64, length as u64);
            done += length;
        }
        if !bytes.is_empty() {
            self.size = self.size.max(offset + bytes.len() as u64);
        }
    }

    fn page_mut(&mut self, index: u64) -> &mut Page {
        if !self.pages.contains_key(&index) {
            let below = self.base_size().saturating_sub(index * PAGE).min(PAGE);
            let mut bytes = vec![0; below as usize];
            self.read_base(&mut bytes, index * PAGE);
            let page = Rc::new(Page { bytes, symbols: Symbols::default() });
            Rc::make_mut(&mut self.pages).insert(index, page);
        }
        Rc::make_mut(Rc::make_mut(&mut self.pages).get_mut(&index).expect("just made"))
    }

    /// Makes zeros of a part of a page.
    fn clear(&mut self, index: u64, within: u64, length: u64) {
        let page = self.page_mut(index);
        let end = page.bytes.len().min((within + length) as usize);
        if let Some(part) = page.bytes.get_mut(within as usize..end) {
            part.fill(0);
        }
        page.symbols.clear(within..within + length);
    }

    /// Cuts or extends the file; an extension is a hole.
    pub fn set_size(&mut self, size: u64) {
        if size < self.size {
            if let Some(base) = &mut self.base {
                base.size = base.size.min(size);
            }
            Rc::make_mut(&mut self.pages).split_off(&size.div_ceil(PAGE));
            if !size.is_multiple_of(PAGE) && self.pages.contains_key(&(size / PAGE)) {
                self.clear(size / PAGE, size % PAGE, PAGE - size % PAGE);
            }
        }
        self.size = size;
    }

    /// Makes `length` bytes at `offset` real, as `fallocate` does; `None`: too much to keep.
    pub fn reserve(&mut self, offset: u64, length: u64) -> Option<()> {
        let end = offset.checked_add(length)?;
        if length > 1 << 28 {
            return None;
        }
        for index in offset / PAGE..end.div_ceil(PAGE) {
            self.page_mut(index);
        }
        Some(())
    }

    /// Makes a hole of `length` bytes at `offset`.
    pub fn punch(&mut self, offset: u64, length: u64) {
        let end = offset.saturating_add(length).min(self.size);
        let mut position = offset;
        while position < end {
            let within = position % PAGE;
            let count = (PAGE - within).min(end - position);
            let index = position / PAGE;
            let whole = within == 0 && count == PAGE;
            if whole && position >= self.base_size() {
                Rc::make_mut(&mut self.pages).remove(&index);
            } else {
                self.clear(index, within, count);
            }
            position += count;
        }
    }

    /// The first data, or the first hole, at or after `offset`; `None` past the end.
    pub fn seek(&self, offset: u64, data: bool) -> Option<u64> {
        if offset >= self.size {
            return None;
        }
        let mut position = offset;
        while position < self.size {
            let index = position / PAGE;
            let is_data = position < self.base_size() || self.pages.contains_key(&index);
            if is_data == data {
                return Some(position);
            }
            position = match data {
                true => self.pages.range(index + 1..).next().map_or(self.size, |(i, _)| i * PAGE),
                false => (index + 1) * PAGE,
            };
        }
        if data { None } else { Some(self.size) }
    }
}

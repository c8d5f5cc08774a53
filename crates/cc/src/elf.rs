//! Reads and adds sections of 64-bit little-endian ELF files.
//!
//! New sections go to the end of the file and no existing section moves, so code, symbols and
//! relocations stay as the compiler wrote them.

use std::collections::HashSet;

/// Why bytes are not an ELF file we can work on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Defect {
    NotElf,
    Is32Bit,
    Truncated,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Relocatable,
    Executable,
    Dynamic,
    Other,
}

/// A parsed view of an ELF file's bytes.
pub(crate) struct Elf<'a> {
    bytes: &'a [u8],
    headers: Vec<Header>,
    names_idx: usize,
}

#[derive(Clone)]
struct Header {
    name: u32,
    kind: u32,
    flags: u64,
    offset: u64,
    size: u64,
    /// The 64 bytes as they stand in the file.
    raw: [u8; HEADER_SIZE],
}

/// A section to add.
pub(crate) struct NewSection<'a> {
    pub name: &'a str,
    pub bytes: &'a [u8],
    /// Left out of links, as `.llvm.lto` is.
    pub exclude: bool,
}

const HEADER_SIZE: usize = 64;
const SHT_PROGBITS: u32 = 1;
const SHT_NOBITS: u32 = 8;
const SHT_DYNAMIC: u32 = 6;
const SHF_EXCLUDE: u64 = 0x8000_0000;
/// Section counts from here on are stored in the first section header.
const SHN_LORESERVE: usize = 0xff00;
const SHN_XINDEX: usize = 0xffff;

impl<'a> Elf<'a> {
    pub fn parse(bytes: &'a [u8]) -> Result<Elf<'a>, Defect> {
        if !bytes.starts_with(b"\x7fELF") {
            return Err(Defect::NotElf);
        }
        match bytes.get(4..6) {
            Some([2, 1]) => {}
            Some([1, _]) => return Err(Defect::Is32Bit),
            Some(_) => return Err(Defect::NotElf),
            None => return Err(Defect::Truncated),
        }
        let table = u64_at(bytes, 0x28)? as usize;
        let mut n_sections = u16_at(bytes, 0x3c)? as usize;
        let mut names_idx = u16_at(bytes, 0x3e)? as usize;
        if table == 0 {
            return Ok(Elf { bytes, headers: Vec::new(), names_idx: 0 });
        }
        let first = Header::parse(bytes, table)?;
        if n_sections == 0 {
            n_sections = first.size as usize;
        }
        if names_idx == SHN_XINDEX {
            names_idx = u32_at(&first.raw, 40)? as usize;
        }
        if n_sections > bytes.len() / HEADER_SIZE {
            return Err(Defect::Truncated);
        }
        let headers = (0..n_sections)
            .map(|i| Header::parse(bytes, table + i * HEADER_SIZE))
            .collect::<Result<Vec<_>, _>>()?;
        let ends_inside = |h: &Header| {
            h.kind == SHT_NOBITS
                || h.offset.checked_add(h.size).is_some_and(|end| end <= bytes.len() as u64)
        };
        // The first header's size may be the section count.
        if !headers.iter().skip(1).all(ends_inside) || names_idx >= headers.len() {
            return Err(Defect::Truncated);
        }
        Ok(Elf { bytes, headers, names_idx })
    }

    pub fn kind(&self) -> Kind {
        match u16_at(self.bytes, 16) {
            Ok(1) => Kind::Relocatable,
            Ok(2) => Kind::Executable,
            Ok(3) => Kind::Dynamic,
            _ => Kind::Other,
        }
    }

    pub fn is_x86_64(&self) -> bool {
        u16_at(self.bytes, 18) == Ok(62)
    }

    /// Does it need a dynamic loader?
    pub fn is_dynamic(&self) -> bool {
        self.headers.iter().any(|h| h.kind == SHT_DYNAMIC)
    }

    pub fn has_sections(&self) -> bool {
        !self.headers.is_empty()
    }

    pub fn section(&self, name: &str) -> Option<&'a [u8]> {
        self.find(name).map(|idx| self.contents(&self.headers[idx]))
    }

    /// The names of all symbols that have a definition; empty in a stripped file.
    pub fn defined_symbols(&self) -> HashSet<&'a [u8]> {
        self.symbols(|entry| entry[6..8] != [0, 0])
    }

    /// The names of all symbols, defined or only used.
    pub fn all_symbols(&self) -> HashSet<&'a [u8]> {
        self.symbols(|_| true)
    }

    fn symbols(&self, wanted: impl Fn(&[u8]) -> bool) -> HashSet<&'a [u8]> {
        const ENTRY_SIZE: usize = 24;
        let (Some(table), Some(names)) = (self.section(".symtab"), self.section(".strtab")) else {
            return HashSet::new();
        };
        let entries = table.chunks_exact(ENTRY_SIZE).filter(|entry| wanted(entry));
        let name = |entry: &[u8]| {
            names.get(u32_at(entry, 0).ok()? as usize..)?.split(|&byte| byte == 0).next()
        };
        entries.filter_map(name).collect()
    }

    fn find(&self, name: &str) -> Option<usize> {
        let named = |h: &Header| self.name(h) == name.as_bytes() && h.kind != SHT_NOBITS;
        self.headers.iter().position(named)
    }

    /// Nothing for a header that points outside the file, as one without contents may.
    fn contents(&self, header: &Header) -> &'a [u8] {
        let end = header.offset.saturating_add(header.size) as usize;
        self.bytes.get(header.offset as usize..end).unwrap_or_default()
    }

    fn name(&self, header: &Header) -> &'a [u8] {
        let names = self.contents(&self.headers[self.names_idx]);
        let rest = names.get(header.name as usize..).unwrap_or_default();
        rest.split(|&byte| byte == 0).next().unwrap_or_default()
    }

    /// The file with these sections added, each replacing one of the same name.
    pub fn with_sections(&self, sections: &[NewSection<'_>]) -> Vec<u8> {
        let mut out = self.bytes.to_vec();
        let mut headers = self.headers.clone();
        let mut names = self.contents(&headers[self.names_idx]).to_vec();
        for section in sections {
            let offset = append(&mut out, section.bytes);
            let idx = self.find(section.name).unwrap_or_else(|| {
                headers.push(Header::new(names.len() as u32));
                names.extend(section.name.as_bytes());
                names.push(0);
                headers.len() - 1
            });
            let header = &mut headers[idx];
            (header.offset, header.size) = (offset, section.bytes.len() as u64);
            header.flags = if section.exclude { SHF_EXCLUDE } else { 0 };
        }
        let offset = append(&mut out, &names);
        (headers[self.names_idx].offset, headers[self.names_idx].size) =
            (offset, names.len() as u64);
        if headers.len() >= SHN_LORESERVE {
            headers[0].size = headers.len() as u64;
        }
        let table: Vec<u8> = headers.iter().flat_map(Header::encode).collect();
        let table_offset = append(&mut out, &table);
        out[0x28..0x30].copy_from_slice(&table_offset.to_le_bytes());
        let count = if headers.len() < SHN_LORESERVE { headers.len() as u16 } else { 0 };
        out[0x3c..0x3e].copy_from_slice(&count.to_le_bytes());
        out
    }
}

impl Header {
    fn new(name: u32) -> Header {
        let mut raw = [0; HEADER_SIZE];
        raw[48] = 1; // alignment
        Header { name, kind: SHT_PROGBITS, flags: 0, offset: 0, size: 0, raw }
    }

    fn parse(bytes: &[u8], at: usize) -> Result<Header, Defect> {
        let end = at.checked_add(HEADER_SIZE).ok_or(Defect::Truncated)?;
        let raw: [u8; HEADER_SIZE] = bytes
            .get(at..end)
            .ok_or(Defect::Truncated)?
            .try_into()
            .expect("the slice has this length");
        Ok(Header {
            name: u32_at(&raw, 0)?,
            kind: u32_at(&raw, 4)?,
            flags: u64_at(&raw, 8)?,
            offset: u64_at(&raw, 24)?,
            size: u64_at(&raw, 32)?,
            raw,
        })
    }

    fn encode(&self) -> [u8; HEADER_SIZE] {
        let mut raw = self.raw;
        raw[0..4].copy_from_slice(&self.name.to_le_bytes());
        raw[4..8].copy_from_slice(&self.kind.to_le_bytes());
        raw[8..16].copy_from_slice(&self.flags.to_le_bytes());
        raw[24..32].copy_from_slice(&self.offset.to_le_bytes());
        raw[32..40].copy_from_slice(&self.size.to_le_bytes());
        raw
    }
}

/// Appends at the next multiple of eight and returns where.
fn append(out: &mut Vec<u8>, bytes: &[u8]) -> u64 {
    out.resize(out.len().next_multiple_of(8), 0);
    let offset = out.len() as u64;
    out.extend(bytes);
    offset
}

fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], Defect> {
    let slice = bytes.get(at..at + N).ok_or(Defect::Truncated)?;
    Ok(slice.try_into().expect("the slice has this length"))
}

fn u16_at(bytes: &[u8], at: usize) -> Result<u16, Defect> {
    bytes_at(bytes, at).map(u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u32, Defect> {
    bytes_at(bytes, at).map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Result<u64, Defect> {
    bytes_at(bytes, at).map(u64::from_le_bytes)
}

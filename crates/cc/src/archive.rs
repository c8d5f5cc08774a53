//! Reads members of `ar` archives, thin ones included.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

const MAGIC: &[u8] = b"!<arch>\n";
const THIN_MAGIC: &[u8] = b"!<thin>\n";
const HEADER_SIZE: usize = 60;

/// An archive in memory.
#[derive(Default)]
pub(crate) struct Archive {
    bytes: Vec<u8>,
    members: Vec<(String, Place)>,
}

enum Place {
    Inside(Range<usize>),
    /// A thin archive only names its members.
    Beside(PathBuf),
}

impl Archive {
    /// Empty if the file cannot be read or is no archive.
    pub fn open(path: &Path) -> Archive {
        let mut archive =
            Archive { bytes: fs::read(path).unwrap_or_default(), members: Vec::new() };
        archive.members = archive.scan(path).unwrap_or_default();
        archive
    }

    /// The contents of every member the linker would print as `name`.
    pub fn named(&self, name: &str) -> Vec<Vec<u8>> {
        let wanted = self.members.iter().filter(|(member, place)| match place {
            Place::Inside(_) => member == name,
            Place::Beside(_) => {
                Path::new(name).ends_with(member) || Path::new(member).ends_with(name)
            }
        });
        let contents = wanted.filter_map(|(_, place)| match place {
            Place::Inside(range) => Some(self.bytes[range.clone()].to_vec()),
            Place::Beside(path) => fs::read(path).ok(),
        });
        contents.collect()
    }

    /// Every member's name and contents; one that cannot be read is empty.
    pub fn members(&self) -> impl Iterator<Item = (&str, Cow<'_, [u8]>)> {
        self.members.iter().map(|(name, place)| {
            let contents = match place {
                Place::Inside(range) => Cow::Borrowed(&self.bytes[range.clone()]),
                Place::Beside(path) => Cow::Owned(fs::read(path).unwrap_or_default()),
            };
            (name.as_str(), contents)
        })
    }

    /// The names in the archive's index.
    pub fn symbols(&self) -> HashSet<&[u8]> {
        let Some(header) = self.bytes.get(MAGIC.len()..MAGIC.len() + HEADER_SIZE) else {
            return HashSet::new();
        };
        let start = MAGIC.len() + HEADER_SIZE;
        let index = number(&header[48..58]).and_then(|size| self.bytes.get(start..start + size));
        let (Some(index), b"/") = (index, header[..16].trim_ascii_end()) else {
            return HashSet::new();
        };
        let count = index.first_chunk::<4>().map_or(0, |count| u32::from_be_bytes(*count) as usize);
        let names = index.get(4 + 4 * count..).unwrap_or_default();
        names.split(|&byte| byte == 0).take(count).collect()
    }

    fn scan(&self, path: &Path) -> Option<Vec<(String, Place)>> {
        let bytes = &self.bytes;
        let thin = bytes.starts_with(THIN_MAGIC);
        if !thin && !bytes.starts_with(MAGIC) {
            return None;
        }
        let mut members = Vec::new();
        let mut long_names: &[u8] = &[];
        let mut at = MAGIC.len();
        while let Some(header) = bytes.get(at..at + HEADER_SIZE) {
            let size = number(&header[48..58])?;
            at += HEADER_SIZE;
            let field = header[..16].trim_ascii_end();
            let is_table = matches!(field, b"/" | b"//" | b"/SYM64/");
            let stored = if thin && !is_table { 0 } else { size };
            let body = bytes.get(at..at + stored)?;
            if field == b"//" {
                long_names = body;
            } else if !is_table {
                let name = member_name(field, long_names);
                let place = match thin {
                    true => Place::Beside(path.parent()?.join(&name)),
                    false => Place::Inside(at..at + stored),
                };
                members.push((name, place));
            }
            at = (at + stored).next_multiple_of(2);
        }
        Some(members)
    }
}

/// An archive of these members, without an index, which our linker does not need.
pub(crate) fn encode<'a>(members: impl Iterator<Item = (&'a str, Cow<'a, [u8]>)>) -> Vec<u8> {
    let mut names = Vec::new();
    let mut bodies = Vec::new();
    for (name, contents) in members {
        append(&mut bodies, &format!("/{}", names.len()), &contents);
        names.extend([name.as_bytes(), b"/\n"].concat());
    }
    let mut out = MAGIC.to_vec();
    append(&mut out, "//", &names);
    out.extend(bodies);
    out
}

fn append(out: &mut Vec<u8>, name: &str, contents: &[u8]) {
    let size = contents.len();
    out.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 644).bytes());
    out.extend(contents);
    out.resize(out.len().next_multiple_of(2), b'\n');
}

fn member_name(field: &[u8], long_names: &[u8]) -> String {
    let long =
        field.strip_prefix(b"/").and_then(number).and_then(|offset| long_names.get(offset..));
    let name = match long {
        Some(rest) => rest.split(|&byte| byte == b'\n').next().unwrap_or_default(),
        None => field,
    };
    String::from_utf8_lossy(name.strip_suffix(b"/").unwrap_or(name)).into_owned()
}

fn number(digits: &[u8]) -> Option<usize> {
    std::str::from_utf8(digits.trim_ascii()).ok()?.parse().ok()
}

//! Reads members of `ar` archives, thin ones included.

use std::fs;
use std::path::Path;

const MAGIC: &[u8] = b"!<arch>\n";
const THIN_MAGIC: &[u8] = b"!<thin>\n";
const HEADER_SIZE: usize = 60;

/// The contents of every member called `name`; empty if the archive cannot be read.
pub(crate) fn members(archive: &Path, name: &str) -> Vec<Vec<u8>> {
    let Ok(bytes) = fs::read(archive) else { return Vec::new() };
    let thin = bytes.starts_with(THIN_MAGIC);
    if !thin && !bytes.starts_with(MAGIC) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut long_names: &[u8] = &[];
    let mut at = MAGIC.len();
    while let Some(header) = bytes.get(at..at + HEADER_SIZE) {
        let Some(size) = number(&header[48..58]) else { break };
        at += HEADER_SIZE;
        let field = header[..16].trim_ascii_end();
        let is_table = matches!(field, b"/" | b"//" | b"/SYM64/");
        let stored = if thin && !is_table { 0 } else { size };
        let Some(body) = bytes.get(at..at + stored) else { break };
        if field == b"//" {
            long_names = body;
        } else if !is_table {
            let member = member_name(field, long_names);
            if thin && matches_name(&member, name) {
                let beside = archive.parent().unwrap_or(Path::new("")).join(&member);
                found.extend(fs::read(beside));
            } else if member == name {
                found.push(body.to_vec());
            }
        }
        at = (at + stored).next_multiple_of(2);
    }
    found
}

/// A thin archive stores paths; linkers print them as they are or relative to where they run.
fn matches_name(member: &str, printed: &str) -> bool {
    member == printed || Path::new(printed).ends_with(member) || Path::new(member).ends_with(printed)
}

fn member_name(field: &[u8], long_names: &[u8]) -> String {
    let long = field.strip_prefix(b"/").and_then(number).and_then(|offset| long_names.get(offset..));
    let name = match long {
        Some(rest) => rest.split(|&byte| byte == b'\n').next().unwrap_or_default(),
        None => field,
    };
    String::from_utf8_lossy(name.strip_suffix(b"/").unwrap_or(name)).into_owned()
}

fn number(digits: &[u8]) -> Option<usize> {
    std::str::from_utf8(digits.trim_ascii()).ok()?.parse().ok()
}

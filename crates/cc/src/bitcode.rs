//! Takes apart bitcode that a linker has concatenated.

const MAGIC: &[u8] = b"BC\xc0\xde";

/// The modules that stand one after the other in `bytes`; `None` if they do not read as bitcode.
pub(crate) fn split(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let mut modules = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let size = module_size(rest)?;
        let (module, tail) = rest.split_at(size);
        modules.push(module);
        rest = tail;
    }
    Some(modules)
}

/// Top-level blocks begin with a word that holds their kind and one that holds their length in
/// words; a module ends where no block follows.
fn module_size(bytes: &[u8]) -> Option<usize> {
    const ENTER_BLOCK: u32 = 1;
    let word =
        |at: usize| bytes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    if !bytes.starts_with(MAGIC) {
        return None;
    }
    let mut at = MAGIC.len();
    while at < bytes.len() && !bytes[at..].starts_with(MAGIC) {
        if word(at)? & 3 != ENTER_BLOCK {
            return None;
        }
        at += 8 + word(at + 4)? as usize * 4;
    }
    (at <= bytes.len()).then_some(at)
}

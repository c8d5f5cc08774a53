//! Expands `@file` arguments the way GNU tools do.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// Nesting beyond this is a file that includes itself.
const MAX_DEPTH: usize = 50;

/// Replaces every `@file` whose file can be read by the arguments in it, recursively; any other
/// argument, also an unreadable `@file`, stays as it is.
pub(crate) fn expand(args: Vec<OsString>) -> Vec<OsString> {
    let mut out = Vec::new();
    expand_into(args, 0, &mut out);
    out
}

fn expand_into(args: Vec<OsString>, depth: usize, out: &mut Vec<OsString>) {
    for arg in args {
        let file = arg.as_bytes().strip_prefix(b"@").filter(|_| depth < MAX_DEPTH);
        match file.and_then(|path| fs::read(Path::new(std::ffi::OsStr::from_bytes(path))).ok()) {
            Some(text) => expand_into(split(&text), depth + 1, out),
            None => out.push(arg),
        }
    }
}

/// Splits at white space; quotes of both kinds group, a backslash takes the next byte literally
/// anywhere, quotes included.
fn split(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', _) => word.get_or_insert_default().extend(bytes.next()),
            (_, Some(open)) if byte == open => quote = None,
            (_, Some(_)) => word.get_or_insert_default().push(byte),
            (b'\'' | b'"', None) => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c, None) => words.extend(word.take()),
            (_, None) => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.into_iter().map(OsString::from_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoting_is_gnu() {
        let words = split(b"-DA=1 'b c'\\ d \"e\\\"f\" ''\n-I\"x y\"  'it\\'s'");
        assert_eq!(words, ["-DA=1", "b c d", "e\"f", "", "-Ix y", "it's"]);
    }

    #[test]
    fn a_missing_file_stays_an_argument() {
        let args = vec![OsString::from("@no such file"), OsString::from("-c")];
        assert_eq!(expand(args.clone()), args);
    }
}

//! What is different between a test's input and one that shows a bug.

use std::fmt::Write;

use fathom_report::{InputKind, InputValue};
use serde::{Deserialize, Serialize};

/// Differing bytes further apart than this are shown apart.
const GAP: usize = 4;
/// More pieces of one input are counted, not shown.
const MAX_PIECES: usize = 8;

/// An input that differs.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Change {
    /// `argument 1`, `standard input`, or the path of a file.
    pub what: String,
    /// Arguments are shown whole.
    pub is_argument: bool,
    pub pieces: Vec<Piece>,
}

/// Bytes that stand beside each other.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Piece {
    pub offset: usize,
    pub before: Vec<u8>,
    pub after: Vec<u8>,
}

/// What differs between `before` and the inputs of a test case, in the order of those.
pub fn changes(inputs: &[InputValue], before: impl Fn(&str) -> Vec<u8>) -> Vec<Change> {
    let changed = inputs.iter().filter_map(|input| {
        let old = before(&input.name);
        if old == input.bytes {
            return None;
        }
        let is_argument = matches!(input.kind, InputKind::Arg { .. });
        let pieces = match is_argument {
            true => vec![Piece { offset: 0, before: old, after: text_of(&input.bytes) }],
            false => pieces(&old, &input.bytes),
        };
        Some(Change { what: name_of(&input.kind, &input.name), is_argument, pieces })
    });
    changed.collect()
}

fn name_of(kind: &InputKind, name: &str) -> String {
    match kind {
        InputKind::Arg { index } => format!("argument {index}"),
        InputKind::Stdin => "standard input".to_owned(),
        InputKind::File { path } => path.clone(),
        _ => name.to_owned(),
    }
}

/// An argument ends at its first NUL.
fn text_of(bytes: &[u8]) -> Vec<u8> {
    bytes.split(|&byte| byte == 0).next().unwrap_or_default().to_vec()
}

fn pieces(before: &[u8], after: &[u8]) -> Vec<Piece> {
    let mut pieces: Vec<std::ops::Range<usize>> = Vec::new();
    for at in (0..before.len().max(after.len())).filter(|&at| before.get(at) != after.get(at)) {
        match pieces.last_mut() {
            Some(last) if at < last.end + GAP => last.end = at + 1,
            _ => pieces.push(at..at + 1),
        }
    }
    let part = |bytes: &[u8], range: &std::ops::Range<usize>| {
        bytes[range.start.min(bytes.len())..range.end.min(bytes.len())].to_vec()
    };
    let piece = |range: &std::ops::Range<usize>| Piece {
        offset: range.start,
        before: part(before, range),
        after: part(after, range),
    };
    pieces.iter().map(piece).collect()
}

/// How many bytes differ.
pub fn size(changes: &[Change]) -> usize {
    let differing = |piece: &Piece| {
        let n = piece.before.len().max(piece.after.len());
        (0..n).filter(|&at| piece.before.get(at) != piece.after.get(at)).count()
    };
    changes.iter().flat_map(|change| &change.pieces).map(differing).sum()
}

/// For people.
pub fn render(changes: &[Change]) -> String {
    let mut text = String::new();
    for change in changes {
        if change.is_argument {
            let piece = &change.pieces[0];
            let (before, after) = (quoted(&piece.before), quoted(&piece.after));
            let _ = writeln!(text, "  - {}: {before}\n  + {}: {after}", change.what, change.what);
            continue;
        }
        for piece in change.pieces.iter().take(MAX_PIECES) {
            for (sign, bytes) in [('-', &piece.before), ('+', &piece.after)] {
                let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                let at = format!("{} at {:#06x}", change.what, piece.offset);
                let _ = writeln!(text, "  {sign} {at}: {}  {}", hex.join(" "), quoted(bytes));
            }
        }
        if change.pieces.len() > MAX_PIECES {
            let more = change.pieces.len() - MAX_PIECES;
            let _ = writeln!(text, "    {}: {more} more places", change.what);
        }
    }
    text
}

/// As a C string.
pub fn quoted(bytes: &[u8]) -> String {
    format!("\"{}\"", bytes.escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(name: &str, kind: InputKind, bytes: &[u8]) -> InputValue {
        InputValue { name: name.into(), kind, bytes: bytes.to_vec() }
    }

    #[test]
    fn only_what_differs() {
        let inputs = [
            input("arg01", InputKind::Arg { index: 1 }, b"-9"),
            input("arg02", InputKind::Arg { index: 2 }, b"same"),
            input("stdin", InputKind::Stdin, b"0123456789abcXef\0"),
        ];
        let before = |name: &str| match name {
            "arg01" => b"-1".to_vec(),
            "arg02" => b"same".to_vec(),
            _ => b"X123456789abcdef\n".to_vec(),
        };
        let changes = changes(&inputs, before);
        assert_eq!(size(&changes), 4);
        assert_eq!(
            render(&changes),
            "  - argument 1: \"-1\"\n  + argument 1: \"-9\"\n\
             \x20 - standard input at 0x0000: 58  \"X\"\n  + standard input at 0x0000: 30  \"0\"\n\
             \x20 - standard input at 0x000d: 64 65 66 0a  \"def\\n\"\n\
             \x20 + standard input at 0x000d: 58 65 66 00  \"Xef\\x00\"\n"
        );
    }
}

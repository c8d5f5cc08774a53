//! The input of a test case, for people: the command line, and each input as text and bytes.

use super::markup::{Html, count};
use crate::{InputKind, InputValue, TestCase, command_line, shell_quote};

/// Inputs of a test shown, and bytes of each.
const MAX_INPUTS: usize = 20;
const MAX_BYTES: usize = 512;
/// Bytes in a row of a dump: narrow enough for a telephone.
const ROW: usize = 8;

pub fn put(html: &mut Html, test: &TestCase) {
    html.put("<pre class=\"text\">{}</pre>\n", &[&command_line(test)]);
    for input in test.inputs.iter().take(MAX_INPUTS) {
        put_input(html, input);
    }
    if test.inputs.len() > MAX_INPUTS {
        let more = (test.inputs.len() - MAX_INPUTS) as u64;
        html.put("<p class=\"note\">and {}.</p>\n", &[&count(more, "more input", "more inputs")]);
    }
}

fn put_input(html: &mut Html, input: &InputValue) {
    let size = count(input.bytes.len() as u64, "byte", "bytes");
    html.put(
        "<div class=\"input\"><p><code>{}</code> <span class=\"dim\">{}, {}</span> {}</p>\n",
        &[&input.name, &kind(&input.kind), &size, &value(input)],
    );
    let is_shown_above = matches!(input.kind, InputKind::Arg { .. } | InputKind::Env { .. });
    if !is_shown_above && !input.bytes.is_empty() {
        html.put("<pre class=\"dump\">", &[]);
        for (row, bytes) in input.bytes[..input.bytes.len().min(MAX_BYTES)].chunks(ROW).enumerate()
        {
            html.put("{}\n", &[&dump(row * ROW, bytes)]);
        }
        if input.bytes.len() > MAX_BYTES {
            let more = (input.bytes.len() - MAX_BYTES) as u64;
            html.put("… {}\n", &[&count(more, "more byte", "more bytes")]);
        }
        html.put("</pre>\n", &[]);
    }
    html.put("</div>\n", &[]);
}

/// One row: where it is, bytes in hexadecimal, text.
fn dump(at: usize, bytes: &[u8]) -> String {
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let text = bytes.iter().map(|&byte| match byte {
        b' '..=b'~' => char::from(byte),
        _ => '·',
    });
    let text: String = text.collect();
    format!("{at:04x}  {:<23}  {text}", hex.join(" "))
}

fn kind(kind: &InputKind) -> String {
    match kind {
        InputKind::Arg { index } => format!("argument {index}"),
        InputKind::Stdin => "standard input".to_owned(),
        InputKind::File { path } => format!("file {path}"),
        InputKind::Env { name } => format!("variable {name}"),
        InputKind::Object => "object".to_owned(),
        InputKind::Nondet { c_type } => c_type.clone(),
        InputKind::FileMeta { path } => format!("metadata of {path}"),
        InputKind::System { what } => what.clone(),
    }
}

/// The input as a number or a string, where it is likely to be one.
fn value(input: &InputValue) -> String {
    let bytes = &input.bytes;
    match &input.kind {
        InputKind::Object | InputKind::Nondet { .. } if matches!(bytes.len(), 1 | 2 | 4 | 8) => {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            let unsigned = u64::from_le_bytes(word);
            let shift = 64 - 8 * bytes.len() as u32;
            let signed = ((unsigned << shift) as i64) >> shift;
            match signed < 0 {
                true => format!("= {signed} or {unsigned}"),
                false => format!("= {unsigned}"),
            }
        }
        InputKind::FileMeta { .. } | InputKind::System { .. } => String::new(),
        _ if bytes.len() <= 64 => format!("= {}", shell_quote(bytes)),
        _ => String::new(),
    }
}

/// All of an input in a line, for tables.
pub fn line(test: &TestCase) -> String {
    const MAX: usize = 160;
    let mut text = command_line(test);
    for input in &test.inputs {
        if matches!(input.kind, InputKind::Arg { .. } | InputKind::Env { .. }) {
            continue;
        }
        if text.len() > MAX {
            break;
        }
        let bytes = &input.bytes[..input.bytes.len().min(64)];
        let more = if bytes.len() < input.bytes.len() { "…" } else { "" };
        text += &match &input.kind {
            InputKind::Object | InputKind::Nondet { .. } => {
                format!("  {} {}", input.name, value(input))
            }
            InputKind::FileMeta { .. } | InputKind::System { .. } => continue,
            _ => format!("  {}={}{more}", input.name, shell_quote(bytes)),
        };
    }
    match text.char_indices().nth(MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(kind: InputKind, bytes: &[u8]) -> InputValue {
        InputValue { name: "x".into(), kind, bytes: bytes.into() }
    }

    #[test]
    fn numbers_and_strings() {
        let object = |bytes| value(&input(InputKind::Object, bytes));
        assert_eq!(object(&[0xfe, 0xff]), "= -2 or 65534");
        assert_eq!(object(&[7, 0, 0, 0]), "= 7");
        assert_eq!(value(&input(InputKind::Stdin, b"a\n")), r"= $'a\n'");
    }

    #[test]
    fn rows_of_bytes() {
        assert_eq!(dump(8, b"a\0<"), "0008  61 00 3c                 a·<");
    }
}

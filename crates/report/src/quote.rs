//! Command lines as a shell would take them.

use crate::TestCase;

/// One word of a POSIX shell (with `$'…'` where bytes are not printable).
pub fn shell_quote(word: &[u8]) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"%+,-./:@_".contains(byte);
    let is_printable = |byte: &u8| (b' '..=b'~').contains(byte);
    if !word.is_empty() && word.iter().all(is_plain) {
        return String::from_utf8_lossy(word).into_owned();
    }
    if word.iter().all(is_printable) {
        return format!("'{}'", String::from_utf8_lossy(word).replace('\'', r"'\''"));
    }
    let escaped: String = word.iter().map(|&byte| escape(byte)).collect();
    format!("$'{escaped}'")
}

fn escape(byte: u8) -> String {
    match byte {
        b'\n' => r"\n".into(),
        b'\t' => r"\t".into(),
        b'\r' => r"\r".into(),
        b'\'' => r"\'".into(),
        b'\\' => r"\\".into(),
        b' '..=b'~' => char::from(byte).to_string(),
        // Octal takes at most three digits, so a digit that follows stays itself.
        _ => format!("\\{byte:03o}"),
    }
}

/// The test's variables and command line, as one line for a shell.
pub fn command_line(test: &TestCase) -> String {
    let test = test.settled();
    let variable = |name: &[u8], value: &[u8]| {
        format!("{}={}", String::from_utf8_lossy(name), shell_quote(value))
    };
    let vars = test.env.iter().map(|var| variable(&var.name, &var.value));
    let words = test.argv.iter().map(|word| shell_quote(word));
    vars.chain(words).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn bash_reads_back_every_byte() {
        let mut words: Vec<Vec<u8>> =
            vec![b"".into(), b"a b".into(), b"it's".into(), b"\x011".into(), b"~$x".into()];
        words.extend((1..=255u8).map(|byte| vec![byte, b'0']));
        for word in words {
            let script = format!("printf %s {}", shell_quote(&word));
            let Ok(output) = Command::new("bash").arg("-c").arg(&script).output() else { return };
            assert_eq!(output.stdout, word, "{script}");
        }
    }
}

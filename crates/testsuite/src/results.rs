//! `bench/RESULTS.md`: one section per benchmark, each rewritten by the run that measures it.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::tree::Tree;

/// Puts `section`, which starts with its `# ` title, in the place of the one of the same title,
/// or at the end.
pub fn write_section(tree: &Tree, section: &str) -> Result<(), String> {
    let path = place(tree);
    let after = replaced(&read(&path)?, section);
    fs::write(&path, after).map_err(|error| format!("{}: {error}", path.display()))
}

/// The section whose first line is `title`; empty where there is none.
pub fn read_section(tree: &Tree, title: &str) -> Result<String, String> {
    let sections = sections(&read(&place(tree))?);
    Ok(sections.into_iter().find(|section| first_line(section) == title).unwrap_or_default())
}

/// A part of the whole in percent.
pub fn share(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// 1234567 as 1,234,567.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn place(tree: &Tree) -> PathBuf {
    tree.repo.join("bench/RESULTS.md")
}

fn read(path: &Path) -> Result<String, String> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|error| format!("{}: {error}", path.display())),
    }
}

fn first_line(section: &str) -> &str {
    section.lines().next().unwrap_or_default()
}

fn sections(text: &str) -> Vec<String> {
    let mut sections: Vec<String> = Vec::new();
    for line in text.lines() {
        match sections.last_mut() {
            Some(last) if !line.starts_with("# ") => *last += &format!("{line}\n"),
            _ => sections.push(format!("{line}\n")),
        }
    }
    sections
}

fn replaced(text: &str, section: &str) -> String {
    let mut sections = sections(text);
    match sections.iter_mut().find(|old| first_line(old) == first_line(section)) {
        Some(old) => *old = section.to_string(),
        None => sections.push(section.to_string()),
    }
    let trimmed: Vec<&str> = sections.iter().map(|section| section.trim_end()).collect();
    trimmed.join("\n\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_sections_stay() {
        let text = "# a\n\nold\n\n# b\n\nkept\n";
        assert_eq!(replaced(text, "# a\n\nnew\n"), "# a\n\nnew\n\n# b\n\nkept\n");
        assert_eq!(replaced(text, "# c\n"), "# a\n\nold\n\n# b\n\nkept\n\n# c\n");
        assert_eq!(replaced("", "# c\n"), "# c\n");
    }
}

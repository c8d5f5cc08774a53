//! `bench/RESULTS.md`: one section per benchmark, each rewritten by the run that measures it.

use std::fs;

use crate::tree::Tree;

/// Puts `section`, which starts with its `# ` title, in the place of the one of the same title,
/// or at the end.
pub fn write_section(tree: &Tree, section: &str) -> Result<(), String> {
    let path = tree.repo.join("bench/RESULTS.md");
    let before = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("{}: {error}", path.display())),
    };
    let after = replaced(&before, section);
    fs::write(&path, after).map_err(|error| format!("{}: {error}", path.display()))
}

fn replaced(text: &str, section: &str) -> String {
    let title = |section: &str| section.lines().next().unwrap_or_default().to_string();
    let mut sections: Vec<String> = Vec::new();
    for line in text.lines() {
        match sections.last_mut() {
            Some(last) if !line.starts_with("# ") => *last += &format!("{line}\n"),
            _ => sections.push(format!("{line}\n")),
        }
    }
    match sections.iter_mut().find(|old| title(old) == title(section)) {
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

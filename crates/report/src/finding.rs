//! A defect found: what is known about it, and its directory under `bugs/`.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{Result, Site, write};

/// A defect, reported once per site and cause.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The kind of defect and the innermost line of the program's own code.
    #[serde(flatten)]
    pub site: Site,
    /// One sentence: what happened to what.
    pub message: String,
    /// Innermost first.
    pub stack: Vec<Frame>,
    /// The object involved.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub object: Option<ObjectInfo>,
    /// Longer text for people: how the input leads there, what it differs in from its seed.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub explanation: String,
    /// The number of the test case that shows it.
    pub test: u64,
    /// What the native program did with that test, once it was run.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub replay: Option<Replay>,
}

/// One function on a stack and where it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    pub function: String,
    pub file: String,
    /// 0 where unknown.
    pub line: u32,
}

/// A memory object and its history.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObjectInfo {
    /// In words: "heap object", "local variable `buf` of main".
    pub description: String,
    pub size: u64,
    pub allocated: Vec<Frame>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub freed: Vec<Frame>,
}

/// A native run of the test case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// `confirmed`, `not observable natively`, `mismatch`, or `failed`: it could not be run.
    pub verdict: String,
    /// How it was run: `off` as it is, or with guard pages at the `start` or `end` of objects, or
    /// `aligned` behind them.
    pub mode: String,
    /// What was seen, in a sentence.
    pub detail: String,
}

impl Finding {
    /// What the directory's name starts with; a number follows.
    pub(crate) fn dir_stem(&self) -> String {
        let file = Path::new(&self.site.file).file_name().unwrap_or_default().to_string_lossy();
        let file = if file.is_empty() { "unknown".into() } else { file };
        crate::plain::file_name(&format!("{}-{file}-{}", self.site.kind, self.site.line))
    }

    /// `bug.json`, `stack.txt`, `explanation.txt`.
    pub(crate) fn write(&self, dir: &Path) -> Result<()> {
        write::replace_file(&dir.join("bug.json"), write::pretty(self))?;
        write::replace_file(&dir.join("stack.txt"), self.stack_text())?;
        write::replace_file(&dir.join("explanation.txt"), self.explanation_text())
    }

    fn stack_text(&self) -> String {
        let mut text = frames(&self.stack, "");
        if let Some(object) = &self.object {
            text += &format!("\nallocated:\n{}", frames(&object.allocated, ""));
            if !object.freed.is_empty() {
                text += &format!("\nfreed:\n{}", frames(&object.freed, ""));
            }
        }
        text
    }

    fn explanation_text(&self) -> String {
        let site = &self.site;
        let mut text = format!("{}: {}\n", site.kind, self.message);
        text += &format!("  at {}:{} in {}\n", site.file, site.line, site.function);
        text += &frames(&self.stack, "    ");
        if let Some(object) = &self.object {
            text += &format!("  object: {}, {} bytes\n", object.description, object.size);
        }
        if let Some(replay) = &self.replay {
            text +=
                &format!("  native run ({}): {}: {}\n", replay.mode, replay.verdict, replay.detail);
        }
        if !self.explanation.is_empty() {
            text += &format!("\n{}\n", self.explanation.trim_end());
        }
        text
    }
}

fn frames(stack: &[Frame], indent: &str) -> String {
    let row = |(n, frame): (usize, &Frame)| {
        format!("{indent}#{n} {} {}:{}\n", frame.function, frame.file, frame.line)
    };
    stack.iter().enumerate().map(row).collect()
}

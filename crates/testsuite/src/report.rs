//! Reads the machine-readable report of `fathom run --report`.

use std::fs;
use std::path::Path;

use serde::Deserialize;

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Report {
    /// `exit`, `killed`, `bug`, `unsupported` or `exhausted`.
    pub outcome: String,
    pub kind: Option<String>,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub message: Option<String>,
    /// Innermost first.
    pub stack: Vec<Frame>,
    pub ledger: Vec<Entry>,
    /// LLVM instructions executed.
    pub instructions: u64,
    /// Execution alone, without loading.
    pub seconds: f64,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Frame {
    pub function: Option<String>,
    pub file: Option<String>,
    pub line: Option<u32>,
}

/// Something the run was less than complete in.
#[derive(Deserialize, Default)]
#[serde(default)]
pub struct Entry {
    pub what: String,
}

impl Report {
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path).map_err(|error| format!("no report: {error}"))?;
        serde_json::from_str(&text).map_err(|error| format!("bad report: {error}\n{text}"))
    }

    /// The line of `source` where the program stopped: for a stop inside the C library, the call.
    pub fn line_in(&self, source: &str) -> Option<u32> {
        let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_string();
        let wanted = base(source);
        let own = (self.file.clone(), self.line);
        let frames = self.stack.iter().map(|frame| (frame.file.clone(), frame.line));
        std::iter::once(own)
            .chain(frames)
            .find(|(file, _)| file.as_deref().is_some_and(|file| base(file) == wanted))
            .and_then(|(_, line)| line)
    }

    /// In one line, for messages.
    pub fn summary(&self) -> String {
        let place = match (&self.file, self.line) {
            (Some(file), Some(line)) => format!(" at {file}:{line}"),
            _ => String::new(),
        };
        let kind = self.kind.as_deref().unwrap_or("");
        let message = self.message.as_deref().unwrap_or("");
        format!("{} {kind}{place}: {message}", self.outcome)
    }
}

//! Reading the JSON files of a run, and writing some beside them.

use std::fs;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A file of one object.
pub fn object<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    serde_json::from_str(&text(path)?).map_err(|error| format!("{}: {error}", path.display()))
}

/// A file of one object per line.
pub fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, String> {
    let lines: Result<_, _> = text(path)?.lines().map(serde_json::from_str).collect();
    lines.map_err(|error| format!("{}: {error}", path.display()))
}

/// The text of one object.
pub fn text_of(object: &impl Serialize) -> String {
    serde_json::to_string(object).expect("plain data")
}

fn text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

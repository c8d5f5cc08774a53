//! `bench/suites`: what is run, and what came of it the last time.

use std::fs;
use std::path::PathBuf;

use serde::Deserialize;

use super::Figures;
use crate::json;
use crate::tree::Tree;

/// A suite.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// The file's name without its extension.
    #[serde(skip)]
    pub name: String,
    /// The package of `tests/real` whose suite it is.
    pub package: String,
    /// Programs to analyse; all if none is named.
    #[serde(default)]
    pub programs: Vec<String>,
    /// A shell script in the tree that was built, run once before.
    #[serde(default)]
    pub prepare: String,
    /// The suite: the same, which prints a line such as `PASS: name` for each of its tests.
    pub run: String,
    /// For the analysis, and the processes it may use.
    pub seconds: u64,
    #[serde(default = "both")]
    pub jobs: u64,
}

fn both() -> u64 {
    2
}

/// The suites named, or all.
pub fn load(tree: &Tree, names: &[&str]) -> Result<Vec<Suite>, String> {
    let known = known(tree, "toml")?;
    if let Some(name) = names.iter().find(|name| !known.iter().any(|it| it == *name)) {
        return Err(format!("no bench/suites/{name}.toml; there are: {}", known.join(", ")));
    }
    let chosen = known.into_iter().filter(|it| names.is_empty() || names.contains(&it.as_str()));
    chosen.map(|name| parse(tree, name)).collect()
}

fn parse(tree: &Tree, name: String) -> Result<Suite, String> {
    let path = place(tree).join(format!("{name}.toml"));
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let suite: Suite =
        toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Suite { name, ..suite })
}

/// The figures of all suites that have been run.
pub fn figures(tree: &Tree) -> Result<Vec<(String, Figures)>, String> {
    let read = |name: String| {
        let figures = json::object(&place(tree).join(format!("{name}.json")))?;
        Ok((name, figures))
    };
    known(tree, "json")?.into_iter().map(read).collect()
}

pub fn write(tree: &Tree, name: &str, figures: &Figures) -> Result<(), String> {
    let path = place(tree).join(format!("{name}.json"));
    fs::write(&path, json::text_of(figures) + "\n")
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// Names of the files with such an extension, in their order.
fn known(tree: &Tree, extension: &str) -> Result<Vec<String>, String> {
    let dir = place(tree);
    let entries = fs::read_dir(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let mut names: Vec<String> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|it| it == extension))
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    Ok(names)
}

fn place(tree: &Tree) -> PathBuf {
    tree.repo.join("bench/suites")
}

//! Bugs that are known: one line each, `kind file function`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use fathom_report::Finding;

/// What makes a bug the same one after the code around it has changed.
pub fn key(finding: &Finding) -> String {
    let site = &finding.site;
    let file = Path::new(&site.file).file_name().unwrap_or_default().to_string_lossy();
    format!("{} {file} {}", site.kind, site.function)
}

/// The keys in a file; empty lines and those that begin with `#` say nothing.
pub fn read(path: &Path) -> Result<BTreeSet<String>> {
    let text = fs::read_to_string(path).with_context(|| {
        let path = path.display();
        format!("the baseline {path} (--write-baseline makes one; an empty file will do)")
    })?;
    let lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    let mut keys = BTreeSet::new();
    for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        // The file's name may have spaces in it, or be unknown.
        let words =
            line.split_once(' ').and_then(|(kind, rest)| Some((kind, rest.rsplit_once(' ')?)));
        let Some((kind, (file, function))) = words else {
            bail!("{}:{number}: a line of a baseline is `kind file function`", path.display());
        };
        keys.insert(format!("{kind} {} {function}", file.trim()));
    }
    Ok(keys)
}

pub fn write<'a>(path: &Path, findings: impl IntoIterator<Item = &'a Finding>) -> Result<()> {
    let keys: BTreeSet<String> = findings.into_iter().map(key).collect();
    let mut text = "# Known bugs: kind file function. Written by fathom amplify.\n".to_owned();
    for key in keys {
        text += &key;
        text.push('\n');
    }
    fs::write(path, text).with_context(|| format!("the baseline {}", path.display()))
}

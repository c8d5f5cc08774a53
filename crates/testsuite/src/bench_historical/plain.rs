//! Plain exploration of a tool in the same time.

use std::path::Path;

use fathom_report::Summary;

use super::SECONDS;
use super::bugs::Bug;
use crate::json;
use crate::process::Run;
use crate::tree::{Scratch, Tree};

/// What is symbolic: as in KLEE's experiments with coreutils.
pub const INPUT: [&str; 13] = [
    "--sym-args",
    "0",
    "1",
    "10",
    "--sym-args",
    "0",
    "2",
    "2",
    "--sym-files",
    "1",
    "8",
    "--sym-stdin",
    "8",
];

/// Whether exploration comes upon the bug.
pub fn finds(tree: &Tree, program: &Path, bug: &Bug, scratch: &Scratch) -> Result<bool, String> {
    let out = scratch.path().join("plain");
    let ended = Run::new(&tree.fathom, &scratch.fresh_work()?)
        .args(["run", "--no-replay", "--out"])
        .arg(&out)
        .args(["--max-time", &SECONDS.to_string()])
        .arg(program)
        .args(INPUT)
        .plain_env(&[])
        .timeout(SECONDS * 3 + 60)
        .run()?;
    if !matches!(ended.status, 0 | 1) {
        return Err(ended.said());
    }
    let summary: Summary = json::object(&out.join("summary.json"))?;
    let mut sites = summary.bugs.iter().map(|finding| &finding.site);
    Ok(sites.any(|site| bug.is(&site.kind, &site.file, &site.function)))
}

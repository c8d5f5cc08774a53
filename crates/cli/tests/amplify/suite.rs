//! A program, a script that tests it, and what `fathom amplify` makes of them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::workplace::Workplace;

pub struct Suite {
    pub place: Workplace,
}

impl Suite {
    /// `source` built as `prog`, and the script `check`.
    pub fn new(name: &str, source: &str, check: &str) -> Self {
        let place = Workplace::new(&format!("amplify-{name}"), source);
        let built = place.fathom(&["cc", "-g", "prog.c", "-o", "prog"]);
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let script = place.path().join("check");
        fs::write(&script, format!("#!/bin/sh\n{check}\n")).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        Self { place }
    }

    pub fn path(&self) -> &Path {
        self.place.path()
    }

    /// `fathom amplify --out out OPTIONS -- ./check`.
    pub fn amplify(&self, options: &[&str]) -> Amplified {
        let args = [&["amplify", "--out", "out"], options, &["--", "./check"]].concat();
        Amplified::new(self.place.fathom(&args), self.path())
    }
}

/// What came of it.
pub struct Amplified {
    pub output: Output,
    pub suite: Value,
    pub tests: Vec<Value>,
    pub ledger: String,
}

impl Amplified {
    pub fn new(output: Output, place: &Path) -> Self {
        let text = |name: &str| {
            let text = fs::read_to_string(place.join("out").join(name));
            text.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
        };
        let line = |line: &str| serde_json::from_str(line).unwrap();
        Self {
            suite: serde_json::from_str(&text("suite.json")).unwrap(),
            tests: text("tests.jsonl").lines().map(line).collect(),
            ledger: text("ledger.jsonl"),
            output,
        }
    }

    pub fn bugs(&self) -> &[Value] {
        self.suite["bugs"].as_array().unwrap()
    }

    pub fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    /// All tests could be followed to their ends, and ended and printed as the native program.
    pub fn assert_faithful(&self) {
        for test in &self.tests {
            assert_eq!(test["departure"], Value::Null, "{test}");
            assert_eq!(test["failure"], Value::Null, "{test}");
        }
    }
}

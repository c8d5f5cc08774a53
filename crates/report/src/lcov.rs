//! `coverage.lcov`: lines and functions executed, as genhtml and editors read it.

use std::fmt::Write;

/// What was executed, by source file.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    pub files: Vec<SourceFile>,
}

/// One source file.
#[derive(Clone, Debug, Default)]
pub struct SourceFile {
    pub path: String,
    /// Line and how often it was executed.
    pub lines: Vec<(u32, u64)>,
    pub functions: Vec<FunctionHits>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FunctionHits {
    /// Where it starts.
    pub line: u32,
    pub name: String,
    pub hits: u64,
}

impl Coverage {
    /// The file's text, sorted, whatever the order of the data.
    pub fn to_lcov(&self) -> String {
        let mut files: Vec<_> = self.files.iter().collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files.into_iter().map(SourceFile::record).collect()
    }

    /// What [`to_lcov`](Coverage::to_lcov) wrote. Records of other kinds are passed over.
    pub fn from_lcov(text: &str) -> Coverage {
        let mut files: Vec<SourceFile> = Vec::new();
        for line in text.lines() {
            let Some((kind, rest)) = line.split_once(':') else { continue };
            if kind == "SF" {
                files.push(SourceFile { path: rest.to_owned(), ..SourceFile::default() });
            } else if let Some(file) = files.last_mut() {
                file.take(kind, rest);
            }
        }
        Coverage { files }
    }
}

impl SourceFile {
    /// Takes one record of this file; `None` where it says nothing new.
    fn take(&mut self, kind: &str, rest: &str) -> Option<()> {
        match kind {
            "DA" => {
                let (line, hits) = rest.split_once(',')?;
                self.lines.push((line.parse().ok()?, hits.parse().ok()?));
            }
            "FN" => {
                let (line, name) = rest.split_once(',')?;
                let (line, name) = (line.parse().ok()?, name.to_owned());
                self.functions.push(FunctionHits { line, name, hits: 0 });
            }
            "FNDA" => {
                let (hits, name) = rest.split_once(',')?;
                let function = self.functions.iter_mut().find(|it| it.name == name && it.hits == 0);
                function?.hits = hits.parse().ok()?;
            }
            _ => {}
        }
        Some(())
    }

    fn record(&self) -> String {
        let mut out = format!("TN:\nSF:{}\n", self.path);
        self.put(&mut out).expect("strings take everything");
        out
    }

    fn put(&self, out: &mut String) -> std::fmt::Result {
        let mut functions = self.functions.clone();
        functions.sort();
        for function in &functions {
            writeln!(out, "FN:{},{}", function.line, function.name)?;
        }
        for function in &functions {
            writeln!(out, "FNDA:{},{}", function.hits, function.name)?;
        }
        let n_hit = functions.iter().filter(|function| function.hits > 0).count();
        writeln!(out, "FNF:{}\nFNH:{n_hit}", functions.len())?;

        let mut lines = self.lines.clone();
        lines.sort();
        for (line, hits) in &lines {
            writeln!(out, "DA:{line},{hits}")?;
        }
        let n_hit = lines.iter().filter(|(_, hits)| *hits > 0).count();
        writeln!(out, "LF:{}\nLH:{n_hit}\nend_of_record", lines.len())
    }
}

//! Coverage of the program's own sources: instructions, lines, functions.

use std::collections::BTreeMap;

use fathom_engine::Coverage;
use fathom_ir::{FuncId, Function, Program};
use fathom_report::{
    Cover, Coverage as Report, FileCover, FunctionCover, FunctionHits, SourceFile,
};

/// LLVM instructions of the program's own functions.
pub fn own_instructions(program: &Program) -> u64 {
    let own = own_functions(program);
    own.flat_map(|(_, function)| &function.blocks).map(|block| u64::from(block.n_llvm)).sum()
}

fn own_functions(program: &Program) -> impl Iterator<Item = (FuncId, &Function)> {
    let defined = program.functions.iter_enumerated().filter(|(_, function)| function.is_defined());
    defined.filter(|(_, function)| program.is_own(function.loc))
}

/// Lines and functions by file.
pub fn collect(program: &Program, coverage: &Coverage) -> Report {
    let mut files: BTreeMap<String, (SourceFile, BTreeMap<u32, u64>)> = BTreeMap::new();
    for (id, function) in own_functions(program) {
        let location = &program.locations[function.loc];
        let path = program.files[location.file].path.clone();
        let (file, lines) = files.entry(path.clone()).or_default();
        file.path = path;
        let entered = coverage.is_covered(id, 0);
        file.functions.push(FunctionHits {
            name: function.name.clone(),
            line: location.line,
            hits: u64::from(entered),
        });
        for (number, block) in function.blocks.iter().enumerate() {
            let end = function.blocks.iter().map(|other| other.start).filter(|&s| s > block.start);
            let end = end.min().unwrap_or(function.code.len() as u32);
            let covered = coverage.is_covered(id, number);
            for loc in &function.locs[block.start as usize..end as usize] {
                let Some(at) = program.locations.get(*loc).filter(|_| program.is_own(*loc)) else {
                    continue;
                };
                if at.file == location.file && block.n_llvm > 0 {
                    let hits = lines.entry(at.line).or_insert(0);
                    *hits = (*hits).max(u64::from(covered));
                }
            }
        }
    }
    let files = files
        .into_values()
        .map(|(file, lines)| SourceFile { lines: lines.into_iter().collect(), ..file });
    Report { files: files.collect() }
}

pub fn summary(program: &Program, coverage: &Coverage, report: &Report) -> Cover {
    let lines = || report.files.iter().flat_map(|file| &file.lines);
    let functions = || report.files.iter().flat_map(|file| &file.functions);
    Cover {
        instructions: coverage.covered_own,
        instructions_total: own_instructions(program),
        lines: lines().filter(|(_, hits)| *hits > 0).count() as u64,
        lines_total: lines().count() as u64,
        functions: functions().filter(|function| function.hits > 0).count() as u64,
        functions_total: functions().count() as u64,
        files: by_file(program, coverage),
    }
}

/// Instructions by file; a function's are all its file's, those inlined from a header too.
fn by_file(program: &Program, coverage: &Coverage) -> Vec<FileCover> {
    let mut files: BTreeMap<&str, FileCover> = BTreeMap::new();
    for (id, function) in own_functions(program) {
        let path = program.files[program.locations[function.loc].file].path.as_str();
        let file = files.entry(path).or_default();
        file.path = path.to_owned();
        for (number, block) in function.blocks.iter().enumerate() {
            let instructions = u64::from(block.n_llvm);
            file.instructions += instructions;
            if coverage.is_covered(id, number) {
                file.covered += instructions;
            }
        }
    }
    files.into_values().collect()
}

/// Basic blocks by function: what several runs covered together can be computed from these.
pub fn by_function(program: &Program, coverage: &Coverage) -> Vec<FunctionCover> {
    let cover = |(id, function): (FuncId, &Function)| {
        let location = &program.locations[function.loc];
        let is_covered = |number| u8::from(coverage.is_covered(id, number));
        FunctionCover {
            function: function.name.clone(),
            file: program.files[location.file].path.clone(),
            line: location.line,
            instructions: function.blocks.iter().map(|block| block.n_llvm).collect(),
            covered: (0..function.blocks.len()).map(is_covered).collect(),
        }
    };
    own_functions(program).map(cover).collect()
}

//! The recipes of docs/amplify.md, as they stand there, in projects that use nothing else of ours.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::workplace::Workplace;

const GUIDE: &str = include_str!("../../../../docs/amplify.md");

const DIVIDES: &str = r#"
#include <stdio.h>
int main(int argc, char **argv) {
  if (argc != 2) return 2;
  printf("%d\n", 100 / (argv[1][0] - '0'));
  return 0;
}
"#;

const KNOWN: &str = "division-by-zero prog.c main\n";

#[test]
fn automake() {
    let project = Project::new("automake");
    let build = "bin_PROGRAMS = prog\nprog_SOURCES = prog.c\nTESTS = five.sh\n";
    project.write("Makefile.am", &(build.to_owned() + recipe("make")));
    project.write("five.sh", "./prog 5\n");
    project.write(
        "configure.ac",
        "AC_INIT([prog], [1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\n\
         AC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n",
    );
    project.must("chmod +x five.sh && autoreconf -i && CC=fathom-cc ./configure");
    project.check("make check-fathom");
    assert!(project.path().join("fathom-check/junit.xml").is_file());
}

#[test]
fn cmake() {
    let project = Project::new("cmake");
    let build = "cmake_minimum_required(VERSION 3.17)\nproject(prog C)\n\
                 add_executable(prog prog.c)\nenable_testing()\nadd_test(NAME five COMMAND prog 5)\n";
    project.write("CMakeLists.txt", &(build.to_owned() + recipe("cmake")));
    project.must("cmake -DCMAKE_C_COMPILER=fathom-cc -B build && cmake --build build");
    project.check("cmake --build build --target check-fathom");
    assert!(project.path().join("build/fathom-check/junit.xml").is_file());
}

#[test]
fn meson() {
    let project = Project::new("meson");
    let build = "project('prog', 'c')\nprog = executable('prog', 'prog.c')\ntest('five', prog, args: ['5'])\n";
    project.write("meson.build", &(build.to_owned() + recipe("meson")));
    project.must("CC=fathom-cc meson setup build");
    project.check("meson compile -C build check-fathom");
    assert!(project.path().join("build/fathom-out/1/junit.xml").is_file());
}

/// The guide's block of code in `language`.
fn recipe(language: &str) -> &'static str {
    let opening = format!("\n```{language}\n");
    let (_, block) = GUIDE.split_once(&opening).unwrap();
    block.split_once("```\n").unwrap().0
}

/// A directory with a program and an empty baseline.
struct Project {
    place: Workplace,
    search: String,
}

impl Project {
    fn new(name: &str) -> Self {
        let place = Workplace::new(&format!("recipe-{name}"), DIVIDES);
        let installed = place.path().join("installed");
        fs::create_dir(&installed).unwrap();
        for name in ["fathom", "fathom-cc"] {
            symlink(env!("CARGO_BIN_EXE_fathom"), installed.join(name)).unwrap();
        }
        fs::write(place.path().join("fathom-baseline.txt"), "").unwrap();
        let search = format!("{}:{}", installed.display(), std::env::var("PATH").unwrap());
        Self { place, search }
    }

    fn path(&self) -> &Path {
        self.place.path()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    /// Whether a shell's command succeeds, and what it prints.
    fn runs(&self, line: &str) -> (bool, String) {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("exec 2>&1 </dev/null; {line}")]).env("PATH", &self.search);
        // As at a user's terminal, not below a `make` or `cargo` that runs these tests.
        command.env_remove("MAKEFLAGS").env_remove("MFLAGS").current_dir(self.path());
        let output = command.output().unwrap();
        (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn must(&self, line: &str) {
        let (succeeded, printed) = self.runs(line);
        assert!(succeeded, "{line}: {printed}");
    }

    /// The check fails for a new bug, and not for a known one.
    fn check(&self, line: &str) {
        let (succeeded, printed) = self.runs(line);
        assert!(!succeeded && printed.contains("division-by-zero"), "{line}: {printed}");
        assert!(printed.contains("1 of them not in the baseline"), "{line}: {printed}");
        self.write("fathom-baseline.txt", KNOWN);
        self.must(line);
    }
}

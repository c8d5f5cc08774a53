//! `fathom run --seed`: what it takes, and one clear line with exit status 2 for what it does not.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A directory of its own with a program in it, removed at the end.
struct Dir(PathBuf);

/// Reads standard input, an argument, and an object of its own.
const SOURCE: &str = r#"
#include <fathom.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    unsigned char own = 0;
    fathom_make_symbolic(&own, 1, "own");
    int c = getchar();
    if (c == 'q' && argc > 1 && argv[1][0] == '-' && own == 7)
        return 3;
    return 0;
}
"#;

impl Dir {
    fn new(name: &str) -> Dir {
        let path = std::env::temp_dir().join(format!("fathom seeds {} {name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let dir = Dir(path);
        dir.file("prog.c", SOURCE);
        dir
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
        command.args(["run", "--no-replay"]).args(args).current_dir(&self.0).output().unwrap()
    }

    /// Runs with the seed, which must be refused in exactly one line that has all of `words`.
    fn refuses(&self, seed: &str, inputs: &[&str], words: &[&str]) {
        let output = self.run(&[&["--seed", seed], inputs].concat());
        refused(seed, &output, words);
        assert!(!self.0.join("fathom-out").exists(), "{seed}: a run was begun");
    }

    /// Runs with the seed, which must be taken.
    fn takes(&self, seed: &str, inputs: &[&str]) -> String {
        let output = self.run(&[&["--seed", seed], inputs].concat());
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{seed}: {stderr}");
        stderr
    }
}

fn refused(seed: &str, output: &Output, words: &[&str]) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{seed}: {stderr}");
    assert_eq!(stderr.lines().count(), 1, "{seed}: {stderr}");
    for word in words.iter().chain(&["fathom: --seed"]) {
        assert!(stderr.contains(word), "{seed}: no {word:?} in {stderr}");
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn seeds_that_cannot_be_read() {
    let dir = Dir::new("bad");
    let stdin = ["--sym-stdin", "2", "prog.c"];
    dir.refuses("missing", &stdin, &["missing", "No such file", "a seed is"]);
    dir.refuses("missing/deeper", &stdin, &["missing/deeper", "No such file"]);
    dir.refuses("missing#3", &stdin, &["missing", "there is no such run"]);
    dir.refuses("last", &stdin, &["there is no last run"]);
    fs::create_dir(dir.0.join("empty")).unwrap();
    dir.refuses("empty", &stdin, &["empty", "there are no seeds"]);
    dir.refuses("stdin=empty", &stdin, &["empty", "there are no files"]);
    dir.refuses("stdin=missing", &stdin, &["missing", "No such file"]);
    dir.refuses("A=prog.c", &stdin, &["no symbolic input is called A (there are: stdin)"]);
    dir.file("cut.ktest", b"KTEST\0\0\0\x03\0\0\0\x09");
    dir.refuses("cut.ktest", &stdin, &["cut.ktest", "ends too early"]);
    dir.file("some/no.ktest", b"hello");
    dir.refuses("some", &stdin, &["no.ktest", "not a .ktest file"]);
    dir.file("test/meta.json", b"{");
    dir.refuses("test", &stdin, &["meta.json", "not a test's meta.json"]);
    dir.file("run/tests.pack", b"nonsense and more of it");
    dir.refuses("run", &stdin, &["tests.pack"]);
    std::os::unix::fs::symlink("nowhere", dir.0.join("link")).unwrap();
    dir.refuses("link", &stdin, &["link", "No such file"]);
    let arg = ["prog.c", "--sym-arg", "2"];
    dir.refuses("prog.c", &arg, &["neither standard input nor a file is symbolic"]);
    dir.refuses("argv:'x", &arg, &["the quote ' in line 1 is not closed"]);
    dir.refuses("argv:@missing", &arg, &["cannot read missing", "No such file"]);
    dir.refuses("argv:a b", &arg, &["none of the seeds can be used", "it has 2 arguments"]);
    dir.refuses("argv:a", &stdin, &["no argument of the program is symbolic"]);
    let files = ["prog.c", "--sym-files", "2", "4"];
    dir.refuses("prog.c", &files, &["several files are symbolic", "--seed A=prog.c"]);
}

#[test]
fn seeds_that_may_not_be_read() {
    let dir = Dir::new("locked");
    let cc = ["cc", "prog.c", "-o", "prog"];
    let fathom = env!("CARGO_BIN_EXE_fathom");
    assert!(Command::new(fathom).args(cc).current_dir(&dir.0).status().unwrap().success());
    dir.file("locked/a", "x");
    fs::set_permissions(dir.0.join("locked/a"), fs::Permissions::from_mode(0o000)).unwrap();
    // Whoever runs this, the reader must be somebody who may not.
    let copy = dir.0.join("fathom");
    fs::copy(fathom, &copy).unwrap();
    let mut command = Command::new(&copy);
    command.args(["run", "--seed", "locked", "--sym-stdin", "2", "./prog"]).current_dir(&dir.0);
    // SAFETY: asks for a number.
    if unsafe { libc::geteuid() } == 0 {
        command.uid(65534).gid(65534);
    }
    refused("locked", &command.output().unwrap(), &["cannot read locked/a", "Permission denied"]);
}

#[test]
fn seeds_of_all_kinds_are_taken() {
    let dir = Dir::new("taken");
    dir.file("seed/argv", "prog\0-v\0");
    dir.file("seed/stdin", "q");
    let inputs = ["--sym-stdin", "2", "--max-tests", "1", "prog.c", "--sym-args", "0", "2", "3"];
    let said = dir.takes("seed", &inputs);
    assert!(said.contains("stdin padded with zeros to 2 bytes"), "{said}");
    dir.takes("last", &inputs);
    dir.takes("fathom-out/1#1", &inputs);
    dir.takes("argv:-v", &inputs);
}

/// Sixteen bytes that are compared one after the other, and a bug behind them: to be guessed only
/// by whoever knows them.
const LOCK: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    unsigned char b[16];
    unsigned sum = 0;
    if (fread(b, 1, 16, stdin) != 16)
        return 1;
    for (int i = 0; i < 16; i++) {
        sum = sum * 31 + b[i];
        if (sum % 7 == 3)
            sum ^= 0x55;
    }
    if (sum == SUM)
        abort();
    return 0;
}
"#;

/// What the program makes of the bytes.
fn lock_sum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |sum: u32, &byte| {
        let sum = sum.wrapping_mul(31).wrapping_add(byte.into());
        if sum % 7 == 3 { sum ^ 0x55 } else { sum }
    })
}

#[test]
fn the_path_of_a_seed_is_followed() {
    let dir = Dir::new("followed");
    let key = b"open sesame, now";
    dir.file("lock.c", LOCK.replace("SUM", &format!("{}u", lock_sum(key))));
    dir.file("keys/right", key);
    dir.file("keys/wrong", "another key, no?");
    let limits = ["--max-instructions", "100000", "--max-solver-steps", "1", "--sym-stdin", "16"];
    let output = dir.run(&[&["--seed", "keys"], &limits[..], &["lock.c"]].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    let bugs: Vec<_> = fs::read_dir(dir.0.join("fathom-out/1/bugs")).unwrap().collect();
    assert_eq!(bugs.len(), 1, "{stderr}");
    let bug = bugs[0].as_ref().unwrap().path();
    assert_eq!(fs::read(bug.join("stdin")).unwrap(), key);
}

/// What is done to a seed takes nothing away from the run.
#[test]
fn a_run_with_a_seed_that_is_cut_is_exhaustive() {
    let dir = Dir::new("exhaustive");
    let larger = SOURCE.replace("unsigned char own = 0", "unsigned char own[2] = {0}");
    dir.file("larger.c", larger.replace("own, 1", "own, 2").replace("own ==", "own[1] =="));
    let output = dir.run(&["--out", "larger", "--sym-stdin", "2", "larger.c"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    dir.takes("larger", &["--sym-stdin", "2", "prog.c"]);
    let said = dir.takes("larger/tests/000001", &["--jobs", "2", "--sym-stdin", "2", "prog.c"]);
    assert!(said.contains("a seed's own was cut"), "{said}");
    for number in 1..=2 {
        let path = dir.0.join(format!("fathom-out/{number}/summary.json"));
        let summary: serde_json::Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        assert_eq!(summary["exhaustive"], true, "{number}: {summary}");
        assert!(summary["ledger"].as_u64().unwrap() > 0, "{number}: {summary}");
    }
}

/// Nothing of a seed vanishes without a word, and the run is exhaustive all the same.
#[test]
fn what_has_no_place_in_the_run_is_told() {
    let dir = Dir::new("no-place");
    let source = "#include <klee/klee.h>\nint main(void) { unsigned char a;\n\
        klee_make_symbolic(&a, 1, \"a\");\n#ifdef MORE\nunsigned char b;\n\
        klee_make_symbolic(&b, 1, \"b\");\n#else\nklee_assume(a == 5);\n#endif\n\
        return a > 3; }\n";
    dir.file("less.c", source);
    dir.file("more.c", format!("#define MORE\n{source}"));
    let output = dir.run(&["--out", "more", "more.c"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    for jobs in ["1", "2"] {
        let out = format!("less{jobs}");
        let args = ["--out", &out, "--jobs", jobs, "--seed", "more#1", "less.c"];
        let output = dir.run(&args);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("a seed's b left out: no path made it symbolic"), "{said}");
        assert!(!said.contains("a seed's a left out"), "{said}");
        assert!(said.contains("an assumption excludes it"), "{said}");
        assert!(said.contains("exhaustive: every path"), "{said}");
    }
}

#[test]
fn only_the_seeds_are_followed() {
    let dir = Dir::new("only");
    dir.file("keys/right", "quit");
    dir.file("keys/wrong", "stay");
    let inputs = ["--sym-stdin", "4", "prog.c"];
    let stderr = dir.takes("keys", &[&["--only-seeds"], &inputs[..]].concat());
    assert!(stderr.contains("2 complete, 0 partial"), "{stderr}");
    let output =
        dir.run(&[&["--seed", "keys", "--only-seeds", "--fork", "eager"], &inputs[..]].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("--only-seeds"), "{stderr}");
}

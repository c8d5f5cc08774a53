//! Whatever `fathom run` is given that it cannot run: one clear line, exit status 2, no panic.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A directory of its own that anyone may read, removed at the end.
struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Dir {
        let path = std::env::temp_dir().join(format!("fathom bad {} {name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Dir(path)
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        fs::write(self.0.join(name), bytes).unwrap();
        name.into()
    }

    fn run(&self, args: &[&str]) -> Output {
        let fathom = env!("CARGO_BIN_EXE_fathom");
        Command::new(fathom).arg("run").args(args).current_dir(&self.0).output().unwrap()
    }

    fn clang(&self, args: &[&str]) {
        let clang = fathom_cc::tool("clang").unwrap();
        let status = Command::new(clang).args(args).current_dir(&self.0).status().unwrap();
        assert!(status.success(), "clang {args:?}");
    }

    /// Runs `file`, which must fail with exactly one line that mentions all of `words`.
    fn refuses(&self, file: &str, words: &[&str]) {
        check(&self.run(&[file]), &[&[file], words].concat());
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn check(output: &Output, words: &[&str]) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.starts_with("fathom: "), "{stderr}");
    for word in words {
        assert!(stderr.contains(word), "no {word:?} in {stderr}");
    }
}

const SOURCE: &str = "int main(void) { return 0; }\n";

#[test]
fn things_that_are_no_program() {
    let dir = Dir::new("none");
    dir.refuses("missing", &["no such file"]);
    dir.refuses("missing.c", &["no such file"]);
    dir.refuses("missing.bc", &["no such file"]);
    dir.refuses("/", &["is a directory"]);
    dir.refuses(&dir.file("empty", ""), &["the file is empty"]);
    dir.refuses(&dir.file("script", "#!/bin/sh\nexit 0\n"), &["it is a script"]);
    dir.refuses(&dir.file("notes.txt", "hello\n"), &["unknown format"]);
    dir.refuses(&dir.file("noise", [0x80; 5000]), &["unknown format"]);
    dir.refuses("/bin/ls", &["no bitcode attached", "fathom-cc"]);
}

#[test]
fn damaged_programs() {
    let dir = Dir::new("elf");
    dir.file("a.c", SOURCE);
    let cc = Command::new(env!("CARGO_BIN_EXE_fathom"))
        .args(["cc", "a.c", "-o", "a"])
        .current_dir(&dir.0)
        .status();
    assert!(cc.unwrap().success());
    assert_eq!(dir.run(&["./a"]).status.code(), Some(0));
    let whole = fs::read(dir.0.join("a")).unwrap();
    for size in [4, 5, 20, 63, 64, 100, whole.len() / 2, whole.len() - 1] {
        dir.refuses(&dir.file("cut", &whole[..size]), &["truncated ELF file"]);
    }
    dir.clang(&["-m32", "-c", "a.c", "-o", "a32.o"]);
    dir.refuses("a32.o", &["32-bit", "x86-64"]);
    dir.clang(&["-c", "a.c", "-o", "a64.o"]);
    dir.refuses("a64.o", &["object file, not a linked program"]);
    let bitcode = fathom_cc::extract(&dir.0.join("a")).unwrap();
    let start = whole.windows(64).position(|part| part == &bitcode[..64]).unwrap();
    for place in 0..40 {
        let mut damaged = whole.clone();
        damaged[start + bitcode.len() / 40 * place] ^= 1 << (place % 8);
        dir.refuses(&dir.file("damaged", damaged), &["truncated or corrupt", "checksum"]);
    }
}

#[test]
fn programs_of_an_older_compiler() {
    let dir = Dir::new("older");
    dir.file("a.c", SOURCE);
    dir.clang(&["-c", "-emit-llvm", "a.c", "-o", "a.bc"]);
    dir.clang(&["-c", "a.c", "-o", "a"]);
    let objcopy = fathom_cc::tool("llvm-objcopy").unwrap();
    let add = Command::new(objcopy)
        .args(["--add-section=.fathom.bc=a.bc", "a"])
        .current_dir(&dir.0)
        .status();
    assert!(add.unwrap().success());
    dir.refuses("a", &["older fathom-cc", "rebuild"]);
}

#[test]
fn damaged_bitcode() {
    let dir = Dir::new("bitcode");
    dir.file("a.c", SOURCE);
    dir.clang(&["-c", "-emit-llvm", "a.c", "-o", "a.bc"]);
    assert_eq!(dir.run(&["a.bc"]).status.code(), Some(0));
    let whole = fs::read(dir.0.join("a.bc")).unwrap();
    for size in [4, 8, 30, 100, whole.len() / 2, whole.len() - 4] {
        dir.refuses(&dir.file("cut.bc", &whole[..size]), &["truncated or corrupt"]);
    }
    for size in [0, 3] {
        dir.refuses(&dir.file("cut.bc", &whole[..size]), &["not LLVM bitcode"]);
    }
    let newer = by_newer_llvm(&whole);
    dir.refuses(&dir.file("newer.bc", newer), &["newer than", "LLVM99"]);
    dir.clang(&["-m32", "-c", "-emit-llvm", "a.c", "-o", "a32.bc"]);
    dir.refuses("a32.bc", &["32-bit"]);
    dir.clang(&["--target=aarch64-linux-gnu", "-c", "-emit-llvm", "a.c", "-o", "arm.bc"]);
    dir.refuses("arm.bc", &["another processor"]);
    let no_layout = "source_filename = \"a\"\ndefine i32 @main() {\n  ret i32 0\n}\n";
    dir.refuses(&dir.file("no.ll", no_layout), &["does not link", "no datalayout"]);
    dir.refuses(&dir.file("bad.ll", "define i32 @main() { ret i64 \n"), &["does not parse"]);
}

/// Bits that changed may mean another program; what means none is refused in one line.
#[test]
fn bitcode_with_changed_bits() {
    let dir = Dir::new("bits");
    dir.file("a.c", SOURCE);
    dir.clang(&["-g", "-c", "-emit-llvm", "a.c", "-o", "a.bc"]);
    let whole = fs::read(dir.0.join("a.bc")).unwrap();
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    for round in 0..60 {
        let mut damaged = whole.clone();
        for bit in 0..1 << (round % 6) {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let at = 4 + (random >> 33) as usize % (whole.len() - 4);
            damaged[at] ^= 1 << (bit % 8);
        }
        let file = dir.file("damaged.bc", damaged);
        let output = dir.run(&["--max-instructions", "1000000", &file]);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code().is_some(), "round {round}: {output:?}");
        assert!(!stderr.contains("panicked"), "round {round}: {stderr}");
        if stderr.contains("truncated or corrupt") {
            check(&output, &[&file]);
        }
    }
}

/// The first half of `bitcode`, with its producer's version turned into 99: six bits a character.
fn by_newer_llvm(bitcode: &[u8]) -> Vec<u8> {
    let mut bytes = bitcode[..bitcode.len() / 2].to_vec();
    let six = |c: u8| match c {
        b'A'..=b'Z' => c - b'A' + 26,
        _ => c - b'0' + 52,
    };
    let bits = |text: &[u8]| -> Vec<bool> {
        text.iter().flat_map(|&c| (0..6).map(move |i| six(c) >> i & 1 == 1)).collect()
    };
    let bit = |bytes: &[u8], at: usize| bytes[at / 8] >> (at % 8) & 1 == 1;
    let (old, new) = (bits(b"LLVM22"), bits(b"LLVM99"));
    let at = (0..100 * 8)
        .find(|at| old.iter().enumerate().all(|(i, &wanted)| bit(&bytes, at + i) == wanted))
        .expect("clang names itself");
    for (i, value) in new.into_iter().enumerate() {
        let (byte, mask) = ((at + i) / 8, 1 << ((at + i) % 8));
        bytes[byte] = if value { bytes[byte] | mask } else { bytes[byte] & !mask };
    }
    bytes
}

#[test]
fn without_permission_to_read() {
    let dir = Dir::new("permission");
    for name in ["a.c", "a.bc", "a"] {
        dir.file(name, SOURCE);
        fs::set_permissions(dir.0.join(name), fs::Permissions::from_mode(0o000)).unwrap();
    }
    // Whoever runs this, the reader must be somebody who may not.
    let fathom = dir.0.join("fathom");
    fs::copy(env!("CARGO_BIN_EXE_fathom"), &fathom).unwrap();
    // SAFETY: asks for a number.
    let is_root = unsafe { libc::geteuid() } == 0;
    for name in ["a.c", "a.bc", "a"] {
        let mut command = Command::new(&fathom);
        command.args(["run", name]).current_dir(&dir.0);
        if is_root {
            command.uid(65534).gid(65534);
        }
        check(&command.output().unwrap(), &[name, "permission denied"]);
    }
}

#[test]
fn a_syntax_error_is_shown_once() {
    let dir = Dir::new("syntax");
    dir.file("bad.c", "int main(void) { return 0 }\n");
    let output = dir.run(&["bad.c"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert_eq!(stderr.matches("expected ';'").count(), 1, "{stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
}

#[test]
fn a_module_without_main_has_only_entries() {
    let dir = Dir::new("entry");
    dir.file("f.c", "#include <string.h>\nint f(int n) { return n + (int)strlen(\"abc\"); }\n");
    dir.clang(&["-c", "-emit-llvm", "-fno-builtin", "f.c", "-o", "f.bc"]);
    for program in ["f.c", "f.bc"] {
        let output = dir.run(&["--entry", "f", program, "4"]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "returned 7\n", "{output:?}");
        let output = dir.run(&[program]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains("undefined function `main`"));
    }
}

#[test]
fn bitcode_of_other_builds_runs() {
    let dir = Dir::new("other");
    dir.file(
        "a.c",
        "#include <stdio.h>\n#include <ctype.h>\n#include <errno.h>\n\
         int main(void) { int n = 0; sscanf(\"41\", \"%d\", &n); errno = 1;\n\
         printf(\"%d %d\\n\", n + errno, !!isalpha('x')); return 3; }\n",
    );
    for options in
        [&["-O0", "-emit-llvm", "-c"], &["-O2", "-emit-llvm", "-c"], &["-O1", "-emit-llvm", "-S"]]
    {
        dir.clang(&[options, ["a.c", "-o", "module"].as_slice()].concat());
        let output = dir.run(&["module"]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "42 1\n", "{options:?}");
        assert_eq!(output.status.code(), Some(3));
    }
}

#[test]
fn mistyped_options() {
    let dir = Dir::new("options");
    let source = dir.file("a.c", SOURCE);
    check(&dir.run(&["--rng-sed=3", &source]), &["--rng-sed: no such option", "--rng-seed?"]);
    check(&dir.run(&["--max-cpuu", "3", &source]), &["--max-cpuu: no such option", "--max-cpu?"]);
    check(&dir.run(&["-Wall", &source]), &["-Wall: no such option", "fathom run --help"]);
    check(&dir.run(&["--", "--nothing", &source]), &["--nothing: no such file"]);
}

#[test]
fn more_symbolic_bytes_than_memory_holds() {
    let dir = Dir::new("large");
    dir.file("a.c", SOURCE);
    check(&dir.run(&["--sym-stdin", "4294967295", "a.c"]), &["4294967295 bytes", "--max-memory"]);
    let args = ["--max-memory", "100", "--sym-args", "0", "1000000", "1000000", "a.c"];
    check(&dir.run(&args), &["1000000000000 bytes", "100 MiB"]);
}

#[test]
fn options_that_contradict_each_other() {
    let dir = Dir::new("contradictions");
    dir.file("a.c", SOURCE);
    for (options, words) in [
        ("--sym-stdin 2 --cross-check nosuchsolver", ["--cross-check", "nosuchsolver"]),
        ("--sym-stdin 2 --cross-check true", ["--cross-check", "the solver"]),
        ("--entry main --sym-stdin 2", ["--entry main", "no symbolic input"]),
        ("--allow-read /nosuchdir", ["--allow-read /nosuchdir", "No such file"]),
        ("--fork eager --vary --sym-stdin 2", ["--vary", "--fork eager"]),
        ("--fork eager --pending-search bfs --sym-stdin 2", ["--pending-search", "--fork eager"]),
        ("--sym-env A=B 2", ["--sym-env", "A=B"]),
        ("--sym-env X 2 --sym-env X 3", ["--sym-env X 3", "already"]),
        ("--sym-file A 3 --sym-files 1 3", ["A:", "two symbolic files"]),
    ] {
        let options: Vec<&str> = options.split(' ').chain(["a.c"]).collect();
        check(&dir.run(&options), &words);
    }
    check(&dir.run(&["--sym-env", "", "2", "a.c"]), &["--sym-env", "no variable"]);
    check(&dir.run(&["--sym-stdin", "2", "a.c", "--sym-stdin", "3"]), &["--sym-stdin", "twice"]);
    assert_eq!(dir.run(&["--max-stack", "0", "a.c"]).status.code(), Some(2));
}

#[test]
fn the_report_of_a_symbolic_run_is_its_summary() {
    let dir = Dir::new("summary");
    dir.file("a.c", SOURCE);
    let output = dir.run(&["--report", "r.json", "--out", "out", "--sym-stdin", "1", "a.c"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let [report, summary] = ["r.json", "out/summary.json"].map(|it| fs::read(dir.0.join(it)));
    assert_eq!(report.unwrap(), summary.unwrap());
}

//! The compiler at work: real clang, real sysroot, real programs.
//!
//! This binary is its own compiler: called as `fathom-cc` it is one, otherwise it runs the tests
//! below, each in a fresh directory whose name has a space. An argument selects tests by name.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn main() {
    let mut args = std::env::args_os();
    let own_name = args.next().map(PathBuf::from).unwrap_or_default();
    if own_name.file_name().is_some_and(|name| name == "fathom-cc") {
        std::process::exit(fathom_cc::main(args.collect()));
    }
    let filters: Vec<String> =
        args.filter_map(|arg| arg.into_string().ok()).filter(|arg| !arg.starts_with('-')).collect();
    let mut failed = 0;
    for (name, test) in TESTS {
        if !filters.is_empty() && !filters.iter().any(|filter| name.contains(filter.as_str())) {
            continue;
        }
        let result = std::panic::catch_unwind(|| test(&Bench::new(name)));
        println!("test {name} ... {}", if result.is_ok() { "ok" } else { "FAILED" });
        failed += usize::from(result.is_err());
    }
    assert_eq!(failed, 0, "{failed} tests failed");
}

type Test = (&'static str, fn(&Bench));

macro_rules! tests {
    ($($name:ident),* $(,)?) => { const TESTS: &[Test] = &[$((stringify!($name), $name)),*]; };
}

tests! {
    compiles_and_links_in_one_go, survives_strip, same_input_same_bytes, objects_and_archives,
    assembler_is_noted, foreign_objects_are_noted, partial_links, partial_links_by_the_system_linker,
    partial_links_in_archives, dependency_files, response_files, standard_input, exit_status_and_diagnostics, refusals,
    missing_library_is_named, probes_have_no_bitcode, old_sources_compile, warnings_stop_no_build, native_optimisation,
    commands_are_kept, extract_errors, damaged_programs, no_temporary_files, interrupted_leaves_nothing, configure_style_queries,
    compile_program_for_the_engine, long_command_lines, inline_functions_keep_their_bodies, precompiled_headers, no_start_files, own_options,
}

/// A directory to work in and a compiler to call.
struct Bench {
    dir: PathBuf,
    cc: PathBuf,
}

impl Bench {
    fn new(name: &str) -> Bench {
        let dir = std::env::temp_dir().join(format!("fathom cc {} {name}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(dir.join("tmp")).unwrap();
        let cc = dir.join("fathom-cc");
        std::os::unix::fs::symlink(std::env::current_exe().unwrap(), &cc).unwrap();
        Bench { dir, cc }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    fn file(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn command(&self, program: impl AsRef<Path>, args: &[&str]) -> Command {
        let mut command = Command::new(program.as_ref());
        command.args(args).current_dir(&self.dir).env("TMPDIR", self.dir.join("tmp"));
        command
    }

    fn run(&self, program: impl AsRef<Path>, args: &[&str]) -> Output {
        self.command(program, args).output().unwrap()
    }

    /// A compiler call that must succeed without a word; returns what it printed on stdout.
    fn cc(&self, line: &str) -> String {
        let output = self.try_cc(line);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && stderr.is_empty(), "fathom-cc {line}: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn try_cc(&self, line: &str) -> Output {
        self.run(&self.cc, &line.split_whitespace().collect::<Vec<_>>())
    }

    /// Exit status and what was printed on stderr.
    fn failing_cc(&self, line: &str) -> (i32, String) {
        let output = self.try_cc(line);
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    }

    /// What the native program prints, and its exit status.
    fn native(&self, program: &str) -> (String, i32) {
        let output = self.run(self.path(program), &[]);
        (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
    }

    /// The functions the program's bitcode defines and those it only declares.
    fn functions(&self, program: &str) -> (Vec<String>, Vec<String>) {
        functions(&fathom_cc::extract(&self.path(program)).unwrap(), self)
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.dir);
        }
    }
}

fn functions(bitcode: &[u8], bench: &Bench) -> (Vec<String>, Vec<String>) {
    fs::write(bench.path("functions.bc"), bitcode).unwrap();
    let dis = fathom_cc::tool("llvm-dis").unwrap();
    let text = bench.run(dis, &["functions.bc", "-o", "-"]);
    assert!(text.status.success(), "{}", String::from_utf8_lossy(&text.stderr));
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    let names = |keyword: &str| {
        let lines = text.lines().filter(|line| line.starts_with(keyword));
        let names = lines.filter_map(|line| line.split_once('@')?.1.split_once('('));
        names.map(|(name, _)| name.to_string()).filter(|name| !name.starts_with("llvm.")).collect()
    };
    (names("define"), names("declare"))
}

fn has(names: &[String], name: &str) -> bool {
    names.iter().any(|other| other == name)
}

const HELLO: &str = r#"
#include <stdio.h>
int main(void) { printf("hello %d\n", 42); return 3; }
"#;

fn compiles_and_links_in_one_go(b: &Bench) {
    b.file("a.c", HELLO);
    b.cc("-O2 -g -Wall -pie -static -rdynamic -s -flto a.c -o a -lm");
    assert_eq!(b.native("a"), ("hello 42\n".into(), 3));
    let (defined, declared) = b.functions("a");
    assert!(has(&defined, "_start_c") && has(&defined, "main") && has(&defined, "printf"));
    let engine = ["__sys_call", "__set_thread_area", "__fathom_get_tp", "memcpy", "memset"];
    assert!(declared.iter().all(|name| engine.contains(&name.as_str())), "{declared:?}");
    assert!(!b.path("a.o").exists());
    b.cc("a.c");
    assert_eq!(b.native("a.out").1, 3);
}

fn survives_strip(b: &Bench) {
    b.file("a.c", HELLO);
    b.cc("a.c -o a");
    let before = fathom_cc::extract(&b.path("a")).unwrap();
    assert!(b.run("strip", &["a"]).status.success());
    assert_eq!(fathom_cc::extract(&b.path("a")).unwrap(), before);
    assert_eq!(b.native("a").1, 3);
}

fn same_input_same_bytes(b: &Bench) {
    b.file("a.c", HELLO);
    b.cc("-g -c a.c -o a.o");
    b.cc("-g a.c -o a");
    let first = (fs::read(b.path("a.o")).unwrap(), fs::read(b.path("a")).unwrap());
    b.cc("-g -c a.c -o a.o");
    b.cc("-g a.c -o a");
    assert!(first == (fs::read(b.path("a.o")).unwrap(), fs::read(b.path("a")).unwrap()));
}

fn two_files(b: &Bench) {
    b.file("m.c", "int f(int); int main(void) { return f(1); }");
    b.file("f.c", "int f(int x) { return x + 1; }");
    b.file("unused.c", "int unused(void) { return 1; }");
}

fn objects_and_archives(b: &Bench) {
    two_files(b);
    b.cc("-c m.c f.c unused.c");
    assert!(b.run("ar", &["rcs", "libf.a", "f.o", "unused.o"]).status.success());
    b.cc("m.o -L. -lf -Wl,-Map,m.map -Wl,-rpath,/lib -pthread -o m");
    assert_eq!(b.native("m").1, 2);
    assert!(fs::read_to_string(b.path("m.map")).unwrap().contains("libf.a"));
    let (defined, _) = b.functions("m");
    assert!(has(&defined, "f") && !has(&defined, "unused"));
    let commands = fathom_cc::commands(&b.path("m")).unwrap();
    assert_eq!(commands[1].archive.as_deref(), Some("./libf.a"));
    assert!(b.run("ar", &["rcsT", "libthin.a", "f.o"]).status.success());
    b.cc("m.o libthin.a -o thin");
    assert_eq!(fathom_cc::commands(&b.path("thin")).unwrap().len(), 3);
}

const ASSEMBLER: &str = ".globl f\nf: movl $5, %eax\n ret\n.section .note.GNU-stack\n";

fn assembler_is_noted(b: &Bench) {
    two_files(b);
    b.file("f.S", ASSEMBLER);
    b.cc("-c f.S -o f.o");
    b.cc("m.c f.o -o m");
    assert_eq!(b.native("m").1, 5);
    let native = fathom_cc::native_inputs(&b.path("m")).unwrap();
    assert_eq!((native[0].input.as_str(), native[0].reason.as_str()), ("f.o", "assembler source"));
    b.cc("m.c f.S -o m");
    assert_eq!(fathom_cc::native_inputs(&b.path("m")).unwrap()[0].input, "f.S");
    b.cc("-c -x assembler-with-cpp f.S -o g.o");
}

fn foreign_objects_are_noted(b: &Bench) {
    two_files(b);
    let clang = fathom_cc::tool("clang").unwrap();
    assert!(b.run(clang, &["-c", "f.c", "-o", "f.o"]).status.success());
    b.cc("m.c f.o -o m");
    let native = fathom_cc::native_inputs(&b.path("m")).unwrap();
    assert_eq!(native.len(), 1);
    assert_eq!(native[0].reason, "built by another compiler");
}

fn partial_links(b: &Bench) {
    two_files(b);
    b.cc("-c m.c f.c");
    b.cc("-r m.o f.o -o both.o");
    b.cc("both.o -o m");
    assert_eq!(b.native("m").1, 2);
    let (defined, _) = b.functions("m");
    assert!(has(&defined, "f") && has(&defined, "main"));
    assert_eq!(fathom_cc::commands(&b.path("m")).unwrap().len(), 4);
    assert_eq!(fathom_cc::native_inputs(&b.path("m")).unwrap(), []);
}

fn partial_links_by_the_system_linker(b: &Bench) {
    two_files(b);
    b.cc("-c m.c f.c");
    assert!(b.run("ld", &["-r", "m.o", "f.o", "-o", "both.o"]).status.success());
    b.cc("both.o -o m");
    let (defined, _) = b.functions("m");
    assert!(has(&defined, "f") && has(&defined, "main"));
    assert_eq!(fathom_cc::commands(&b.path("m")).unwrap().len(), 3);
    assert_eq!(fathom_cc::native_inputs(&b.path("m")).unwrap(), []);
}

fn partial_links_in_archives(b: &Bench) {
    two_files(b);
    b.file("extra.c", "int extra;");
    b.cc("-c m.c f.c extra.c");
    assert!(b.run("ld", &["-r", "extra.o", "f.o", "-o", "a_rather_long_name.o"]).status.success());
    for (operation, library) in [("rcs", "libfull.a"), ("rcsT", "libthin.a")] {
        assert!(b.run("ar", &[operation, library, "a_rather_long_name.o"]).status.success());
    }
    for inputs in ["m.o libfull.a", "m.o libthin.a", "m.o -L. -lfull"] {
        b.cc(&format!("{inputs} -o m"));
        let (defined, _) = b.functions("m");
        assert!(has(&defined, "f") && has(&defined, "main"), "{inputs}");
        let commands = fathom_cc::commands(&b.path("m")).unwrap();
        assert_eq!(commands.len(), 4, "{inputs}");
        let archive = commands.iter().find_map(|command| command.archive.clone()).unwrap();
        assert!(b.path(&archive).exists(), "{archive}");
        assert_eq!(fathom_cc::native_inputs(&b.path("m")).unwrap(), []);
    }
}

fn dependency_files(b: &Bench) {
    b.file("a.c", "#include \"a.h\"\nint main(void) { return 0; }");
    b.file("a.h", "");
    b.cc("-MMD -MP -c a.c -o sub.o");
    assert_eq!(fs::read_to_string(b.path("sub.d")).unwrap(), "sub.o: a.c a.h\na.h:\n");
    b.cc("-MD -MF x.dep -MT target -c a.c");
    assert!(fs::read_to_string(b.path("x.dep")).unwrap().starts_with("target: a.c"));
    b.cc("-MMD a.c -o prog");
    assert_eq!(fs::read_to_string(b.path("prog.d")).unwrap(), "prog: a.c a.h\n");
    assert_eq!(b.cc("-MM a.c"), "a.o: a.c a.h\n");
    b.cc("-Wp,-MMD,wp.d -c a.c");
    assert!(b.path("wp.d").exists());
}

fn response_files(b: &Bench) {
    b.file("a b.c", "int main(void) { return VALUE; }");
    b.file("outer", "-DVALUE=7 @inner");
    b.file("inner", "'a b.c' -o \"out \\\"put\"");
    b.cc("@outer");
    assert_eq!(b.native("out \"put").1, 7);
}

fn standard_input(b: &Bench) {
    b.file("source", "int main(void) { return 6; }");
    let stdin = fs::File::open(b.path("source")).unwrap();
    let mut command = b.command(&b.cc, &["-x", "c", "-", "-o", "a"]);
    assert!(command.stdin(stdin).status().unwrap().success());
    assert_eq!(b.native("a").1, 6);
    assert!(has(&b.functions("a").0, "main"));
}

fn exit_status_and_diagnostics(b: &Bench) {
    b.file("a.c", "int main(void) { int unused; return oops; }");
    let (status, stderr) = b.failing_cc("-Wall -c a.c");
    assert_eq!(status, 1);
    assert_eq!(stderr.matches("use of undeclared identifier 'oops'").count(), 1);
    assert!(!b.path("a.o").exists());
    b.file("a.c", "int main(void) { int unused; return 0; }");
    let (status, stderr) = b.failing_cc("-Wall -c a.c");
    assert_eq!((status, stderr.matches("unused variable").count()), (0, 1));
    assert_eq!(b.failing_cc("-Wall -Werror -c a.c").0, 1);
    assert_eq!(b.failing_cc("-c missing.c").0, 1);
    assert_eq!(b.failing_cc("--no-such-option -c a.c").0, 1);
    b.file("u.c", "int f(void); int main(void) { return f(); }");
    let (status, stderr) = b.failing_cc("u.c -o u");
    assert!(status == 1 && stderr.contains("undefined symbol: f"));
    assert!(!b.path("u").exists());
}

fn refusals(b: &Bench) {
    b.file("a.c", HELLO);
    b.file("a.cpp", "int main() {}");
    for (line, words) in [
        ("-shared -fPIC a.c -o a.so", "shared libraries"),
        ("-c a.cpp", "C++"),
        ("-x c++ -c a.c", "C++"),
        ("-m32 -c a.c", "32-bit"),
    ] {
        let (status, stderr) = b.failing_cc(line);
        assert!(status == 1 && stderr.contains(words), "{line}: {stderr}");
        assert_eq!(stderr.lines().count(), 1);
    }
}

fn missing_library_is_named(b: &Bench) {
    b.file("a.c", HELLO);
    let (status, stderr) = b.failing_cc("a.c -lm -lnosuch -o a");
    assert!(
        status == 1
            && stderr.contains("libnosuch.a was not found; build that library with fathom-cc")
    );
    assert!(!stderr.contains("libm.a"));
}

fn probes_have_no_bitcode(b: &Bench) {
    b.file("conftest.c", "int main(void) { return 0; }");
    b.cc("conftest.c -o conftest");
    assert_eq!(b.native("conftest").1, 0);
    assert!(fathom_cc::extract(&b.path("conftest")).is_err());
    b.file("conftest.c", "int main(void) { return undeclared(); }");
    assert_eq!(b.failing_cc("-c conftest.c").0, 1, "a probe asks whether it is declared");
}

fn old_sources_compile(b: &Bench) {
    b.file("a.c", "f() { return 2; }\nmain() { char *p = 1; return g() + f() + (p == 0); }\n");
    b.file("g.c", "int g(void) { return 1; }");
    let output = b.try_cc("-w a.c g.c -o a");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(b.native("a").1, 3);
}

fn warnings_stop_no_build(b: &Bench) {
    const SOURCE: &str = "#include <math.h>\nint main(void) { double d = 1; return isnan(d); }";
    b.file("a.c", SOURCE);
    for options in ["", "--asan "] {
        let output = b.try_cc(&format!("{options}-std=c89 -pedantic -Wlong-long -Werror a.c -o a"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(b.native("a").1, 0);
    }
    b.file("conftest.c", SOURCE);
    let command = "-std=c89 -pedantic -Werror -c conftest.c";
    assert_eq!(b.failing_cc(command).0, 1, "a probe asks for warnings");
    b.file("unused.c", "int main(void) { int x; return 0; }");
    assert_eq!(b.failing_cc("-Werror=unused-variable -c unused.c").0, 1, "it was named");
}

fn native_optimisation(b: &Bench) {
    b.file(
        "a.c",
        "#ifdef __OPTIMIZE__\nint v = 1;\n#else\nint v = 0;\n#endif\nint main(void) { return v; }",
    );
    b.cc("-O2 a.c -o a");
    assert_eq!(b.native("a").1, 1);
    b.cc("a.c -o a");
    assert_eq!(b.native("a").1, 0);
}

fn commands_are_kept(b: &Bench) {
    two_files(b);
    b.cc("-O2 -DA=1 -c m.c");
    b.cc("m.o f.c -o m");
    let commands = fathom_cc::commands(&b.path("m")).unwrap();
    let lines: Vec<String> = commands.iter().map(|command| command.arguments.join(" ")).collect();
    assert_eq!(
        lines,
        ["fathom-cc -O2 -DA=1 -c -o m.o m.c", "fathom-cc -c -o f.o f.c", "fathom-cc m.o f.c -o m"]
    );
    assert_eq!(Path::new(&commands[0].directory), b.dir.canonicalize().unwrap());
    assert!(b.cc("--show-commands m").contains("fathom-cc -O2 -DA=1 -c -o m.o m.c\n"));
}

fn extract_errors(b: &Bench) {
    two_files(b);
    b.cc("m.c f.c -o m");
    b.cc("-c m.c");
    let whole = fs::read(b.path("m")).unwrap();
    fs::write(b.path("short"), &whole[..whole.len() - 100]).unwrap();
    fs::write(b.path("shorter"), &whole[..20]).unwrap();
    let mut narrow = whole.clone();
    narrow[4] = 1;
    fs::write(b.path("narrow"), narrow).unwrap();
    b.file("script", "#!/bin/sh\n");
    b.file("empty", "");
    for (name, words) in [
        ("nowhere", "no such file"),
        ("script", "it is a script"),
        ("empty", "the file is empty"),
        ("tmp", "it is a directory"),
        ("short", "truncated"),
        ("shorter", "truncated"),
        ("narrow", "is a 32-bit object"),
        ("m.o", "it is an object file, not a linked program; rebuild it with fathom-cc"),
        ("/bin/sh", "dynamically linked"),
    ] {
        let text = fathom_cc::extract(&b.path(name)).unwrap_err().to_string();
        assert!(text.contains(words) && text.lines().count() == 1, "{name}: {text}");
    }
    fs::set_permissions(b.path("m"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(b.path("m")).is_err() {
        let text = fathom_cc::extract(&b.path("m")).unwrap_err().to_string();
        assert!(text.contains("permission denied"));
    }
}

/// What comes out of a damaged program is the bitcode that went in, or one line.
fn damaged_programs(b: &Bench) {
    b.file("a.c", HELLO);
    b.cc("a.c -o a");
    let whole = fs::read(b.path("a")).unwrap();
    let bitcode = fathom_cc::extract(&b.path("a")).unwrap();
    let start = whole.windows(64).position(|part| part == &bitcode[..64]).unwrap();
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut below = |bound: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % bound
    };
    let mut n_refused = 0;
    for round in 0..600 {
        let mut damaged = whole.clone();
        for _ in 0..1 << (round / 3 % 6) {
            let at = match round % 3 {
                0 => below(64),
                1 => start - 24 + below(bitcode.len() + 24),
                _ => start + bitcode.len() + below(whole.len() - start - bitcode.len()),
            };
            damaged[at] ^= 1 << below(8);
        }
        fs::write(b.path("damaged"), &damaged).unwrap();
        match fathom_cc::extract(&b.path("damaged")) {
            Ok(extracted) => assert!(extracted == bitcode, "round {round}"),
            Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{error}"),
        }
        n_refused += usize::from(fathom_cc::extract(&b.path("damaged")).is_err());
        for result in [
            fathom_cc::native_inputs(&b.path("damaged")).err(),
            fathom_cc::commands(&b.path("damaged")).err(),
        ] {
            assert!(result.is_none_or(|error| error.to_string().lines().count() == 1));
        }
    }
    assert!(n_refused >= 200, "{n_refused}");
    damaged_bitcode_is_named(b, whole, start);
}

fn damaged_bitcode_is_named(b: &Bench, mut program: Vec<u8>, start: usize) {
    program[start + 100] ^= 1;
    fs::write(b.path("damaged"), &program).unwrap();
    let text = fathom_cc::extract(&b.path("damaged")).unwrap_err().to_string();
    assert!(
        text.ends_with(
            "damaged: truncated or corrupt: the attached bitcode does not match its checksum"
        ),
        "{text}"
    );
}

fn temporary_files(b: &Bench) -> usize {
    fs::read_dir(b.path("tmp")).unwrap().count()
}

fn no_temporary_files(b: &Bench) {
    b.file("a.c", HELLO);
    b.file("bad.c", "int");
    b.cc("a.c -o a");
    b.cc("-c a.c");
    b.failing_cc("bad.c -o bad");
    b.failing_cc("-c bad.c");
    b.failing_cc("a.c -lnosuch");
    b.try_cc("-save-temps=obj a.c -o saved");
    assert_eq!(temporary_files(b), 0);
}

fn interrupted_leaves_nothing(b: &Bench) {
    // Nobody ever writes to this pipe, so clang waits for its source.
    assert!(b.run("mkfifo", &["slow.c"]).status.success());
    let mut child = b.command(&b.cc, &["-c", "slow.c"]).spawn().unwrap();
    while temporary_files(b) == 0 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(b.run("kill", &["-TERM", &child.id().to_string()]).status.success());
    let status = child.wait().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(15));
    assert_eq!(temporary_files(b), 0);
    assert!(!b.path("slow.o").exists());
}

fn configure_style_queries(b: &Bench) {
    b.file("a.c", "#include <stdio.h>\nint x;");
    assert!(b.cc("--version").contains("clang version 22"));
    assert_eq!(b.cc("-dumpmachine").trim(), "x86_64-unknown-linux-musl");
    assert!(b.cc("-E a.c").contains("int x;"));
    assert!(b.cc("-S a.c -o -").contains("x:"));
    b.cc("-fsyntax-only a.c");
    assert!(Path::new(b.cc("-print-libgcc-file-name").trim()).exists());
    assert!(Path::new(b.cc("-print-file-name=libc.a").trim()).is_absolute());
    assert!(b.failing_cc("-v").1.contains("Target: x86_64"));
    assert!(b.failing_cc("-### -c a.c").1.contains("-cc1"));
    assert_eq!(b.failing_cc("").0, 1);
    b.cc("-c a.c -o /dev/null");
    assert!(Path::new("/dev/null").exists());
}

fn compile_program_for_the_engine(b: &Bench) {
    b.file("k.c", "void klee_make_symbolic(void *, unsigned long, const char *);\nint main(void) { int x; klee_make_symbolic(&x, sizeof x, \"x\"); return x; }");
    let program = fathom_cc::compile_program(&b.path("k.c"), &["-DA".into()]).unwrap();
    let (defined, declared) = functions(&program.bitcode, b);
    assert!(has(&defined, "main") && has(&declared, "klee_make_symbolic"));
    assert_eq!(program.native_inputs, []);
    assert!(fathom_cc::compile_program(&b.path("none.c"), &[]).is_err());
}

fn long_command_lines(b: &Bench) {
    b.file("a.c", HELLO);
    let defines: String = (0..12_000).map(|i| format!("-DSOME_LONG_MACRO_NAME_{i}=1\n")).collect();
    b.file("defines", &defines);
    b.cc("@defines a.c -o a");
    assert_eq!(b.native("a").1, 3);
}

fn no_start_files(b: &Bench) {
    b.file("a.c", "void ENTRY(void) { for (;;); }");
    for line in ["-DENTRY=_start", "-DENTRY=go -e go", "-DENTRY=go -Wl,-e,go"] {
        b.cc(&format!("-nostdlib {line} a.c -o a"));
        assert_eq!(b.functions("a").0.len(), 1, "{line}");
    }
}

fn precompiled_headers(b: &Bench) {
    b.file("p.h", "#define VALUE 4\n");
    b.file("a.c", "int main(void) { return VALUE; }");
    b.cc("-O2 -c p.h -o p.h.pch");
    b.cc("-O2 -include p.h a.c -o a");
    assert_eq!(b.native("a").1, 4);
    assert!(has(&b.functions("a").0, "main"));
}

/// Plain `inline` without an external definition: natively inlined, and the bitcode has the body.
fn inline_functions_keep_their_bodies(b: &Bench) {
    let inline = "inline int f(int x) { return x + 1; }\n";
    b.file("a.c", &format!("{inline}int g(int); int main(void) {{ return f(1) + g(1); }}"));
    b.file("b.c", &format!("{inline}int g(int x) {{ return f(x) + 1; }}"));
    b.cc("-O2 a.c b.c -o one");
    b.cc("-O2 -c a.c b.c");
    b.run("ar", &["rcs", "b.a", "b.o"]);
    b.cc("a.o b.a -o two");
    for program in ["one", "two"] {
        assert_eq!(b.native(program).1, 5);
        assert!(b.functions(program).0.contains(&"f".into()));
        assert_eq!(fathom_cc::native_inputs(&b.path(program)).unwrap(), []);
    }
}

fn own_options(b: &Bench) {
    b.file("a.c", HELLO);
    b.cc("a.c -o a");
    assert!(b.cc("--help").contains("examples:"));
    b.cc("--extract a -o a.bc");
    assert_eq!(fs::read(b.path("a.bc")).unwrap(), fathom_cc::extract(&b.path("a")).unwrap());
    assert_eq!(b.failing_cc("--extract").0, 1);
}

//! Bad input on the command line: one clear line on standard error and exit status 2, each time.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::pool::{self, Tally};
use crate::process::{Ended, Run};
use crate::tree::{Scratch, Tree};

type Check = fn(&Tree, &Scratch) -> Result<(), String>;

const CASES: &[(&str, Check)] = &[
    ("cli/missing-file", missing_file),
    ("cli/empty-file", empty_file),
    ("cli/garbage", garbage),
    ("cli/directory", directory),
    ("cli/truncated-bitcode", truncated_bitcode),
    ("cli/newer-bitcode", newer_bitcode),
    ("cli/executable-without-bitcode", executable_without_bitcode),
    ("cli/no-read-permission", no_read_permission),
    ("cli/32-bit-object", object_of_32_bits),
    ("cli/32-bit-bitcode", bitcode_of_32_bits),
    ("cli/no-program", no_program),
    ("cli/unknown-option", unknown_option),
    ("cli/unknown-command", unknown_command),
    ("cli/bitcode-file-runs", bitcode_file_runs),
    ("cli/source-file-runs", source_file_runs),
];

pub fn run(tree: &Tree, filter: &str) -> Tally {
    let cases: Vec<_> = CASES.iter().filter(|(name, _)| name.contains(filter)).collect();
    pool::run_all(&cases, |(name, _)| name.to_string(), |(_, check)| check(tree, &Scratch::new()?))
}

fn missing_file(tree: &Tree, scratch: &Scratch) -> Result<(), String> {
    refused(tree, scratch, "nothing-here")
}

fn empty_file(tree: &Tree, scratch: &Scratch) -> Result<(), String> {
    write(&scratch.path().join("empty"), b"")?;
    refused(tree, scratch, "empty")
}

fn garbage(tree: &Tree, scratch: &Scratch) -> Result<(), String> {
    write(&scratch.path().join("garbage"), b"this is no program\n")?;
    refused(tree, scratch, "garbage")
}

fn directory(tree: &Tree, scratch: &Scratch) -> Result<(), String> {
    refused(tree, scratch, ".")
}

fn truncated_bitcode(tree: &Tree, scratch: &Scratch) -> Result<(), String> {
    let bitcode = sample_bitcode(tree, scratch)?;
    for length in [6, 40, bitcode.len() / 2, bitcode.len() - 4] {
        write(&scratch.path().join("cut.bc"), &bitcode[..length])?;
        refused(tree, scratch, "cut.bc").map_err(|error| format!("{length} bytes: {error}"))?;
    }
    Ok(())
}

/// Bitcode opens with an identification block whose last record is the format's epoch: the
/// abbreviation's number 5 in five bits, then the epoch, 0 so far, in six; then only zeros.
fn newer_bitcode(tree: &Tree, scratch: &Scratch) -> Result<(), String> {
    let mut bitcode = sample_bitcode(tree, scratch)?;
    let words = u32::from_le_bytes(bitcode[8..12].try_into().expect("four bytes")) as usize;
    let block = &mut bitcode[12..12 + 4 * words];
    let last_set = (0..block.len() * 8)
        .rev()
        .find(|bit| block[bit / 8] >> (bit % 8) & 1 == 1)
        .ok_or("no identification block")?;
    let epoch = last_set + 3;
    block[epoch / 8] |= 1 << (epoch % 8);
    write(&scratch.path().join("newer.bc"), &bitcode)?;
    refused(tree, scratch, "newer.bc")
}

fn executable_without_bitcode(tree: &Tree, scratch: &Scratch) -> Result<(), String> {
    refused(tree, scratch, "/bin/true")
}

/// As an unprivileged user, because root reads everything.
fn no_read_permission(tree: &Tree, scratch: &Scratch) -> Result<(), String> {
    let file = scratch.path().join("secret");
    write(&file, b"x")?;
    let mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
            .map_err(|error| error.to_string())
    };
    mode(&file, 0)?;
    mode(scratch.path(), 0o755)?;
    // SAFETY: geteuid cannot fail.
    let ended = if unsafe { libc::geteuid() } == 0 {
        let copy = scratch.path().join("fathom");
        fs::copy(&tree.fathom, &copy).map_err(|error| error.to_string())?;
        mode(&copy, 0o755)?;
        Run::new("/usr/bin/setpriv", scratch.path())
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .arg(&copy)
            .args(["run", "secret"])
            .run()?
    } else {
        Run::new(&tree.fathom, scratch.path()).args(["run", "secret"]).run()?
    };
    one_line(&ended)
}

fn object_of_32_bits(tree: &Tree, scratch: &Scratch) -> Result<(), String> {
    // An ELF header and nothing else: 32-bit, little-endian, executable, for the i386.
    let mut elf = vec![0x7f, b'E', b'L', b'F', 1, 1, 1];
    elf.resize(52, 0);
    (elf[16], elf[18], elf[20], elf[40]) = (2, 3, 1, 52);
    write(&scratch.path().join("small"), &elf)?;
    refused(tree, scratch, "small")
}

fn bitcode_of_32_bits(tree: &Tree, scratch: &Scratch) -> Result<(), String> {
    write(&scratch.path().join("small.c"), b"int main(void) { return 0; }\n")?;
    let ended = Run::new("clang-22", scratch.path())
        .args(["--target=i386-linux-gnu", "-c", "-emit-llvm", "small.c", "-o", "small.bc"])
        .run()?;
    succeeded("clang-22", &ended)?;
    refused(tree, scratch, "small.bc")
}

fn no_program(tree: &Tree, scratch: &Scratch) -> Result<(), String> {
    usage_error(&Run::new(&tree.fathom, scratch.path()).arg("run").run()?)
}

fn unknown_option(tree: &Tree, scratch: &Scratch) -> Result<(), String> {
    let run = Run::new(&tree.fathom, scratch.path()).args(["run", "--no-such-option", "x"]);
    usage_error(&run.run()?)
}

fn unknown_command(tree: &Tree, scratch: &Scratch) -> Result<(), String> {
    usage_error(&Run::new(&tree.fathom, scratch.path()).arg("no-such-command").run()?)
}

fn bitcode_file_runs(tree: &Tree, scratch: &Scratch) -> Result<(), String> {
    sample_bitcode(tree, scratch)?;
    let run = Run::new(&tree.fathom, scratch.path()).args(["run", "sample.bc", "x", "y"]);
    greets(&run.run()?)
}

fn source_file_runs(tree: &Tree, scratch: &Scratch) -> Result<(), String> {
    write(&scratch.path().join("sample.c"), SAMPLE.as_bytes())?;
    let run = Run::new(&tree.fathom, scratch.path()).args(["run", "sample.c", "x", "y"]);
    greets(&run.run()?)
}

const SAMPLE: &str = "#include <stdio.h>
int main(int argc, char **argv) { printf(\"hello %d %s\\n\", argc, argv[argc - 1]); return 7; }
";

fn sample_bitcode(tree: &Tree, scratch: &Scratch) -> Result<Vec<u8>, String> {
    write(&scratch.path().join("sample.c"), SAMPLE.as_bytes())?;
    let fathom = |args: &[&str]| {
        let ended = Run::new(&tree.fathom, scratch.path()).args(args).run()?;
        succeeded(&format!("fathom {}", args.join(" ")), &ended)
    };
    fathom(&["cc", "sample.c", "-o", "sample"])?;
    fathom(&["cc", "--extract", "sample", "-o", "sample.bc"])?;
    fs::read(scratch.path().join("sample.bc")).map_err(|error| format!("sample.bc: {error}"))
}

fn refused(tree: &Tree, scratch: &Scratch, program: &str) -> Result<(), String> {
    one_line(&Run::new(&tree.fathom, scratch.path()).args(["run", program]).run()?)
}

fn one_line(ended: &Ended) -> Result<(), String> {
    let stderr = String::from_utf8_lossy(&ended.stderr);
    if ended.status != 2 || stderr.lines().count() != 1 || !ended.stdout.is_empty() {
        let status = ended.status;
        return Err(format!("status {status}, not 2 with one line on stderr:\n{stderr}"));
    }
    Ok(())
}

fn usage_error(ended: &Ended) -> Result<(), String> {
    let stderr = String::from_utf8_lossy(&ended.stderr);
    if ended.status != 2 || stderr.is_empty() || stderr.contains("panicked") {
        return Err(format!("status {}, not 2 with a message on stderr:\n{stderr}", ended.status));
    }
    Ok(())
}

fn greets(ended: &Ended) -> Result<(), String> {
    if ended.status != 7 || ended.stdout != b"hello 3 y\n" {
        let stdout = String::from_utf8_lossy(&ended.stdout);
        let stderr = String::from_utf8_lossy(&ended.stderr);
        return Err(format!("status {}, stdout `{stdout}`, stderr:\n{stderr}", ended.status));
    }
    Ok(())
}

fn succeeded(what: &str, ended: &Ended) -> Result<(), String> {
    if ended.status == 0 {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&ended.stderr);
    Err(format!("{what}: status {}\n{stderr}", ended.status))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

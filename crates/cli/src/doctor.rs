//! `fathom doctor`: every external piece, its version, and what to do where one is missing.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::Result;
use clap::Parser;
use fathom_cc::LLVM_VERSION;
use serde_json::json;

/// Check that everything fathom needs is installed.
///
/// Exit status: 0 when all of it is there, 1 when something is missing.
#[derive(Parser)]
#[command(after_help = "Examples:\n  fathom doctor\n  fathom doctor --json")]
pub struct Args {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// One thing that should be there.
struct Piece {
    name: &'static str,
    purpose: &'static str,
    /// Its version or place, or what is wrong.
    found: Result<String, String>,
    fix: &'static str,
    /// Nothing that users do needs it.
    optional: bool,
}

const FIX_LLVM: &str = "./x setup   (or: apt-get install clang-22 lld-22 llvm-22)";
const FIX_SETUP: &str = "./x setup";

/// What the engine reserves for its tables and stack, and room for a large program's memory.
const ADDRESS_SPACE: usize = 2 << 30;

pub fn main(args: &Args) -> Result<ExitCode> {
    let pieces = pieces();
    let complete = pieces.iter().all(|piece| piece.found.is_ok() || piece.optional);
    match args.json {
        true => print_json(&pieces, complete)?,
        false => print_text(&pieces, complete),
    }
    Ok(ExitCode::from(u8::from(!complete)))
}

fn print_json(pieces: &[Piece], complete: bool) -> Result<()> {
    let row = |piece: &Piece| {
        json!({
            "name": piece.name,
            "purpose": piece.purpose,
            "found": piece.found.as_ref().ok(),
            "problem": piece.found.as_ref().err(),
            "fix": piece.found.as_ref().err().map(|_| piece.fix),
            "optional": piece.optional,
        })
    };
    let rows: Vec<_> = pieces.iter().map(row).collect();
    println!("{}", serde_json::to_string_pretty(&json!({ "complete": complete, "pieces": rows }))?);
    Ok(())
}

fn print_text(pieces: &[Piece], complete: bool) {
    for piece in pieces {
        let (mark, text) = match &piece.found {
            Ok(found) => ("ok     ", found),
            Err(problem) if piece.optional => ("absent ", problem),
            Err(problem) => ("MISSING", problem),
        };
        println!("{mark} {:<14} {text}", piece.name);
        if piece.found.is_err() {
            println!("        needed to {}; fix: {}", piece.purpose, piece.fix);
        }
    }
    println!("{}", if complete { "everything is there" } else { "something is missing" });
}

fn pieces() -> Vec<Piece> {
    let needed = |name, purpose, found, fix| Piece { name, purpose, found, fix, optional: false };
    let optional = |name, purpose, found, fix| Piece { name, purpose, found, fix, optional: true };
    vec![
        needed("fathom", "run", Ok(env!("CARGO_PKG_VERSION").to_owned()), ""),
        needed("clang", "compile C to bitcode", llvm_tool("clang"), FIX_LLVM),
        needed("ld.lld", "link programs", llvm_tool("ld.lld"), FIX_LLVM),
        needed("opt", "trim linked bitcode", llvm_tool("opt"), FIX_LLVM),
        needed("llvm-nm", "find functions without bitcode", llvm_tool("llvm-nm"), FIX_LLVM),
        needed("LLVM library", "load bitcode", llvm_library(), FIX_LLVM),
        needed("C library", "run programs whole", c_library(), FIX_SETUP),
        needed("Bitwuzla", "solve path conditions", solver(), FIX_SETUP),
        needed(
            "address space",
            "hold the program's memory",
            address_space(),
            "ulimit -v unlimited; sysctl vm.overcommit_memory=0",
        ),
        optional("make", "build real programs (./x test --long real)", on_path("make"), FIX_SETUP),
        optional(
            "dpkg-source",
            "unpack real programs (./x test --long real)",
            on_path("dpkg-source"),
            "./x setup   (or: apt-get install dpkg-dev)",
        ),
        optional(
            "csmith",
            "test with random programs (./x test --long csmith)",
            on_path("csmith"),
            "./x setup   (or: apt-get install csmith libcsmith-dev)",
        ),
    ]
}

/// The first line of the tool's `--version` that has a number in it, if it is our LLVM's.
fn llvm_tool(name: &str) -> Result<String, String> {
    let path = fathom_cc::tool(name).map_err(|error| error.to_string())?;
    let place = path.display();
    let output = Command::new(&path).arg("--version").output();
    let output = output.map_err(|error| format!("{place} does not start: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find(|line| line.contains(|c: char| c.is_ascii_digit()));
    let line = line.ok_or(format!("{place} does not tell its version"))?.trim();
    let number = line.split(|c: char| !c.is_ascii_digit()).find(|digits| !digits.is_empty());
    match number == Some(LLVM_VERSION) {
        true => Ok(format!("{line} ({place})")),
        false => Err(format!("{place} is {line}; version {LLVM_VERSION} is needed")),
    }
}

fn llvm_library() -> Result<String, String> {
    let version = fathom_ir::llvm_version();
    match version.split('.').next() == Some(LLVM_VERSION) {
        true => Ok(version),
        false => Err(format!("it is {version}; version {LLVM_VERSION} is needed")),
    }
}

fn c_library() -> Result<String, String> {
    let path = fathom_cc::sysroot().map_err(|error| error.to_string())?;
    current("sysroot", path)
}

fn solver() -> Result<String, String> {
    let path = cache().join("bitwuzla");
    match path.join("lib/libbitwuzla.a").exists() {
        true => current("bitwuzla", path),
        false => Err(format!("{} has no lib/libbitwuzla.a", path.display())),
    }
}

/// `path`, unless the repository this was built from would set it up anew.
fn current(name: &str, path: PathBuf) -> Result<String, String> {
    const COMPARE: &str = r#"
        setup_dir=$1; name=$2; . "$setup_dir/lib.sh" &&
        eval "$(grep '^hash=' "$setup_dir/$name.sh")" && is_current "$name" "$hash" || exit 9"#;
    let setup = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../setup");
    if setup.join("lib.sh").exists() {
        let compared =
            Command::new("sh").args(["-euc", COMPARE, "sh"]).arg(&setup).arg(name).output();
        if compared.is_ok_and(|output| output.status.code() == Some(9)) {
            return Err(format!("{} is out of date", path.display()));
        }
    }
    Ok(path.display().to_string())
}

/// Reserves and gives back, as the engine does at the start of a run.
fn address_space() -> Result<String, String> {
    // SAFETY: a fresh anonymous mapping that is only given back.
    let error = unsafe {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let start = libc::mmap(std::ptr::null_mut(), ADDRESS_SPACE, protection, flags, -1, 0);
        match start == libc::MAP_FAILED {
            true => Some(std::io::Error::last_os_error()),
            false => {
                libc::munmap(start, ADDRESS_SPACE);
                None
            }
        }
    };
    let size = format!("{} GiB", ADDRESS_SPACE >> 30);
    match error {
        None => Ok(format!("{size} can be reserved")),
        Some(error) => Err(format!("{size} cannot be reserved: {error}")),
    }
}

fn on_path(name: &str) -> Result<String, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).map(|dir| dir.join(name)).find(|path| path.is_file());
    found.map(|path| path.display().to_string()).ok_or(format!("{name} was not found"))
}

fn cache() -> PathBuf {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("FATHOM_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|path| path.join("fathom")))
        .or_else(|| set("HOME").map(|path| path.join(".cache/fathom")))
        .unwrap_or_else(|| PathBuf::from(".cache/fathom"))
}

//! `fathom doctor`: every external piece, its version, and what to do where one is missing.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::Result;
use clap::Parser;
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

/// One thing that must be there.
struct Piece {
    name: &'static str,
    purpose: &'static str,
    /// Its version or place, or what is wrong.
    found: Result<String, String>,
    fix: &'static str,
}

const FIX_LLVM: &str = "./x setup   (or: apt-get install clang-22 lld-22 llvm-22)";

pub fn main(args: &Args) -> Result<ExitCode> {
    let pieces = pieces();
    let complete = pieces.iter().all(|piece| piece.found.is_ok());
    if args.json {
        let rows: Vec<_> = pieces
            .iter()
            .map(|piece| {
                json!({
                    "name": piece.name,
                    "purpose": piece.purpose,
                    "found": piece.found.as_ref().ok(),
                    "problem": piece.found.as_ref().err(),
                    "fix": piece.found.as_ref().err().map(|_| piece.fix),
                })
            })
            .collect();
        println!("{}", serde_json::to_string_pretty(&json!({ "complete": complete, "pieces": rows }))?);
    } else {
        for piece in &pieces {
            let (mark, text) = match &piece.found {
                Ok(found) => ("ok     ", found),
                Err(problem) => ("MISSING", problem),
            };
            println!("{mark} {:<20} {text}", piece.name);
            if piece.found.is_err() {
                println!("        needed to {}; fix: {}", piece.purpose, piece.fix);
            }
        }
        println!("{}", if complete { "everything is there" } else { "something is missing" });
    }
    Ok(ExitCode::from(u8::from(!complete)))
}

fn pieces() -> Vec<Piece> {
    let mut pieces = vec![Piece {
        name: "fathom",
        purpose: "run",
        found: Ok(env!("CARGO_PKG_VERSION").to_owned()),
        fix: "",
    }];
    for (name, purpose) in [
        ("clang", "compile C to bitcode"),
        ("ld.lld", "link programs"),
        ("llvm-objcopy", "keep bitcode in objects"),
        ("opt", "trim linked bitcode"),
    ] {
        pieces.push(Piece { name, purpose, found: tool_version(name), fix: FIX_LLVM });
    }
    pieces.push(Piece {
        name: "LLVM library",
        purpose: "load bitcode",
        found: Ok(fathom_ir::llvm_version()),
        fix: FIX_LLVM,
    });
    pieces.push(Piece {
        name: "C library",
        purpose: "run programs whole",
        found: fathom_cc::sysroot().map(|path| path.display().to_string()).map_err(|e| e.to_string()),
        fix: "./x setup",
    });
    pieces.push(Piece {
        name: "Bitwuzla",
        purpose: "solve path conditions",
        found: solver(),
        fix: "./x setup",
    });
    pieces
}

/// The first line of the tool's `--version` that has a number in it.
fn tool_version(name: &str) -> Result<String, String> {
    let path = fathom_cc::tool(name).map_err(|error| error.to_string())?;
    let output = Command::new(&path).arg("--version").output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find(|line| line.contains(|c: char| c.is_ascii_digit()));
    Ok(format!("{} ({})", line.unwrap_or("?").trim(), path.display()))
}

fn solver() -> Result<String, String> {
    let library = cache().join("bitwuzla/lib");
    let found = std::fs::read_dir(&library).ok().and_then(|entries| {
        entries
            .flatten()
            .map(|entry| entry.path())
            .find(|path| path.to_string_lossy().ends_with("libbitwuzla.a"))
    });
    let found = found.or_else(|| {
        let nested = library.join("x86_64-linux-gnu/libbitwuzla.a");
        nested.exists().then_some(nested)
    });
    match found {
        Some(path) => Ok(path.display().to_string()),
        None => Err(format!("{} has no libbitwuzla.a", library.display())),
    }
}

fn cache() -> PathBuf {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("FATHOM_CACHE")
        .or_else(|| set("XDG_CACHE_HOME").map(|path| path.join("fathom")))
        .or_else(|| set("HOME").map(|path| path.join(".cache/fathom")))
        .unwrap_or_else(|| PathBuf::from(".cache/fathom"))
}

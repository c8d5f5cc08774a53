//! `fathom doctor` names each missing piece with the command that brings it.

use std::path::PathBuf;
use std::process::{Command, Output};

fn doctor(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fathom"));
    command.arg("doctor").args(args);
    command
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[test]
fn all_is_well_after_setup() {
    let output = doctor(&["--json"]).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let pieces = report["pieces"].as_array().unwrap();
    for name in ["clang", "ld.lld", "opt", "LLVM library", "address space"] {
        let piece = pieces.iter().find(|piece| piece["name"] == name).unwrap();
        assert!(piece["found"].is_string(), "{piece}");
    }
    let missing = |piece: &&serde_json::Value| piece["found"].is_null();
    assert!(pieces.iter().filter(missing).all(|piece| piece["fix"].is_string()));
}

#[test]
fn an_empty_cache_needs_setup() {
    let cache = std::env::temp_dir().join(format!("fathom-doctor-{}", std::process::id()));
    std::fs::create_dir_all(&cache).unwrap();
    let output = doctor(&[]).env("FATHOM_CACHE", &cache).output().unwrap();
    std::fs::remove_dir_all(&cache).unwrap();
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for name in ["C library", "Bitwuzla"] {
        let at = text.find(&format!("MISSING {name}")).expect(&text);
        assert!(text[at..].lines().nth(1).unwrap().ends_with("fix: ./x setup"), "{text}");
    }
    assert!(text.ends_with("something is missing\n"), "{text}");
}

#[test]
fn a_path_without_clang() {
    let command = |args| {
        let mut command = doctor(args);
        command.env("PATH", "/nowhere").env_remove("LLVM_SYS_221_PREFIX");
        command.output().unwrap()
    };
    let output = command(&[]);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let at = text.find("MISSING clang").expect(&text);
    assert!(text[at..].contains("apt-get install clang-22"), "{text}");
    assert!(text.contains("absent  csmith"), "{text}");
}

#[test]
fn another_version_of_clang() {
    use std::os::unix::fs::PermissionsExt;
    let dir: PathBuf = std::env::temp_dir().join(format!("fathom-clang-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let clang = dir.join("clang-22");
    std::fs::write(&clang, "#!/bin/sh\necho 'Debian clang version 14.0.6'\n").unwrap();
    std::fs::set_permissions(&clang, std::fs::Permissions::from_mode(0o755)).unwrap();
    let output = doctor(&[]).env("PATH", format!("{}:/usr/bin:/bin", dir.display())).output();
    std::fs::remove_dir_all(&dir).unwrap();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("version 22 is needed"), "{}", text(&output));
}

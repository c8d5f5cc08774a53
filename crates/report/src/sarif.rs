//! `findings.sarif`: findings in SARIF 2.1.0, for code hosts and editors.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{Finding, Frame};

/// The file's text.
pub fn sarif(findings: &[Finding]) -> String {
    let kinds: BTreeSet<&str> = findings.iter().map(|finding| finding.site.kind.as_str()).collect();
    let rules: Vec<Value> = kinds
        .iter()
        .map(|kind| json!({ "id": kind, "shortDescription": { "text": kind.replace('-', " ") } }))
        .collect();
    let results: Vec<Value> = findings.iter().map(result).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "fathom",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "results": results,
        }],
    });
    crate::write::pretty(&log)
}

fn result(finding: &Finding) -> Value {
    let site = &finding.site;
    let mut result = json!({
        "ruleId": site.kind,
        "level": "error",
        "message": { "text": finding.message },
        "properties": { "test": finding.test },
    });
    if !site.file.is_empty() {
        result["locations"] = json!([location(&site.file, site.line, &site.function)]);
    }
    if !finding.stack.is_empty() {
        let frame = |frame: &Frame| json!({ "location": location(&frame.file, frame.line, &frame.function) });
        let frames: Vec<Value> = finding.stack.iter().map(frame).collect();
        result["stacks"] = json!([{ "frames": frames }]);
    }
    result
}

/// A place; a line of 0 is unknown and left out, as SARIF counts from 1.
fn location(file: &str, line: u32, function: &str) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
    if line > 0 {
        physical["region"] = json!({ "startLine": line });
    }
    let mut location = json!({ "logicalLocations": [{ "name": function, "kind": "function" }] });
    if !file.is_empty() {
        location["physicalLocation"] = physical;
    }
    location
}

/// A path as a URI reference.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let encode = |byte: u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    path.bytes().map(encode).collect()
}

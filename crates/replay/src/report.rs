//! What the native C library wrote down: notes about objects, and the fault that guard mode caught.

use serde::{Deserialize, Deserializer, de};

use crate::symbols::Frame;

/// A note of the replay itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The program asked for an object that the test does not have; it got zeros.
    MissingInput(String),
    /// An assumption of the program does not hold for the test.
    AssumptionFailed,
}

/// A fault, or a misuse of the allocator, as guard mode saw it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct GuardReport {
    /// `fault`, `double-free`, `invalid-free`, or `kernel-fault`: a system call's `EFAULT`.
    pub event: String,
    #[serde(deserialize_with = "hex")]
    pub signal: u64,
    /// The processor's exception: 14 a page fault, 13 a general protection fault.
    #[serde(deserialize_with = "hex")]
    pub trap: u64,
    pub access: Access,
    #[serde(deserialize_with = "hex")]
    pub address: u64,
    #[serde(deserialize_with = "hex")]
    pub pc: u64,
    #[serde(deserialize_with = "hex")]
    pub sp: u64,
    #[serde(deserialize_with = "hex")]
    pub bp: u64,
    /// The block that holds the address or stands before it.
    #[serde(default)]
    pub block: Option<Block>,
    /// Innermost first, inlined functions included.
    #[serde(skip)]
    pub frames: Vec<Frame>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    Read,
    Write,
    Execute,
    /// Not a memory access, or the processor does not say.
    None,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Block {
    #[serde(deserialize_with = "hex")]
    pub address: u64,
    #[serde(deserialize_with = "hex")]
    pub size: u64,
    pub state: BlockState,
    pub kind: BlockKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BlockState {
    Live,
    Freed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BlockKind {
    Heap,
    Argument,
    Environment,
}

/// The report file, taken apart.
#[derive(Default)]
pub(crate) struct Parsed<'a> {
    pub events: Vec<Event>,
    pub report: Option<GuardReport>,
    /// The program's stack from `report.sp` on.
    pub stack: &'a [u8],
}

pub(crate) fn parse(file: &[u8]) -> Parsed<'_> {
    let mut parsed = Parsed::default();
    let mut rest = file;
    while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
        let line = &rest[..end];
        rest = &rest[end + 1..];
        if let Ok(report) = serde_json::from_slice(line) {
            parsed.report = Some(report);
            parsed.stack = rest;
            break;
        }
        match serde_json::from_slice(line) {
            Ok(Note { event, name }) if event == "missing-input" => {
                parsed.events.push(Event::MissingInput(name));
            }
            Ok(Note { event, .. }) if event == "assumption-failed" => {
                parsed.events.push(Event::AssumptionFailed);
            }
            _ => break,
        }
    }
    parsed
}

#[derive(Deserialize)]
struct Note {
    event: String,
    #[serde(default)]
    name: String,
}

fn hex<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.strip_prefix("0x")
        .and_then(|digits| u64::from_str_radix(digits, 16).ok())
        .ok_or_else(|| de::Error::custom("not a hexadecimal number"))
}

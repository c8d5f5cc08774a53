//! Ctrl-C and the like: all that was found is kept, and nothing is left behind.

use std::os::unix::process::CommandExt;
use std::process::Child;
use std::time::Duration;

use crate::suite::{Amplified, Suite};
use crate::workplace::ended;

/// Takes as long to analyse as anybody lets it.
const HARD: &str = r#"
#include <unistd.h>
int main(void) {
  unsigned char bytes[64];
  char table[256] = "";
  unsigned sum = 1;
  if (read(0, bytes, sizeof bytes) != sizeof bytes) return 2;
  for (int round = 0; round < 100000; round++)
    for (int i = 0; i < 64; i++) {
      sum = sum * 31 + bytes[i] * bytes[(i + round) & 63];
      if (sum == 12345) return table[sum & 255];
    }
  return 0;
}
"#;

fn send(child: &Child, target: i32, signal: i32) {
    assert!(target.unsigned_abs() == child.id());
    // SAFETY: our own child, not waited for yet, which leads a group of its own.
    assert_eq!(unsafe { libc::kill(target, signal) }, 0);
}

/// A terminal tells all processes of the group, and fathom its own once more.
#[test]
fn interrupted_analysis() {
    let suite = Suite::new("interrupted", HARD, "head -c 64 /dev/zero | ./prog");
    let args = ["amplify", "--out", "out", "--budget", "100s", "--max-test-time", "90s"];
    let mut command = suite.place.command(&[&args[..], &["--jobs", "2", "--", "./check"]].concat());
    let child = command.process_group(0).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(4));
    send(&child, -(child.id() as i32), libc::SIGINT);
    let amplified = Amplified::new(ended(child), suite.path());
    assert_eq!(amplified.suite["interrupted"], true, "{}", amplified.stderr());
    assert!(!amplified.ledger.contains("killed by signal"), "{}", amplified.ledger);
    let [test] = &amplified.tests[..] else { panic!("{}", amplified.stderr()) };
    assert!(test["branches"].as_u64().unwrap() > 0, "{test}");
    assert!(amplified.stderr().contains("fathom amplify --from"), "{}", amplified.stderr());
}

/// Whoever tells fathom alone means the suite, too.
#[test]
fn interrupted_suite() {
    let suite =
        Suite::new("stopped", HARD, "head -c 3 /dev/zero | ./prog; touch begun; exec sleep 1000");
    let args = ["amplify", "--out", "out", "--record-only", "--", "./check"];
    let child = suite.place.command(&args).process_group(0).spawn().unwrap();
    while !suite.path().join("begun").exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    send(&child, child.id() as i32, libc::SIGTERM);
    let output = ended(child);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("1 runs of 1 programs recorded"), "{stderr}");
}

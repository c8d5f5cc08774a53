//! What programs read that is no plain file, and limits that they meet.

use crate::suite::Suite;

/// Prints how much each read gives.
const PIECES: &str = r#"
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
  char buffer[100];
  long n;
  while ((n = read(argc > 2 ? argv[2][0] - '0' : 0, buffer, sizeof buffer)) > 0) printf("%ld\n", n);
  return n != 0;
}
"#;

#[test]
fn pipes_and_terminals_give_what_they_gave() {
    let check = r#"
        (printf a; sleep 0.3; printf bc) | ./prog pipe
        printf 'one\nthree\n' | script -qec './prog terminal' /dev/null >/dev/null
        ./prog other 3 3<prog.c >/dev/null
        printf abc | { ./prog other 4 4<&0 </dev/null; }
    "#;
    let suite = Suite::new("pieces", PIECES, check);
    let amplified = suite.amplify(&["--budget", "60s", "--max-distance", "0"]);
    assert_eq!(String::from_utf8_lossy(&amplified.output.stdout), "1\n2\n3\n");
    assert_eq!(amplified.tests.len(), 4, "{}", amplified.stderr());
    amplified.assert_faithful();
    let not_symbolic = "descriptor 4: what was read from it is not symbolic";
    assert!(amplified.ledger.contains(not_symbolic), "{}", amplified.ledger);
}

/// A replay has neither pieces nor limits: what it does otherwise is no defect.
#[test]
fn what_a_replay_cannot_repeat() {
    const PARTICULAR: &str = r#"
    #include <fcntl.h>
    #include <unistd.h>
    int main(int argc, char **argv) {
      char byte[100];
      long n = read(0, byte, 50);
      read(0, byte + 50, 50);
      if (argc > 1) while ((n = open("/dev/null", O_RDONLY)) >= 0 && n < 500) {}
      else if (n != 1) return 3;
      return n < 500 ? 100 / (byte[0] - '0') : 4;
    }
    "#;
    for (name, check) in [
        ("in-pieces", "(printf 5; sleep 0.3; printf 67) | ./prog"),
        ("limited", "(ulimit -S -n 10; printf 5 | ./prog limited)"),
    ] {
        let amplified = Suite::new(name, PARTICULAR, check).amplify(&["--max-distance", "0"]);
        amplified.assert_faithful();
        let [bug] = amplified.bugs() else { panic!("{}", amplified.stderr()) };
        assert_eq!(bug["replay"]["verdict"], "not observable natively", "{bug}");
    }
}

#[test]
fn a_named_pipe_is_an_input() {
    const DIVIDES: &str = r#"
    #include <stdio.h>
    int main(int argc, char **argv) {
      FILE *file = fopen(argv[1], "r");
      if (!file) return 2;
      printf("%d\n", 100 / (fgetc(file) - '0'));
      return 0;
    }
    "#;
    let check = "mkfifo fifo; (printf 5 >fifo &); ./prog fifo; rm fifo";
    let suite = Suite::new("fifo", DIVIDES, check);
    let amplified = suite.amplify(&["--budget", "60s"]);
    amplified.assert_faithful();
    let [bug] = amplified.bugs() else { panic!("{}", amplified.stderr()) };
    assert_eq!(bug["kind"], "division-by-zero");
    assert_eq!(bug["replay"]["verdict"], "confirmed");
}

#[test]
fn limits_are_met_again() {
    const LIMITED: &str = r#"
    #include <errno.h>
    #include <fcntl.h>
    #include <signal.h>
    #include <stdio.h>
    #include <string.h>
    #include <unistd.h>
    int main(int argc, char **argv) {
      int n = 0;
      if (argv[1][0] == 'd') while (open("/dev/null", O_RDONLY) >= 0) n++;
      if (argv[1][0] == 'i') signal(SIGXFSZ, SIG_IGN);
      if (argv[1][0] != 'd') {
        char block[300] = "";
        int fd = open("written", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        for (long written; (written = write(fd, block, sizeof block)) > 0; n += written) {}
      }
      printf("%d %s\n", n, strerror(errno));
      return 0;
    }
    "#;
    let check = r#"
        (ulimit -S -n 8; exec ./prog descriptors)
        (ulimit -S -f 2; exec ./prog ignored)
        (ulimit -S -f 2; exec ./prog killed); echo $?
    "#;
    let suite = Suite::new("limits", LIMITED, check);
    let amplified = suite.amplify(&["--budget", "60s", "--max-distance", "0"]);
    let stdout = String::from_utf8_lossy(&amplified.output.stdout).into_owned();
    assert!(
        stdout.ends_with("No file descriptors available\n1024 File too large\n153\n"),
        "{stdout}"
    );
    let ends: Vec<_> = amplified.tests.iter().map(|test| test["end"].as_str().unwrap()).collect();
    assert_eq!(ends, ["exit 0", "exit 0", "signal 25"], "{}", amplified.stderr());
    amplified.assert_faithful();
}

/// What is not symbolic makes a test another one, too.
#[test]
fn inputs_that_differ_far_behind() {
    let check = r#"
        printf '%0100d1' 0 >one; printf '%0100d2' 0 >two
        ./prog x <one >/dev/null; ./prog x <two >/dev/null; ./prog x <two >/dev/null
    "#;
    let suite = Suite::new("behind", PIECES, check);
    let amplified =
        suite.amplify(&["--budget", "60s", "--max-distance", "0", "--max-symbolic", "10"]);
    let same: Vec<_> = amplified.tests.iter().map(|test| test["same_input_as"].as_u64()).collect();
    assert_eq!(same, [None, None, Some(1)]);
    amplified.assert_faithful();
}

#[test]
fn files_that_come_and_change() {
    const LATE: &str = r#"
    #include <stdio.h>
    #include <stdlib.h>
    int main(int argc, char **argv) {
      FILE *file = fopen(argv[1], "r");
      if (file) fclose(file);
      if (system("sleep 0.1; echo now >late")) return 2;
      file = fopen(argv[1], "r");
      return !file || fgetc(file) != 'n';
    }
    "#;
    let check = "./prog late; rm -f late; echo before >late; sleep 0.1; ./prog late; rm late";
    let suite = Suite::new("late", LATE, check);
    let amplified = suite.amplify(&["--budget", "60s", "--max-distance", "0"]);
    assert_eq!(amplified.tests.len(), 2, "{}", amplified.stderr());
    for what in ["late appeared while the program ran", "late changed while the program ran"] {
        assert!(amplified.ledger.contains(what), "{}", amplified.ledger);
    }
}

/// What is opened by its name gives, each time, what it gave that time.
#[test]
fn streams_that_are_opened_again() {
    const ASKS: &str = r#"
    #include <fcntl.h>
    #include <stdio.h>
    #include <string.h>
    #include <unistd.h>
    static long ask(const char *name, int flags, char *answer) {
      int fd = open(name, flags);
      if (fd < 0) return -1;
      if (isatty(fd)) write(fd, "Password: ", 10);
      long size = 0, n;
      do {
        n = read(fd, answer + size, 50 - size);
        size += n;
      } while (n > 0 && answer[size - 1] != '\n');
      close(fd);
      return size;
    }
    int main(int argc, char **argv) {
      char first[50], second[50];
      int flags = argv[1][0] == '/' ? O_RDWR : O_RDONLY;
      if (ask(argv[1], flags, first) != 4 || ask(argv[1], flags, second) != 4) return 3;
      if (memcmp(first, "abc\n", 4)) return 1;
      return 100 / (second[0] - 'a');
    }
    "#;
    for (name, check) in [
        (
            "tty",
            "(sleep 0.3; printf 'abc\\n'; sleep 0.3; printf 'def\\n') | script -qec './prog /dev/tty' /dev/null >/dev/null",
        ),
        (
            "fifo",
            "mkfifo pipe; ./prog pipe & echo abc > pipe; sleep 0.3; echo def > pipe; wait; rm pipe",
        ),
    ] {
        let amplified = Suite::new(name, ASKS, check).amplify(&["--max-distance", "0"]);
        let [test] = &amplified.tests[..] else { panic!("{}", amplified.stderr()) };
        assert_eq!(test["end"], "exit 33", "{test}");
        amplified.assert_faithful();
        let [bug] = amplified.bugs() else { panic!("{}", amplified.stderr()) };
        assert_eq!(bug["kind"], "division-by-zero");
        assert_eq!(bug["replay"]["verdict"], "not observable natively", "{bug}");
    }
}

/// What was open at the start gives to another name what it has left.
#[test]
fn standard_input_by_its_name() {
    const AGAIN: &str = r#"
    #include <fcntl.h>
    #include <stdio.h>
    #include <unistd.h>
    int main(int argc, char **argv) {
      char first[50], second[50];
      const char *name = argc > 1 ? argv[1] : ttyname(0);
      if (read(0, first, 4) != 4 || !name) return 3;
      int fd = open(name, O_RDONLY);
      if (fd < 0 || read(fd, second, 4) != 4) return 4;
      return 10 + second[0] - first[0];
    }
    "#;
    for (name, check) in [
        (
            "own-tty",
            "(sleep 0.3; printf 'abc\\n'; sleep 0.3; printf 'def\\n') |
             script -qec ./prog /dev/null >/dev/null",
        ),
        (
            "own-fifo",
            "mkfifo pipe; (printf 'abc\\ndef\\n'; sleep 1) > pipe & ./prog pipe < pipe; wait",
        ),
    ] {
        let amplified = Suite::new(name, AGAIN, check).amplify(&["--max-distance", "0"]);
        let [test] = &amplified.tests[..] else { panic!("{}", amplified.stderr()) };
        assert_eq!(test["end"], "exit 13", "{test}");
        amplified.assert_faithful();
    }
}

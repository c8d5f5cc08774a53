//! Suites that are hard to record: nothing hangs, nothing is lost, the suite notices nothing.

use serde_json::json;

use crate::suite::Suite;

/// Prints what it finds on standard input, how much of it, and its argument.
const READER: &str = r#"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
  static char buffer[4096];
  long total = 0, lines = 0, n;
  while ((n = read(0, buffer, sizeof buffer)) > 0) {
    total += n;
    for (long i = 0; i < n; i++) lines += buffer[i] == '\n';
  }
  if (n < 0) printf("%s\n", strerror(errno));
  printf("%ld %ld %s\n", total, lines, argc > 1 ? argv[1] : "");
  return 0;
}
"#;

#[test]
fn input_from_everywhere() {
    let check = r#"
        echo one | ./prog pipe
        ./prog closed <&-
        ./prog null </dev/null
        yes | head -c 1000000 >large; ./prog large <large
        mkdir -p sub; (cd sub; echo two | ../prog dir)
        mkfifo fifo; (echo three >fifo &); ./prog fifo <fifo; rm fifo
        { ./prog first; ./prog second; } <large
        (ulimit -f 0; echo four | ./prog no-files)
        (ulimit -n 8; echo five | ./prog few-descriptors)
        (ulimit -v 200000; echo six | ./prog little-memory)
        env -i ./prog empty </dev/null
    "#;
    let suite = Suite::new("everywhere", READER, check);
    let native =
        suite.place.fathom(&["amplify", "--record-only", "--out", "only", "--", "./check"]);
    let amplified =
        suite.amplify(&["--budget", "60s", "--max-distance", "1", "--max-symbolic", "4096"]);
    let stdout = String::from_utf8_lossy(&amplified.output.stdout).into_owned();
    assert_eq!(stdout, String::from_utf8_lossy(&native.stdout));
    let expected = "4 1 pipe\nBad file descriptor\n0 0 closed\n0 0 null\n1000000 500000 large\n\
                    4 1 dir\n6 1 fifo\n1000000 500000 first\n0 0 second\n5 1 no-files\n\
                    5 1 few-descriptors\n4 1 little-memory\n0 0 empty\n";
    assert_eq!(stdout, expected);
    // Where nobody may lift the limit on files, that run cannot be recorded, and the ledger says so.
    let n_lost = amplified.ledger.matches("the recording ends before the program's start").count();
    assert_eq!(amplified.tests.len() + n_lost, 12, "{}", amplified.stderr());
    assert!(n_lost <= 1, "{}", amplified.ledger);
    amplified.assert_faithful();
    assert!(amplified.ledger.contains("bytes are not symbolic"), "{}", amplified.ledger);
}

#[test]
fn five_hundred_runs() {
    let check =
        "i=0; while [ $i -lt 500 ]; do echo $((i % 5)) | ./prog $((i % 7)); i=$((i+1)); done";
    let suite = Suite::new("many", READER, check);
    let amplified = suite.amplify(&["--budget", "60s", "--max-distance", "0"]);
    assert_eq!(amplified.tests.len(), 500, "{}", amplified.stderr());
    assert_eq!(amplified.suite["same_input"], 500 - 35);
    amplified.assert_faithful();
}

#[test]
fn killed_and_started_by_others() {
    const SLEEPER: &str = r#"
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/wait.h>
    #include <unistd.h>
    int main(int argc, char **argv) {
      if (argc > 1 && !strcmp(argv[1], "sleep")) { puts("sleeping"); fflush(stdout); pause(); }
      if (argc > 1 && !strcmp(argv[1], "start")) {
        char *args[] = {argv[0], "started", 0}, *none[] = {0};
        if (fork() == 0) { execve(argv[0], args, none); _exit(9); }
        int status;
        wait(&status);
        return WEXITSTATUS(status);
      }
      puts(argc > 1 ? argv[1] : "nothing");
      return 0;
    }
    "#;
    let check = r#"
        ./prog sleep >said & pid=$!
        while ! grep -q sleeping said; do sleep 0.01; done
        kill -9 $pid; wait $pid; echo "killed $?"
        ./prog start; echo "started $?"
    "#;
    let suite = Suite::new("killed", SLEEPER, check);
    let amplified =
        suite.amplify(&["--budget", "30s", "--max-test-time", "5s", "--max-distance", "0"]);
    let stdout = String::from_utf8_lossy(&amplified.output.stdout).into_owned();
    assert_eq!(stdout, "killed 137\nstarted\nstarted 0\n");
    let commands: Vec<&str> =
        amplified.tests.iter().map(|test| test["command"].as_str().unwrap()).collect();
    assert_eq!(commands, ["./prog sleep", "./prog start", "./prog started"]);
}

/// Children are not followed, but their parent is: it hears of them what it heard natively.
#[test]
fn parents() {
    const PARENT: &str = r#"
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <sys/wait.h>
    #include <unistd.h>
    static volatile int n_ended;
    static void ended(int signal) { n_ended++; }
    static int wait_for(pid_t child) {
      int status;
      sigset_t block, old;
      sigemptyset(&block); sigaddset(&block, SIGCHLD);
      sigprocmask(SIG_BLOCK, &block, &old);
      while (waitpid(child, &status, WNOHANG) == 0) sigsuspend(&old);
      sigprocmask(SIG_SETMASK, &old, 0);
      return WEXITSTATUS(status);
    }
    int main(int argc, char **argv) {
      char line[20], table[8] = "";
      switch (argv[1][0]) {
      case 's': printf("%d\n", WEXITSTATUS(system("exit 3"))); break;
      case 'r': {
        FILE *one = popen("echo one", "r"), *two = popen("echo two; exit 2", "r");
        printf("%s", fgets(line, sizeof line, two));
        printf("%s", fgets(line, sizeof line, one));
        pclose(one);
        printf("%d\n", WEXITSTATUS(pclose(two)));
        break;
      }
      case 'w': {
        FILE *to = popen("wc -l >&2; exit 4", "w");
        for (int i = 0; i < 20000; i++) fprintf(to, "line %d\n", i);
        printf("%d\n", WEXITSTATUS(pclose(to)));
        break;
      }
      case 'f': {
        int fds[2];
        pipe(fds);
        signal(SIGCHLD, ended);
        pid_t child = fork();
        if (!child) { usleep(10000); _exit(write(fds[1], "5", 1) == 1 ? 6 : 7); }
        close(fds[1]);
        int status = wait_for(child);
        read(fds[0], line, 1);
        printf("%c %d %d\n", line[0], status, n_ended);
        return table[argv[1][1] & 15];
      }
      }
      return 0;
    }
    "#;
    let suite = Suite::new("parents", PARENT, "for i in s r w fa; do ./prog $i; done");
    let amplified = suite.amplify(&["--budget", "30s", "--max-distance", "0"]);
    let stdout = String::from_utf8_lossy(&amplified.output.stdout).into_owned();
    assert_eq!(stdout, "3\ntwo\none\n2\n4\n5 6 1\n");
    amplified.assert_faithful();
    assert!(amplified.ledger.contains("a child process is not followed"), "{}", amplified.ledger);
    // What comes after the child is looked at, too.
    let [bug] = amplified.bugs() else { panic!("{}", amplified.stderr()) };
    assert_eq!((&bug["kind"], &bug["test"]), (&json!("out-of-bounds-read"), &json!(3)));
}

/// The time, process numbers and random bytes that the native run got are given again.
#[test]
fn answers_of_the_moment() {
    const MOMENT: &str = r#"
    #include <stdio.h>
    #include <sys/random.h>
    #include <time.h>
    #include <unistd.h>
    int main(void) {
      unsigned char bytes[4];
      struct timespec now;
      clock_gettime(CLOCK_REALTIME, &now);
      getrandom(bytes, sizeof bytes, 0);
      printf("%lld.%09ld %d %d %02x%02x%02x%02x\n", (long long)now.tv_sec, now.tv_nsec, getpid(),
             getppid(), bytes[0], bytes[1], bytes[2], bytes[3]);
      return now.tv_nsec & 1;
    }
    "#;
    let suite = Suite::new("moment", MOMENT, "./prog; ./prog; true");
    let amplified = suite.amplify(&["--budget", "30s"]);
    assert_eq!(amplified.tests.len(), 2, "{}", amplified.stderr());
    amplified.assert_faithful();
}

/// Endless programs end where their readers went, by the signal or by what they are told.
#[test]
fn readers_that_go() {
    const WRITER: &str = r#"
    #include <errno.h>
    #include <signal.h>
    #include <unistd.h>
    int main(int argc, char **argv) {
      if (argc > 1 && argv[1][0] == 'i') signal(SIGPIPE, SIG_IGN);
      while (write(1, "0123456789\n", 11) > 0) {}
      return errno == EPIPE ? 3 : 4;
    }
    "#;
    let check = "./prog | head -n 2; ./prog i | head -n 1; ./prog >/dev/full\n\
                 (trap '' PIPE; ./prog) | head -n 3";
    let suite = Suite::new("readers", WRITER, check);
    let amplified = suite.amplify(&["--budget", "60s", "--max-distance", "0"]);
    let ends: Vec<_> = amplified.tests.iter().map(|test| test["end"].as_str().unwrap()).collect();
    assert_eq!(ends, ["signal 13", "exit 3", "exit 4", "exit 3"], "{}", amplified.stderr());
    assert!(amplified.tests.iter().all(|test| test["failure"].is_null()));
    amplified.assert_faithful();
}

/// A file of the system is an input where the test names it, also through a link, and only there.
#[test]
fn files_of_the_system() {
    const READER: &str = r#"
    #include <stdio.h>
    int main(int argc, char **argv) {
      FILE *named = fopen(argv[1], "r"), *own = fopen("/etc/group", "r");
      return !named || !own || fgetc(named) == EOF || fgetc(own) == EOF;
    }
    "#;
    let check = "echo text >mine; ln -s /etc/passwd link\n\
                 ./prog mine && ./prog /etc/passwd && ./prog ./link";
    let suite = Suite::new("system", READER, check);
    let amplified = suite.amplify(&["--budget", "60s", "--max-distance", "0"]);
    let passwd = std::fs::metadata("/etc/passwd").unwrap().len();
    let bytes: Vec<_> = amplified.tests.iter().map(|test| &test["symbolic_bytes"]).collect();
    assert_eq!(bytes, [4 + 5, 11 + passwd, 6 + passwd]);
    amplified.assert_faithful();
}

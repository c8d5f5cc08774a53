//! What the system answered natively is what the engine hears.

use crate::suite::Suite;

/// Each mode prints what the system says.
const ASKS: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *what, long result) {
  printf("%s: %ld %s\n", what, result, result < 0 ? strerror(errno) : "");
}

static int timed_out, child;

static void on_alarm(int signal) {
  timed_out = 1;
  kill(child, SIGTERM);
}

static void paths(void) {
  struct stat status;
  say("rmdir link", rmdir("link/"));
  say("rmdir dangling", rmdir("dangling/"));
  say("rmdir file", rmdir("file/"));
  say("stat file", stat("file", &status));
  say("stat file/.", stat("other/.", &status));
  say("stat it", stat("other", &status));
  say("stat link/.", stat("again/.", &status));
  say("lstat it", lstat("again", &status) ? -1 : S_ISLNK(status.st_mode));
  say("link to link", linkat(AT_FDCWD, "to-file", AT_FDCWD, "second", 0));
  say("lstat second", lstat("second", &status) ? -1 : S_ISLNK(status.st_mode));
  say("link", linkat(AT_FDCWD, "to-file", AT_FDCWD, "hard", AT_SYMLINK_FOLLOW));
  say("stat hard", stat("hard", &status));
  say("regular", S_ISREG(status.st_mode));
  say("stat fifo", stat("fifo", &status));
  say("fifo", S_ISFIFO(status.st_mode));
  say("write to fifo", open("unread", O_WRONLY | O_NONBLOCK));
  open("fifo", O_PATH);
  int fd = open("fifo", O_RDONLY | O_NONBLOCK);
  say("sync fifo", fsync(fd));
  say("large", stat("large", &status) ? -1 : status.st_size);
  fd = open("large", O_RDONLY);
  say("end of large", lseek(fd, 0, SEEK_END));
}

static void starved(void) {
  char name[] = "a", byte;
  for (; *name <= 'z'; ++*name) {
    int fd = open(name, O_RDONLY);
    if (fd < 0) break;
    byte = '?';
    say("read", read(fd, &byte, 1));
    printf("%d: %c\n", fd, byte);
  }
}

static void children(void) {
  sigset_t chld, before;
  int status;
  sigemptyset(&chld);
  sigaddset(&chld, SIGCHLD);
  sigaddset(&chld, SIGALRM);
  sigprocmask(SIG_BLOCK, &chld, &before);
  signal(SIGALRM, on_alarm);
  signal(SIGCHLD, (void (*)(int))say);
  child = fork();
  if (child == 0) {
    execlp("sleep", "sleep", "60", (char *)0);
    _exit(1);
  }
  alarm(1);
  while (waitpid(child, &status, WNOHANG) == 0) sigsuspend(&before);
  say("timed out", timed_out);
  say("signal", WTERMSIG(status));
}

int main(int argc, char **argv) {
  unsigned char bytes[8];
  char line[200];
  struct sigaction action;
  switch (argv[1][0]) {
  case 'r': {
    int fd = open("/dev/urandom", O_RDONLY);
    read(fd, bytes, sizeof bytes);
    for (int i = 0; i < 8; i++) printf("%02x", bytes[i]);
    break;
  }
  case 'k': say("kill", kill(atoi(argv[2]), 0)); break;
  case 'x': execlp(".", ".", (char *)0); say("exec", -1);
    execl("./file", "file", (char *)0); say("exec", -1); break;
  case 'y': execl("./later", "later", (char *)0); say("exec", -1);
    if (system("cp /bin/true later") == 0) execl("./later", "later", (char *)0);
    break;
  case 'i': sigaction(SIGINT, 0, &action); say("ignored", action.sa_handler == SIG_IGN); break;
  case 's': printf("%s", fgets(line, sizeof line, stdin)); break;
  case 'p': paths(); break;
  case 'f': starved(); break;
  case 'c': children(); break;
  case 't': say("terminal", open("/dev/tty", O_RDWR)); break;
  }
  return 0;
}
"#;

#[test]
fn answers_are_the_native_ones() {
    let check = r#"
        ./prog random
        ./prog standard < /dev/urandom > /dev/null
        ./prog kill $$
        ./prog kill 999999
        echo x > file
        ./prog x
        ./prog y
        (trap '' INT; ./prog ignored)
        ./prog ignored
        ./prog standard < /proc/version
        ln -s . link; ln -s . again; echo > other; ln -s nowhere dangling; ln -s file to-file; mkfifo fifo unread
        truncate -s 20M large
        ./prog paths
        for i in a b c d e f g; do echo $i > $i; done
        (ulimit -n 6; ./prog f 3>&- 4>&- 5>&-)
        ./prog children
        setsid ./prog terminal
    "#;
    let amplified = Suite::new("system", ASKS, check).amplify(&["--max-distance", "0"]);
    assert_eq!(amplified.tests.len(), 13, "{}", amplified.stderr());
    amplified.assert_faithful();
}

#[test]
fn directories_are_listed_as_they_were() {
    const LISTS: &str = r#"
    #include <dirent.h>
    #include <stdio.h>
    int main(void) {
      DIR *dir = opendir("dir");
      for (struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.') puts(entry->d_name);
      return 0;
    }
    "#;
    let check = "mkdir dir; for i in q w e r t z u i o p; do echo > dir/$i; done; ./prog";
    let amplified = Suite::new("listed", LISTS, check).amplify(&["--max-distance", "0"]);
    assert_eq!(amplified.tests.len(), 1, "{}", amplified.stderr());
    amplified.assert_faithful();
}

#[test]
fn addresses_are_not_compared() {
    const TELLS: &str = r#"
    #include <stdint.h>
    #include <stdio.h>
    int main(int argc, char **argv) {
      printf("%d\n", (int)((uintptr_t)&argc >> 4) & 0xffff);
      return 0;
    }
    "#;
    let amplified = Suite::new("addresses", TELLS, "./prog").amplify(&["--max-distance", "0"]);
    amplified.assert_faithful();
    let told = "not compared with the native run: it depends on where memory lies";
    assert!(amplified.ledger.contains(told), "{}", amplified.ledger);
}

//! Small C programs, compiled with our compiler, that record themselves.

mod lab;

use std::ffi::CString;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Stdio};

use fathom_record::{End, Recording, Source, What, read_all};
use lab::{Lab, exits, fact};

fn stdin_of(recording: &Recording) -> &Source {
    &recording.descriptors.iter().find(|descriptor| descriptor.fd == 0).unwrap().source
}

fn read_from_stdin(recording: &Recording) -> &[u8] {
    match stdin_of(recording) {
        Source::Stream { bytes, .. } => bytes,
        other => panic!("{other:?}"),
    }
}

fn contents(recording: &Recording, path: &Path) -> Vec<u8> {
    match &fact(recording, path).found.as_ref().unwrap().what {
        What::Contents(blob) => std::fs::read(blob).unwrap(),
        other => panic!("{}: {other:?}", path.display()),
    }
}

fn feed(mut child: Child, bytes: &[u8]) -> std::process::Output {
    child.stdin.take().unwrap().write_all(bytes).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn start_is_recorded() {
    let lab = Lab::new("start");
    exits(lab.command(&["environment", "an argument", ""]).arg("x".repeat(100_000)), 0);
    let recording = lab.only();
    assert_eq!(recording.program, lab.probe.canonicalize().unwrap());
    assert_eq!(recording.argv[0], lab.probe.as_os_str().as_bytes());
    assert_eq!(recording.argv[1..4], [&b"environment"[..], b"an argument", b""]);
    assert_eq!(recording.argv[4].len(), 100_000);
    assert_eq!(recording.env, [b"VARIABLE=value"]);
    assert_eq!(recording.cwd, lab.work);
    assert_eq!(recording.user.uid, unsafe { libc::getuid() });
    assert_eq!(recording.parent, std::process::id());
    assert_eq!(recording.end, End::Exit(0));
    assert_eq!(recording.limits.len(), 16);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    assert!((now - recording.start).as_secs() < 600);
    let name = format!("{}-{}", recording.start.as_nanos(), recording.pid);
    assert_eq!(recording.id.split('-').nth(1), name.split('-').nth(1));
}

#[test]
fn without_the_variable_nothing_is_recorded() {
    let lab = Lab::new("without");
    exits(lab.command(&["environment"]).env_remove("FATHOM_RECORD"), 0);
    exits(lab.command(&["environment"]).env("FATHOM_GUARD", "end"), 0);
    assert!(!lab.records.exists());
}

#[test]
fn standard_input_from_a_file_has_contents_and_offset() {
    let lab = Lab::new("stdin-file");
    lab.file("in", "first\nsecond\n");
    exits(&mut lab.shell("{ read line; exec \"$0\" cat; } <in"), 0);
    let recording = lab.only();
    let Source::File { contents, offset } = stdin_of(&recording) else { panic!() };
    assert_eq!(std::fs::read(contents).unwrap(), b"first\nsecond\n");
    assert_eq!(*offset, 6);
    assert_eq!(recording.output[0].bytes, b"second\n");
}

#[test]
fn standard_input_from_a_pipe_is_what_was_read() {
    let lab = Lab::new("stdin-pipe");
    let bytes: Vec<u8> = (0..1_000_000u32).map(|i| ((i * i) >> 7) as u8).collect();
    let mut command = lab.command(&["cat"]);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    assert!(feed(child, &bytes).status.success());
    let recording = lab.only();
    assert!(read_from_stdin(&recording) == bytes);
    assert!(recording.output[0].bytes == bytes);
    assert_eq!(recording.output[0].total, 1_000_000);
    assert_eq!(recording.notes, [""; 0]);
}

#[test]
fn standard_input_by_another_name_is_the_same() {
    let lab = Lab::new("stdin-name");
    let mut command = lab.command(&["cat", "/dev/stdin"]);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    assert!(feed(child, b"bytes").status.success());
    assert_eq!(read_from_stdin(&lab.only()), b"bytes");
}

#[test]
fn closed_standard_input_is_no_descriptor() {
    let lab = Lab::new("stdin-closed");
    let output = exits(&mut lab.shell("exec \"$0\" cat <&- >&-"), libc::EBADF);
    assert_eq!(output.stdout, b"");
    let recording = lab.only();
    let fds: Vec<i32> = recording.descriptors.iter().map(|descriptor| descriptor.fd).collect();
    assert!(!fds.contains(&0) && !fds.contains(&1) && fds.contains(&2), "{fds:?}");
}

#[test]
fn a_file_changed_between_two_runs_has_two_contents() {
    let lab = Lab::new("changed");
    for i in 0..30 {
        let path = lab.file("data", format!("version {i:02}"));
        exits(&mut lab.command(&["cat", "data"]), 0);
        let all = lab.all();
        assert_eq!(contents(&all[i], &path), format!("version {i:02}").as_bytes());
    }
    for (i, recording) in lab.all().iter().enumerate() {
        let text = contents(recording, &lab.work.join("data"));
        assert_eq!(text, format!("version {i:02}").as_bytes());
    }
}

/// Writing through memory changes a file's times only when the page is first touched, as the coarse
/// clock of older kernels does for all writing.
#[test]
fn a_young_file_may_change_without_a_sign() {
    let lab = Lab::new("young");
    for i in 0..100 {
        let path = lab.file(&format!("data{i}"), "none");
        let file = std::fs::File::options().read(true).write(true).open(&path).unwrap();
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let start = std::time::Instant::now();
        // SAFETY: the file has four bytes, and nobody shortens it.
        let text = unsafe {
            let page =
                libc::mmap(std::ptr::null_mut(), 4, access, libc::MAP_SHARED, file.as_raw_fd(), 0);
            assert_ne!(page, libc::MAP_FAILED);
            std::slice::from_raw_parts_mut(page.cast::<u8>(), 4)
        };
        text.copy_from_slice(b"one ");
        exits(&mut lab.command(&["cat", &format!("data{i}")]), 0);
        text.copy_from_slice(b"two ");
        exits(&mut lab.command(&["cat", &format!("data{i}")]), 0);
        if start.elapsed().as_millis() < 50 {
            let all = lab.all();
            assert_eq!(contents(&all[2 * i], &path), b"one ");
            assert_eq!(contents(&all[2 * i + 1], &path), b"two ");
            return;
        }
    }
    panic!("the machine is too slow for this test");
}

#[test]
fn unchanged_files_are_copied_once() {
    let lab = Lab::new("unchanged");
    lab.file("data", "the same");
    std::thread::sleep(std::time::Duration::from_millis(100));
    for _ in 0..5 {
        exits(&mut lab.command(&["cat", "data"]), 0);
    }
    // The file and the program.
    assert_eq!(std::fs::read_dir(lab.records.join("blobs")).unwrap().count(), 2);
}

#[test]
fn what_the_program_makes_is_no_input() {
    let lab = Lab::new("made");
    let old = lab.file("old", "before");
    exits(&mut lab.command(&["write", "new", "text"]), 0);
    exits(&mut lab.command(&["write", "old", "text"]), 0);
    let all = lab.all();
    assert_eq!(fact(&all[0], &lab.work.join("new")).found.as_ref().unwrap_err(), &libc::ENOENT);
    assert!(fact(&all[0], &lab.work).found.as_ref().unwrap().stat.is_directory());
    let found = fact(&all[1], &old).found.as_ref().unwrap();
    assert_eq!((found.stat.size, &found.what), (6, &What::Unknown));
    assert_eq!(all[1].output[0].bytes, b"text");
}

#[test]
fn a_killed_program_leaves_what_it_did() {
    let lab = Lab::new("killed");
    let path = lab.file("data", "contents");
    let status = lab.command(&["cat-and-die", "data"]).output().unwrap().status;
    assert_eq!(status.code(), None);
    let recording = lab.only();
    assert_eq!(contents(&recording, &path), b"contents");
    assert_eq!(recording.output[0].bytes, b"contents");
    assert_eq!(recording.end, End::None);
}

#[test]
fn children_and_what_they_say_are_recorded() {
    let lab = Lab::new("children");
    let output = exits(&mut lab.command(&["children"]), 0);
    assert_eq!(output.stdout, b"spawned 3 own forked 4 vforked 5 ");
    let recording = lab.only();
    let statuses: Vec<_> = recording
        .answers
        .iter()
        .filter(|answer| answer.number as i64 == libc::SYS_wait4)
        .map(|answer| (answer.result as u32, answer.bytes[1]))
        .collect();
    let children = &recording.children;
    assert_eq!(children.len(), 3, "{children:?}");
    assert_eq!(statuses, [(children[0], 3), (children[1], 4), (children[2], 5)]);
    // The second pipe is that by which `posix_spawn` hears of failure.
    let pipes: Vec<_> = recording.pipes().map(String::from_utf8_lossy).collect();
    assert_eq!(pipes, ["spawned", "", "own forked"]);
}

#[test]
fn standard_output_is_followed_from_descriptor_to_descriptor() {
    let lab = Lab::new("elsewhere");
    let output = exits(&mut lab.command(&["print-elsewhere", "file"]), 0);
    assert_eq!(output.stdout, b"one two three");
    let recording = lab.only();
    assert_eq!(recording.output[0].bytes, b"one two three");
    assert_eq!(recording.output[1].bytes, b"");
}

#[test]
fn a_reader_that_goes_is_recorded() {
    let lab = Lab::new("reader");
    lab.file("data", "contents");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    exits(lab.shell("trap '' PIPE; exec $0 cat data data").stdout(writer), 0);
    let output = lab.only().output;
    assert_eq!((output[0].total, output[0].is_broken), (0, true));
    assert_eq!((output[1].total, output[1].is_broken), (0, false));
}

#[test]
fn programs_that_are_started_are_recorded() {
    for way in ["f", "v", "s"] {
        let lab = Lab::new(&format!("started-{way}"));
        lab.file("in", "data");
        let probe = lab.probe.to_str().unwrap().to_string();
        exits(&mut lab.command(&["run-clear", way, &probe, "environment"]), 0);
        exits(&mut lab.command(&["run", way, &probe, "look", "in"]), 1);
        let all = lab.all();
        assert_eq!(all.len(), 4, "{all:#?}");
        assert_eq!(all[1].argv[1], b"environment");
        assert_eq!(all[1].env, [b""; 0]);
        assert_eq!(all[1].parent, all[0].pid);
        assert_eq!(all[3].env, [b"VARIABLE=value"]);
        assert_eq!((all[2].end, all[3].end), (End::Exit(1), End::Exit(1)));
    }
}

#[test]
fn a_forked_child_is_not_its_parent() {
    let lab = Lab::new("forked");
    let probe = lab.probe.to_str().unwrap().to_string();
    let mut command = lab.command(&["run", "f", &probe, "environment"]);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    assert!(feed(child, b"for the child").status.success());
    let all = lab.all();
    assert_eq!(read_from_stdin(&all[0]), b"");
    assert_eq!(all[0].output[0].total, 0);
    assert!(all[0].notes.iter().any(|note| note.starts_with("forked")), "{:?}", all[0].notes);
}

#[test]
fn a_marker_beside_or_above_a_program_does_without_the_environment() {
    let mut lab = Lab::new("marker");
    let probe = lab.dir.join("probe");
    std::fs::copy(&lab.probe, &probe).unwrap();
    lab.probe = probe;
    let marker = lab.dir.join(".fathom-record");
    let write = |pid: u32| {
        std::fs::write(&marker, format!("{pid} {}\n", lab.records.display())).unwrap();
    };
    write(std::process::id());
    exits(lab.command(&["environment"]).env_clear(), 0);
    assert_eq!(lab.only().argv[1], b"environment");
    let below = lab.work.join("below");
    std::fs::copy(&lab.probe, &below).unwrap();
    exits(std::process::Command::new(below).arg("environment").env_clear(), 0);
    assert_eq!(lab.all().len(), 2);

    let mut gone = std::process::Command::new("/bin/true").spawn().unwrap();
    gone.wait().unwrap();
    // One that nobody waits for does not hide one above it.
    let stale = lab.work.join(".fathom-record");
    std::fs::write(stale, format!("{} {}\n", gone.id(), lab.records.display())).unwrap();
    exits(std::process::Command::new(lab.work.join("below")).arg("environment").env_clear(), 0);
    assert_eq!(lab.all().len(), 3);
    write(gone.id());
    exits(lab.command(&["environment"]).env_clear(), 0);
    assert_eq!(lab.all().len(), 3);
}

/// The limits that a program sees are those that it was given, whatever happens to the recording.
fn limited(
    name: &str,
    script: &str,
    command: &str,
) -> Vec<Result<Recording, fathom_record::Error>> {
    let lab = Lab::new(name);
    lab.file("data", "x".repeat(3000));
    let unrecorded =
        lab.shell(&format!("{script}; exec \"$0\" {command}")).env_remove("FATHOM_RECORD").output();
    let recorded = lab.shell(&format!("{script}; exec \"$0\" {command}")).output();
    let (unrecorded, recorded) = (unrecorded.unwrap(), recorded.unwrap());
    assert_eq!(unrecorded.status, recorded.status);
    assert_eq!(unrecorded.stdout, recorded.stdout);
    read_all(&lab.records)
}

#[test]
fn limits_are_the_same_with_a_recording() {
    for (name, script) in [
        ("soft", "ulimit -S -f 0; ulimit -S -n 4"),
        ("hard", "ulimit -f 0; ulimit -n 4"),
        ("few", "ulimit -n 3"),
        ("memory", "ulimit -v 1200"),
    ] {
        for command in ["limits", "cat data", "close-all data"] {
            let all = limited(&format!("limit-{name}-{}", &command[..3]), script, command);
            if name == "soft" {
                let recording = all[0].as_ref().unwrap();
                assert!(matches!(recording.end, End::Exit(_)), "{recording:#?}");
            }
        }
    }
}

#[test]
fn a_recording_that_cannot_grow_ends_with_a_note() {
    let lab = Lab::new("no-growth");
    let input = vec![b'x'; 200_000];
    let run = |limit: &str| {
        // 20 KiB and more: the first window fits, the second does not.
        let mut command = lab.shell(&format!("ulimit {limit} 48; exec \"$0\" cat"));
        let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        assert!(feed(child, &input).status.success());
    };
    run("-S -f");
    run("-f");
    let all = lab.all();
    assert_eq!(read_from_stdin(&all[0]), input);
    assert_eq!(all[0].end, End::Exit(0));
    let stopped = "recording stopped: its file cannot grow";
    assert_eq!(all[1].notes.last().map(String::as_str), Some(stopped));
    assert_eq!(all[1].end, End::None);
}

#[test]
fn locks_of_the_program_stay() {
    let lab = Lab::new("locks");
    lab.file("data", "text");
    exits(&mut lab.command(&["locks", "data"]), 0);
    assert_eq!(contents(&lab.only(), &lab.work.join("data")), b"text");
}

#[test]
fn the_program_may_be_elsewhere() {
    let lab = Lab::new("elsewhere");
    std::fs::create_dir_all(lab.work.join("a/b")).unwrap();
    symlink("a/b", lab.work.join("link")).unwrap();
    let path = lab.file("a/file", "text");
    let mut command = lab.command(&["cat", "../file", "../../link/../file"]);
    exits(command.current_dir(lab.work.join("a/b")), 0);
    let recording = lab.only();
    assert_eq!(recording.cwd, lab.work.join("a/b"));
    assert_eq!(contents(&recording, &path), b"text");
    assert_eq!(recording.output[0].bytes, b"texttext");
}

#[test]
fn links_are_followed_one_by_one() {
    let lab = Lab::new("links");
    let file = lab.file("file", "text");
    symlink("second", lab.work.join("first")).unwrap();
    symlink(&file, lab.work.join("second")).unwrap();
    exits(&mut lab.command(&["cat", "first"]), 0);
    let recording = lab.only();
    let target =
        |name: &str| fact(&recording, &lab.work.join(name)).found.as_ref().unwrap().what.clone();
    assert_eq!(target("first"), What::Target(b"second".to_vec()));
    assert_eq!(target("second"), What::Target(file.as_os_str().as_bytes().to_vec()));
    assert_eq!(contents(&recording, &file), b"text");
}

#[test]
fn named_pipes_are_streams() {
    let lab = Lab::new("fifo");
    let path = lab.work.join("pipe");
    let name = CString::new(path.as_os_str().as_bytes()).unwrap();
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
    let child = lab.command(&["cat", "pipe"]).stdout(Stdio::piped()).spawn().unwrap();
    std::fs::write(&path, "through the pipe").unwrap();
    assert_eq!(child.wait_with_output().unwrap().stdout, b"through the pipe");
    let recording = lab.only();
    let what = &fact(&recording, &path).found.as_ref().unwrap().what;
    assert_eq!(*what, What::Stream(b"through the pipe".to_vec()));
    assert_eq!(recording.streams[0].path, path.as_os_str().as_bytes());
}

#[test]
fn files_of_proc_are_what_was_read() {
    let lab = Lab::new("proc");
    let output = exits(&mut lab.command(&["cat", "/proc/self/stat"]), 0);
    let recording = lab.only();
    let what = &fact(&recording, Path::new("/proc/self/stat")).found.as_ref().unwrap().what;
    assert_eq!(*what, What::Stream(output.stdout));
}

#[test]
fn parallel_processes_do_not_meet() {
    let lab = Lab::new("parallel");
    for i in 0..16 {
        lab.file(&i.to_string(), format!("file {i}"));
    }
    let children: Vec<Child> = (0..64)
        .map(|i| {
            lab.command(&["cat", &(i % 16).to_string()]).stdout(Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let all = lab.all();
    assert_eq!(all.len(), 64);
    for recording in &all {
        let name = std::str::from_utf8(&recording.argv[2]).unwrap();
        assert_eq!(contents(recording, &lab.work.join(name)), format!("file {name}").as_bytes());
        assert_eq!(recording.end, End::Exit(0));
    }
}

/// Another process has made it, and not yet what is in it.
#[test]
fn a_directory_without_blobs_gets_them() {
    let lab = Lab::new("just-made");
    let path = lab.file("data", "text");
    std::fs::create_dir(&lab.records).unwrap();
    exits(&mut lab.command(&["cat", "data"]), 0);
    assert_eq!(contents(&lab.only(), &path), b"text");
}

#[test]
fn descriptors_are_the_programs_own() {
    let lab = Lab::new("close-all");
    let path = lab.file("data", "x".repeat(50_000));
    exits(&mut lab.command(&["close-all", "data"]), 1);
    let recording = lab.only();
    assert_eq!(contents(&recording, &path).len(), 50_000);
    assert_eq!(recording.end, End::Exit(1));
}

#[test]
fn directories_have_the_names_that_were_read() {
    let lab = Lab::new("list");
    std::fs::create_dir_all(lab.work.join("dir/below")).unwrap();
    lab.file("dir/file", "");
    exits(&mut lab.command(&["list", "dir"]), 0);
    let recording = lab.only();
    let what = &fact(&recording, &lab.work.join("dir")).found.as_ref().unwrap().what;
    let What::Entries(entries) = what else { panic!("{what:?}") };
    let mut entries = entries.clone();
    entries.sort();
    assert_eq!(entries, [(b"below".to_vec(), 4), (b"file".to_vec(), 8)]);
}

#[test]
fn answers_are_recorded_in_order() {
    let lab = Lab::new("answers");
    let output = exits(&mut lab.command(&["answers"]), 0);
    let recording = lab.only();
    let answer = |number: i64| {
        recording.answers.iter().find(|answer| answer.number == number as u64).unwrap()
    };
    let random: String =
        answer(libc::SYS_getrandom).bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let clock = &answer(libc::SYS_clock_gettime).bytes;
    let seconds = i64::from_le_bytes(clock[..8].try_into().unwrap());
    let nanoseconds = i64::from_le_bytes(clock[8..16].try_into().unwrap());
    let parent = answer(libc::SYS_getppid).result;
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        format!("{random} {seconds}.{nanoseconds:09} {parent}\n")
    );
}

#[test]
fn signal_handlers_and_threads_do_not_disturb_it() {
    let lab = Lab::new("signals");
    let child = lab.command(&["alarms"]).stdin(Stdio::piped()).spawn().unwrap();
    assert!(feed(child, &[b'x'; 20_000]).status.success());
    exits(&mut lab.command(&["threads"]), 0);
    let all = lab.all();
    assert_eq!(read_from_stdin(&all[0]), [b'x'; 20_000]);
    let clocks = |recording: &Recording| {
        let is_clock = |number: u64| number == libc::SYS_clock_gettime as u64;
        recording.answers.iter().filter(|answer| is_clock(answer.number)).count()
    };
    assert!(clocks(&all[0]) > 0);
    assert_eq!(clocks(&all[1]), 4000);
}

#[test]
fn threads_that_are_cancelled_are_recorded() {
    let lab = Lab::new("cancel");
    let mut command = lab.command(&["cancel"]);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    assert!(feed(child, b"bytes").status.success());
    assert_eq!(read_from_stdin(&lab.only()), b"bytes");
}

#[test]
fn wrong_pointers_are_the_kernels_to_find() {
    let lab = Lab::new("wrong");
    let child = lab.command(&["wrong-pointers"]).stdin(Stdio::piped()).spawn().unwrap();
    assert_eq!(feed(child, b"bytes").status.code(), Some(5));
}

#[test]
fn the_tree_is_as_the_program_saw_it() {
    let lab = Lab::new("tree");
    std::fs::create_dir_all(lab.work.join("dir/below")).unwrap();
    let file = lab.file("dir/file", "text");
    lab.file("dir/other", "never read");
    symlink("dir/file", lab.work.join("link")).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    let before = std::fs::metadata(&file).unwrap();
    let script =
        "\"$0\" cat link; \"$0\" list dir; \"$0\" look dir/other absent; \"$0\" write dir/file new";
    lab.shell(script).output().unwrap();
    std::fs::remove_dir_all(&lab.work).unwrap();
    let root = lab.dir.join("root");
    for recording in lab.all() {
        recording.materialise(&root).unwrap();
    }
    let work = root.join(lab.work.strip_prefix("/").unwrap());
    assert_eq!(std::fs::read(work.join("link")).unwrap(), b"text");
    assert_eq!(std::fs::read_link(work.join("link")).unwrap(), Path::new("dir/file"));
    let after = std::fs::metadata(work.join("dir/file")).unwrap();
    assert_eq!(after.mode(), before.mode());
    assert_eq!(after.modified().unwrap(), before.modified().unwrap());
    assert!(work.join("dir/below").is_dir());
    assert!(work.join("dir/other").is_file());
    assert!(!work.join("absent").exists());
    assert_eq!(std::fs::read_dir(&work).unwrap().count(), 2);
    std::fs::create_dir_all(&lab.work).unwrap();
}

#[test]
fn a_recording_can_be_moved() {
    let lab = Lab::new("moved");
    let path = lab.file("data", "text");
    exits(&mut lab.command(&["cat", "data"]), 0);
    let moved = lab.dir.join("moved");
    std::fs::rename(&lab.records, &moved).unwrap();
    let recording = read_all(&moved).remove(0).unwrap();
    assert_eq!(contents(&recording, &path), b"text");
}

#[test]
fn no_bytes_make_the_reader_fail() {
    let lab = Lab::new("cut");
    lab.file("data", "text");
    exits(&mut lab.command(&["cat", "data", ".", "/proc/self/stat"]), 0);
    let id = lab.only().id;
    let whole = std::fs::read(lab.records.join(format!("{id}.rec"))).unwrap();
    let end = whole.iter().rposition(|&byte| byte != 0).unwrap() + 8;
    let path = lab.dir.join("cut.rec");
    let mut seed = 1u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize
    };
    let mut n_read = 0;
    for i in (0..end).step_by(7) {
        std::fs::write(&path, &whole[..i]).unwrap();
        n_read += Recording::read(&path).is_ok() as usize;
        let mut changed = whole[..end].to_vec();
        for _ in 0..4 {
            let at = random() % end;
            changed[at] = random() as u8;
        }
        std::fs::write(&path, &changed).unwrap();
        if let Ok(recording) = Recording::read(&path) {
            assert!(recording.facts.len() < end);
        }
    }
    assert!(n_read > 0 && n_read < end, "{n_read} of {end} are readable");
}

//! The execution tree: written, read, cut anywhere, and how large it is.

mod support;

use std::fs;

use fathom_report::{Node, Tree, TreeEnd, TreeWriter, What};
use support::Scratch;

/// Two forks of state 1, a bug on its way, and all ends but one.
fn write(scratch: &Scratch) {
    let mut writer = TreeWriter::create(scratch.path()).unwrap();
    let here = writer.site("main", "prog.c", 3);
    let there = writer.site("parse", "prog.c", 9);
    assert_eq!(writer.site("main", "prog.c", 3), here);
    writer.fork(1, 2, here);
    writer.fork(1, 3, there);
    writer.bug(3, 1);
    writer.end(3, TreeEnd::Success, 2);
    writer.end(1, TreeEnd::Limit, 0);
    writer.finish().unwrap();
}

#[test]
fn what_was_written_is_a_tree() {
    let scratch = Scratch::new();
    write(&scratch);
    let tree = Tree::read(&scratch.join("tree.bin"), u64::MAX).unwrap();
    let names: Vec<_> = tree.sites.iter().map(|site| (&*site.function, site.line)).collect();
    assert_eq!(names, [("main", 3), ("parse", 9)]);
    let node = |parent, what| Node { parent, what };
    assert_eq!(
        tree.nodes,
        [
            node(0, What::Start),
            node(0, What::Fork(0)),
            node(1, What::Fork(1)),
            node(1, What::Open),
            node(2, What::End(TreeEnd::Limit, 0)),
            node(2, What::Check),
            node(5, What::End(TreeEnd::Success, 2)),
            node(5, What::End(TreeEnd::Bug, 1)),
        ]
    );
    assert_eq!((tree.n_forks, tree.cut, tree.torn), (2, false, 0));
}

/// One state starts for each choice of argument lengths, and most may never be heard of.
#[test]
fn states_have_any_number() {
    let scratch = Scratch::new();
    let mut writer = TreeWriter::create(scratch.path()).unwrap();
    writer.end(1_000_000, TreeEnd::Success, 1);
    writer.end(u32::MAX, TreeEnd::Failure, 2);
    writer.finish().unwrap();
    let tree = Tree::read(&scratch.join("tree.bin"), u64::MAX).unwrap();
    let ends: Vec<_> = tree.nodes.iter().map(|node| (node.parent, node.what)).collect();
    let [success, failure] = [(TreeEnd::Success, 1), (TreeEnd::Failure, 2)];
    let end = |(how, test)| (0, What::End(how, test));
    assert_eq!(ends, [(0, What::Start), end(success), end(failure)]);
}

#[test]
fn a_file_cut_anywhere_is_still_a_tree() {
    let scratch = Scratch::new();
    let path = scratch.join("tree.bin");
    let mut writer = TreeWriter::create(scratch.path()).unwrap();
    let site = writer.site("f", "f.c", 1);
    for child in 2..802 {
        writer.fork(child / 2, child, site);
    }
    drop(writer);
    let whole = fs::read(&path).unwrap();
    let mut most = 0;
    for len in 0..=whole.len() {
        fs::write(&path, &whole[..len]).unwrap();
        let tree = Tree::read(&path, u64::MAX).unwrap();
        assert!(tree.n_forks >= most, "more bytes, fewer forks");
        assert!(tree.nodes.iter().zip(0..).all(|(node, at)| node.parent <= at));
        most = tree.n_forks;
    }
    assert_eq!(most, 800);
    for at in 8..whole.len() {
        let mut broken = whole.clone();
        broken[at] ^= 0x40;
        fs::write(&path, &broken).unwrap();
        let tree = Tree::read(&path, u64::MAX).unwrap();
        assert!(tree.n_forks < 800 && tree.torn > 0, "byte {at}");
    }
}

#[test]
fn the_file_is_the_same_whenever_it_is_flushed() {
    let [often, never] = [true, false].map(|flush| {
        let scratch = Scratch::new();
        let mut writer = TreeWriter::create(scratch.path()).unwrap();
        let site = writer.site("f", "f.c", 1);
        for child in 2..2000 {
            writer.fork(child / 2, child, site);
            if flush {
                writer.flush().unwrap();
            }
        }
        if flush {
            let tree = Tree::read(&scratch.join("tree.bin"), u64::MAX).unwrap();
            assert!(tree.n_forks > 1600, "{}", tree.n_forks);
        }
        writer.finish().unwrap();
        fs::read(scratch.join("tree.bin")).unwrap()
    });
    assert_eq!(often, never);
}

#[test]
fn another_file_is_refused() {
    let scratch = Scratch::new();
    let path = scratch.join("tree.bin");
    fs::write(&path, b"FTHTREE\x02").unwrap();
    assert!(Tree::read(&path, 1).unwrap_err().to_string().contains("this fathom can read"));
}

#[test]
fn a_fork_takes_few_bytes_and_reading_can_stop() {
    let scratch = Scratch::new();
    let mut writer = TreeWriter::create(scratch.path()).unwrap();
    let sites: Vec<u32> =
        (0..500).map(|line| writer.site("a_function", "a/file.c", line)).collect();
    let n_forks = 100_000u32;
    for child in 2..n_forks + 2 {
        let parent = (child.wrapping_mul(2_654_435_761) >> 8) % child;
        writer.fork(parent.max(1), child, sites[child as usize % 500]);
    }
    writer.finish().unwrap();
    let path = scratch.join("tree.bin");
    let len = fs::metadata(&path).unwrap().len();
    assert!(len < 10 * u64::from(n_forks), "{len} bytes for {n_forks} forks");
    assert_eq!(Tree::read(&path, u64::MAX).unwrap().n_forks, u64::from(n_forks));
    let start = Tree::read(&path, 1000).unwrap();
    assert_eq!((start.n_forks, start.cut), (1000, true));
}

#[test]
fn a_directory_that_is_not_there_is_an_error_that_names_the_file() {
    let scratch = Scratch::new();
    let error = TreeWriter::create(&scratch.join("missing")).err().unwrap();
    assert!(error.to_string().contains("missing/tree.bin"), "{error}");
}

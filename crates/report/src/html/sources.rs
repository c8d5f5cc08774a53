//! The program's own source files, with what was executed of them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

use super::data::RunData;
use super::markup::{Html, count, grouped, percent};
use crate::SourceFile;

/// Bytes of sources in a page; the rest of it is small.
const ROOM: usize = 4 << 20;
/// A file larger than this is not read.
const MAX_FILE: u64 = 2 << 20;
/// Names that files of C source end in. No other file is read, whatever the debug information
/// says: a program that is not trusted must not choose which files go into a page.
const NAMES: [&str; 14] =
    ["c", "h", "y", "l", "i", "inc", "def", "tbl", "cc", "cpp", "cxx", "hh", "hpp", "gperf"];

/// The source files in the order of the page: those with bugs first.
pub struct Sources<'a> {
    files: Vec<Source<'a>>,
    numbers: HashMap<&'a str, usize>,
    /// What the paths of all files start with.
    pub root: String,
}

struct Source<'a> {
    cover: &'a SourceFile,
    n_bugs: usize,
    /// Its lines, or why they are not here.
    text: Result<Vec<String>, String>,
    /// Its lines as markup, where there was room for them.
    body: Option<Html>,
}

impl<'a> Sources<'a> {
    pub fn read(data: &'a RunData) -> Sources<'a> {
        let marks = Marks::of(data);
        let mut files: Vec<Source> =
            data.coverage.files.iter().map(|it| source(it, &marks)).collect();
        files.sort_by_key(|file| file.n_bugs == 0);
        let mut room = ROOM;
        for (number, file) in files.iter_mut().enumerate() {
            let Ok(lines) = &file.text else { continue };
            let body = annotated(number, file.cover, lines, &marks);
            if body.len() <= room {
                room -= body.len();
                file.body = Some(body);
            }
        }
        let numbers = files.iter().zip(0..).map(|(file, at)| (&*file.cover.path, at)).collect();
        Sources { root: common_directory(&data.coverage.files), files, numbers }
    }

    /// A path as it is shown: without what all have in common.
    pub fn short<'s>(&self, path: &'s str) -> &'s str {
        path.strip_prefix(&*self.root).unwrap_or(path)
    }

    /// Appends `file:line`, as a link where that line is in the page.
    pub fn put_place(&self, html: &mut Html, file: &str, line: u32) {
        if file.is_empty() {
            html.put("an unknown place", &[]);
            return;
        }
        let number = self.numbers.get(file).filter(|&&at| self.files[at].body.is_some());
        let short = self.short(file);
        match number {
            Some(at) => html.put(
                "<a href=\"#s{}-{}\" title=\"{}\">{}:{}</a>",
                &[at, &line, &file, &short, &line],
            ),
            None => html.put("<span title=\"{}\">{}:{}</span>", &[&file, &short, &line]),
        };
    }

    /// Appends the lines around `line`, if the file is there.
    pub fn put_excerpt(&self, html: &mut Html, file: &str, line: u32) {
        const AROUND: usize = 3;
        let Some(&at) = self.numbers.get(file) else { return };
        let Ok(lines) = &self.files[at].text else { return };
        let here = line as usize;
        if here == 0 || here > lines.len() {
            return;
        }
        let first = here.saturating_sub(AROUND).max(1);
        html.put("<pre class=\"excerpt\">", &[]);
        for number in first..=(here + AROUND).min(lines.len()) {
            let row = format!("{number:5}  {}", lines[number - 1]);
            match number == here {
                true => html.put("<mark>{}</mark>\n", &[&row]),
                false => html.put("{}\n", &[&row]),
            };
        }
        html.put("</pre>\n", &[]);
    }

    /// The section of the page.
    pub fn put(&self, html: &mut Html) {
        if self.files.is_empty() {
            html.put(
                "<p class=\"note\">There is no line of source code in the debug information. \
                 Compile with <code>-g</code>.</p>\n",
                &[],
            );
            return;
        }
        html.put(
            "<p class=\"legend\"><span class=\"key y\">executed</span> \
             <span class=\"key n\">not executed</span> <span class=\"key\">no code</span> \
             <span class=\"folding\" hidden><button data-fold=\"open\">unfold all</button> \
             <button data-fold=\"close\">fold all</button></span></p>\n",
            &[],
        );
        if !self.root.is_empty() {
            html.put("<p class=\"note\">Paths are below <code>{}</code>.</p>\n", &[&self.root]);
        }
        for (number, file) in self.files.iter().enumerate() {
            self.put_file(html, number, file);
        }
        self.put_left_out(html);
    }

    fn put_file(&self, html: &mut Html, number: usize, file: &Source) {
        let n_lines = file.cover.lines.len() as u64;
        let n_hit = file.cover.lines.iter().filter(|(_, hits)| *hits > 0).count() as u64;
        let open = if number == 0 && file.n_bugs > 0 { " open" } else { "" };
        html.put("<details class=\"file\"{}>", &[&open]);
        html.put(
            "<summary><span class=\"path\" title=\"{}\">{}</span>",
            &[&file.cover.path, &self.short(&file.cover.path)],
        );
        if file.n_bugs > 0 {
            html.put(" <b class=\"bad\">{}</b>", &[&count(file.n_bugs as u64, "bug", "bugs")]);
        }
        html.put(
            " <span class=\"share\"><span class=\"bar\"><i style=\"width:{}%\"></i></span>\
             <span>{} of {} lines</span></span></summary>\n",
            &[
                &format!("{:.0}", 100.0 * n_hit as f64 / n_lines.max(1) as f64),
                &percent(n_hit, n_lines),
                &grouped(n_lines),
            ],
        );
        match (&file.body, &file.text) {
            (Some(body), _) => {
                html.add(body);
            }
            (None, Ok(_)) => {
                html.put("<p class=\"note\">Left out: the page would become too large.</p>\n", &[]);
            }
            (None, Err(why)) => {
                html.put("<p class=\"note\">The source is not here: {}.</p>\n", &[why]);
            }
        }
        if file.body.is_none() {
            let ranges = not_executed(file.cover);
            html.put("<p class=\"note\">Lines not executed: {}.</p>\n", &[&ranges]);
        }
        html.put("</details>\n", &[]);
    }

    fn put_left_out(&self, html: &mut Html) {
        let missing = self.files.iter().filter(|file| file.text.is_err()).count() as u64;
        let too_large = self.files.iter().filter(|file| file.text.is_ok() && file.body.is_none());
        let too_large = too_large.count() as u64;
        if missing > 0 {
            html.put(
                "<p class=\"note\">The source of {} could not be shown.</p>\n",
                &[&count(missing, "file", "files")],
            );
        }
        if too_large > 0 {
            html.put(
                "<p class=\"note\">{} left out to keep the page small.</p>\n",
                &[&count(too_large, "file was", "files were")],
            );
        }
    }
}

/// The lines that something in the page speaks of, by file.
struct Marks<'a> {
    bugs: HashMap<&'a str, BTreeMap<u32, BTreeSet<&'a str>>>,
    places: HashMap<&'a str, BTreeSet<u32>>,
}

impl<'a> Marks<'a> {
    fn of(data: &'a RunData) -> Self {
        let mut bugs: HashMap<&str, BTreeMap<u32, BTreeSet<&str>>> = HashMap::new();
        let mut places: HashMap<&str, BTreeSet<u32>> = HashMap::new();
        let mut place = |file: &'a str, line| places.entry(file).or_default().insert(line);
        for (_, bug) in &data.bugs {
            let site = &bug.site;
            let lines = bugs.entry(&site.file).or_default();
            lines.entry(site.line).or_default().insert(&site.kind);
            place(&site.file, site.line);
            let object = bug.object.as_ref();
            let others = object.into_iter().flat_map(|it| it.allocated.iter().chain(&it.freed));
            for frame in bug.stack.iter().chain(others) {
                place(&frame.file, frame.line);
            }
        }
        for entry in &data.ledger {
            place(&entry.file, entry.line);
        }
        for site in &data.tree.sites {
            place(&site.file, site.line);
        }
        Marks { bugs, places }
    }
}

fn source<'a>(cover: &'a SourceFile, marks: &Marks<'_>) -> Source<'a> {
    let n_bugs =
        marks.bugs.get(&*cover.path).map_or(0, |lines| lines.values().map(BTreeSet::len).sum());
    let text = read(&cover.path).and_then(|lines| {
        let last = cover.lines.iter().map(|(line, _)| *line as usize).max().unwrap_or(0);
        match last > lines.len() {
            true => Err(format!("{} has changed since the program was compiled", cover.path)),
            false => Ok(lines),
        }
    });
    Source { cover, n_bugs, text, body: None }
}

/// The lines of a file, or why it cannot be shown.
fn read(path: &str) -> Result<Vec<String>, String> {
    let name = Path::new(path);
    let is_source = name.extension().is_some_and(|end| NAMES.iter().any(|name| end == *name));
    if !is_source {
        return Err(format!("{path} does not have the name of a C source file"));
    }
    let about = fs::metadata(name).map_err(|error| format!("{path}: {error}"))?;
    if !about.is_file() || about.len() > MAX_FILE {
        return Err(format!("{path} is not a file of at most {} MiB", MAX_FILE >> 20));
    }
    let bytes = fs::read(name).map_err(|error| format!("{path}: {error}"))?;
    Ok(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
}

/// The lines of a file as markup; those that can be linked to have names.
fn annotated(number: usize, cover: &SourceFile, lines: &[String], marks: &Marks<'_>) -> Html {
    let hits: HashMap<u32, u64> = cover.lines.iter().copied().collect();
    let bugs = marks.bugs.get(&*cover.path);
    let places = marks.places.get(&*cover.path);
    let mut html = Html::default();
    html.put("<ol class=\"src\">\n", &[]);
    for (line, text) in (1..).zip(lines) {
        let bug = bugs.and_then(|bugs| bugs.get(&line));
        html.put(
            match (hits.get(&line), bug) {
                (_, Some(_)) => "<li class=\"bug\"",
                (None, _) => "<li",
                (Some(0), _) => "<li class=\"n\"",
                (Some(_), _) => "<li class=\"y\"",
            },
            &[],
        );
        if places.is_some_and(|places| places.contains(&line)) {
            html.put(" id=\"s{}-{}\"", &[&number, &line]);
        }
        html.put(">{}", &[text]);
        for kind in bug.into_iter().flatten() {
            html.put(" <em>{}</em>", &[kind]);
        }
        html.put("</li>\n", &[]);
    }
    html.put("</ol>\n", &[]);
    html
}

/// Ranges of lines that were not executed.
fn not_executed(cover: &SourceFile) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &(line, hits) in &cover.lines {
        match ranges.last_mut() {
            _ if hits > 0 => {}
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    let text = |&(first, last): &(u32, u32)| match first == last {
        true => first.to_string(),
        false => format!("{first}–{last}"),
    };
    match ranges.is_empty() {
        true => "none".to_owned(),
        false => ranges.iter().map(text).collect::<Vec<_>>().join(", "),
    }
}

/// The directory that all files are in, with its slash; empty if there is none.
fn common_directory(files: &[SourceFile]) -> String {
    let mut paths = files.iter().map(|file| directory(&file.path));
    let Some(mut common) = paths.next() else { return String::new() };
    for path in paths {
        while !path.starts_with(common) {
            common = directory(common.trim_end_matches('/'));
        }
    }
    if common == "/" { String::new() } else { common.to_owned() }
}

/// A path up to its last slash.
fn directory(path: &str) -> &str {
    &path[..path.rfind('/').map_or(0, |slash| slash + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, lines: &[(u32, u64)]) -> SourceFile {
        SourceFile { path: path.into(), lines: lines.to_vec(), ..SourceFile::default() }
    }

    #[test]
    fn common_directories() {
        let of = |paths: &[&str]| {
            common_directory(&paths.iter().map(|path| file(path, &[])).collect::<Vec<_>>())
        };
        assert_eq!(of(&["/a/b/x.c", "/a/b/y.c"]), "/a/b/");
        assert_eq!(of(&["/a/b/x.c", "/a/bc/y.c"]), "/a/");
        assert_eq!(of(&["/a/x.c", "/b/y.c"]), "");
        assert_eq!(of(&["x.c", "b/y.c"]), "");
        assert_eq!(of(&[]), "");
    }

    #[test]
    fn ranges_of_lines() {
        let lines = [(1, 0), (2, 0), (3, 1), (5, 0), (7, 0), (8, 0)];
        assert_eq!(not_executed(&file("x.c", &lines)), "1–2, 5, 7–8");
        assert_eq!(not_executed(&file("x.c", &[(1, 1)])), "none");
    }

    #[test]
    fn only_source_files_are_read() {
        assert!(read("/etc/passwd").unwrap_err().contains("the name of a C source file"));
        assert!(read("/nowhere/x.c").unwrap_err().contains("No such file"));
        assert!(read("/dev/null/x.c").is_err());
    }
}

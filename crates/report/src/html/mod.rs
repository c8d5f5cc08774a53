//! `report.html`: a run as one page that needs nothing else, neither network nor script.
//!
//! Everything that comes from the program under test is text of others and is escaped
//! ([`markup`]); the page's policy allows no script but its own, and no request at all.

mod bugs;
mod data;
mod input;
mod markup;
mod shape;
mod sources;
mod summary;
mod tables;
mod timeline;
mod tree;

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::{Result, Summary, write};
use data::RunData;
pub(crate) use data::read_lines;
pub use markup::Html;
use sources::Sources;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("page.js");

/// Writes the page of the run in `dir` to `out`, times and all.
pub fn write_page(dir: &Path, out: &Path) -> Result<()> {
    let mut data = RunData::read(dir)?;
    data.read_timings(dir)?;
    write::replace_file(out, page(&data))
}

/// Writes `report.html` into `dir` for a run that ends with `summary`. There is nothing in it that
/// depends on the machine.
pub(crate) fn write_at_end(dir: &Path, summary: &Summary) -> Result<()> {
    let mut data = RunData::read(dir)?;
    data.summary = Some(summary.clone());
    write::replace_file(&dir.join("report.html"), page(&data))
}

fn page(data: &RunData) -> String {
    let sources = Sources::read(data);
    let mut html = Html::default();
    put_head(&mut html, data);
    summary::put(&mut html, data);
    html.put(
        "</header>\n<nav><a href=\"#bugs\">Bugs</a> <a href=\"#timeline\">Time line</a> \
         <a href=\"#sources\">Sources</a> <a href=\"#paths\">Tree</a> \
         <a href=\"#ledger\">Ledger</a> <a href=\"#tests\">Tests</a> \
         <a href=\"#solver\">Solver</a></nav>\n<main>\n<section id=\"bugs\"><h2>Bugs</h2>\n",
        &[],
    );
    bugs::put(&mut html, data, &sources);
    html.put("</section>\n<section id=\"timeline\"><h2>Time line</h2>\n", &[]);
    timeline::put(&mut html, data);
    html.put("</section>\n<section id=\"sources\"><h2>Sources</h2>\n", &[]);
    sources.put(&mut html);
    html.put("</section>\n<section id=\"paths\"><h2>Execution tree</h2>\n", &[]);
    tree::put(&mut html, data, &sources);
    html.put("</section>\n<section id=\"ledger\"><h2>Ledger</h2>\n", &[]);
    tables::put_ledger(&mut html, data, &sources);
    html.put("</section>\n<section id=\"tests\"><h2>Tests</h2>\n", &[]);
    tables::put_tests(&mut html, data);
    html.put("</section>\n<section id=\"solver\"><h2>Solver</h2>\n", &[]);
    tables::put_solver(&mut html, data);
    html.put("</section>\n</main>\n", &[]);
    put_foot(&mut html, data);
    html.into_string()
}

fn put_head(html: &mut Html, data: &RunData) {
    let program = data.summary.as_ref().map_or("a run", |summary| &summary.program);
    html.put(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
         style-src 'unsafe-inline'; script-src 'sha256-{}'; base-uri 'none'; \
         form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>fathom: {}</title>\n<style>\n",
        &[&base64(&Sha256::digest(SCRIPT)), &program],
    );
    html.put_whole(STYLE).put("</style>\n</head>\n<body>\n<header>\n", &[]);
}

fn put_foot(html: &mut Html, data: &RunData) {
    html.put("<footer>", &[]);
    if let Some(summary) = &data.summary {
        html.put(
            "fathom {}. Bitcode <code>{}</code>. ",
            &[&summary.version, &summary.bitcode.get(..16).unwrap_or(&summary.bitcode)],
        );
    }
    if data.timings.is_empty() {
        html.put(
            "There are no times in this page, so that the same run gives the same page; \
             <code>fathom report</code> adds them. ",
            &[],
        );
    }
    html.put("All numbers are in the files beside this one.</footer>\n<script>", &[]);
    html.put_whole(SCRIPT).put("</script>\n</body>\n</html>\n", &[]);
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word =
            chunk.iter().zip([16, 8, 0]).fold(0, |word, (byte, at)| word | u32::from(*byte) << at);
        for n in 0..4 {
            match n <= chunk.len() {
                true => text.push(char::from(DIGITS[(word >> (18 - 6 * n)) as usize & 63])),
                false => text.push('='),
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_of_every_length() {
        let texts = [&b""[..], b"f", b"fo", b"foo", b"foob"].map(base64);
        assert_eq!(texts, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
    }

    #[test]
    fn script_and_style_do_not_end_their_elements() {
        assert!(!SCRIPT.contains("</") && !SCRIPT.contains("<!--") && !STYLE.contains('<'));
    }
}

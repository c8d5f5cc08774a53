//! The section on bugs: what happened, where, with which input, and what the native program did.

use super::data::RunData;
use super::input;
use super::markup::{Html, count};
use super::sources::Sources;
use crate::{Finding, Frame, ObjectInfo, Replay, shell_quote};

/// Bugs shown in full.
const MAX_BUGS: usize = 100;

pub fn put(html: &mut Html, data: &RunData, sources: &Sources) {
    if data.bugs.is_empty() {
        html.put("<p>None found.</p>\n", &[]);
    }
    for (number, (dir, bug)) in (1..).zip(data.bugs.iter().take(MAX_BUGS)) {
        put_bug(html, data, sources, number, dir, bug);
    }
    if data.bugs.len() > MAX_BUGS {
        let more = (data.bugs.len() - MAX_BUGS) as u64;
        html.put(
            "<p class=\"note\">{} in <code>bugs/</code>.</p>\n",
            &[&count(more, "more is", "more are")],
        );
    }
}

fn put_bug(
    html: &mut Html,
    data: &RunData,
    sources: &Sources,
    number: usize,
    dir: &str,
    bug: &Finding,
) {
    let site = &bug.site;
    html.put(
        "<article class=\"bug\" id=\"bug{}\"><h3><b class=\"bad\">{}</b> ",
        &[&number, &site.kind],
    );
    sources.put_place(html, &site.file, site.line);
    html.put(
        " in <code>{}</code></h3>\n<p class=\"said\">{}</p>\n",
        &[&site.function, &bug.message],
    );
    put_replay(html, bug.replay.as_ref());
    sources.put_excerpt(html, &site.file, site.line);
    put_stack(html, data, sources, "Stack", &bug.stack);
    if let Some(object) = &bug.object {
        put_object(html, data, sources, object);
    }
    match data.pack.get(bug.test) {
        Ok(test) => {
            html.put("<h4>Input <small>test {}</small></h4>\n", &[&bug.test]);
            input::put(html, &test);
        }
        Err(error) => {
            html.put("<p class=\"note\">Its input cannot be read: {}.</p>\n", &[&error]);
        }
    }
    if !bug.explanation.is_empty() {
        html.put(
            "<h4>Explanation</h4>\n<pre class=\"text\">{}</pre>\n",
            &[&bug.explanation.trim_end()],
        );
    }
    let program = data.summary.as_ref().map_or("PROGRAM", |summary| &summary.program);
    html.put(
        "<h4>Try it</h4>\n<pre class=\"text\">fathom replay {} RUN/bugs/{}</pre>\n</article>\n",
        &[&shell_quote(program.as_bytes()), &dir],
    );
}

fn put_replay(html: &mut Html, replay: Option<&Replay>) {
    let Some(Replay { verdict, mode, detail }) = replay else {
        html.put("<p><b class=\"tag\">not replayed</b> The native program was not run.</p>\n", &[]);
        return;
    };
    let template = match verdict.as_str() {
        "confirmed" => "<p><b class=\"tag good\">{}</b> natively",
        "mismatch" => "<p><b class=\"tag bad\">{}</b> natively",
        _ => "<p><b class=\"tag\">{}</b>",
    };
    html.put(template, &[&verdict]);
    let how = match mode.as_str() {
        "" | "off" => "",
        "end" | "aligned" => "pages behind every heap object cannot be accessed",
        "start" => "pages before every heap object cannot be accessed",
        mode => mode,
    };
    if !how.is_empty() {
        html.put(" <span class=\"dim\">({})</span>", &[&how]);
    }
    if !detail.is_empty() {
        html.put(": {}", &[&detail]);
    }
    html.put("</p>\n", &[]);
}

fn put_object(html: &mut Html, data: &RunData, sources: &Sources, object: &ObjectInfo) {
    html.put("<h4>Object</h4>\n<p>{}</p>\n", &[&object.description]);
    put_stack(html, data, sources, "Allocated", &object.allocated);
    put_stack(html, data, sources, "Freed", &object.freed);
}

fn put_stack(
    html: &mut Html,
    data: &RunData,
    sources: &Sources,
    title: &'static str,
    stack: &[Frame],
) {
    if stack.is_empty() {
        return;
    }
    html.put("<h4>{}</h4>\n<ol class=\"stack\" start=\"0\">\n", &[&title]);
    for frame in stack {
        let own = data.is_own(&frame.file);
        html.put(if own { "<li>" } else { "<li class=\"dim\">" }, &[]);
        html.put("<code>{}</code> <span class=\"place\">", &[&frame.function]);
        sources.put_place(html, &frame.file, frame.line);
        html.put("</span></li>\n", &[]);
    }
    html.put("</ol>\n", &[]);
}

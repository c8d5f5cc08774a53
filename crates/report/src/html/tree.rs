//! The section on the execution tree: data for the script that draws it, and a table without it.

use serde_json::json;

use super::data::RunData;
use super::markup::{Html, count, grouped};
use super::shape::Shape;
use super::sources::Sources;

/// Rows of the table of places.
const MAX_SITES: usize = 25;
/// The kinds of leaves, as [`Shape`] numbers them: their class, their name.
const KINDS: [(&str, &str); 8] = [
    ("success", "exit 0"),
    ("failure", "other exit"),
    ("killed", "signal"),
    ("bad", "bug"),
    ("unsupported", "unsupported"),
    ("limit", "cut by a limit"),
    ("dropped", "dropped"),
    ("open", "not explored"),
];

pub fn put(html: &mut Html, data: &RunData, sources: &Sources) {
    let tree = &data.tree;
    if tree.n_forks == 0 {
        html.put("<p class=\"note\">No path parted from another.</p>\n", &[]);
        return;
    }
    let shape = Shape::of(tree);
    html.put(
        "<p>{} at {}. Each block is a place where paths part; its width is the number of paths \
         below it. Forks of a loop are one block; \
         red ones lead to a bug.</p>\n<p class=\"legend\">",
        &[
            &count(tree.n_forks, "fork", "forks"),
            &count(shape.sites.len() as u64, "place", "places"),
        ],
    );
    for ((class, name), &n) in KINDS.iter().zip(&shape.leaves) {
        if n > 0 {
            html.put("<span class=\"key k-{}\">{} {}</span> ", &[class, &grouped(n.into()), name]);
        }
    }
    html.put("</p>\n", &[]);
    if tree.cut {
        html.put("<p class=\"note\">The run made more forks; these are the first.</p>\n", &[]);
    }
    if tree.torn > 0 {
        html.put(
            "<p class=\"note\">The end of the tree is missing: the run was killed.</p>\n",
            &[],
        );
    }
    html.put(
        "<div id=\"tree\"><noscript><p class=\"note\">The picture is drawn by a script; the \
         table below does without.</p></noscript></div>\n",
        &[],
    );
    let sites: Vec<_> = tree
        .sites
        .iter()
        .map(|site| json!([site.function, sources.short(&site.file), site.line]))
        .collect();
    let kinds: Vec<_> = KINDS.iter().map(|(class, name)| json!([class, name])).collect();
    let drawn = json!({ "sites": sites, "kinds": kinds, "blocks": shape.to_json() });
    html.put_data("tree-data", &drawn);
    put_sites(html, data, sources, &shape);
}

fn put_sites(html: &mut Html, data: &RunData, sources: &Sources, shape: &Shape) {
    html.put(
        "<h3>Where paths part</h3>\n<div class=\"wide\"><table><thead><tr><th class=\"num\">forks\
         <th>function<th>place</thead><tbody>\n",
        &[],
    );
    for &(site, forks) in shape.sites.iter().take(MAX_SITES) {
        let site = &data.tree.sites[site as usize];
        html.put(
            "<tr><td class=\"num\">{}<td><code>{}</code><td class=\"place\">",
            &[&grouped(forks), &site.function],
        );
        sources.put_place(html, &site.file, site.line);
        html.put("\n", &[]);
    }
    html.put("</tbody></table></div>\n", &[]);
    if shape.sites.len() > MAX_SITES {
        let more = (shape.sites.len() - MAX_SITES) as u64;
        html.put("<p class=\"note\">and {}.</p>\n", &[&count(more, "more place", "more places")]);
    }
}

"use strict";
// Folding of sources, and the picture of the execution tree. Text of the program under test only
// ever goes into text nodes.

for (const folding of document.querySelectorAll(".folding")) {
  folding.hidden = false;
  folding.addEventListener("click", (event) => {
    const how = event.target.dataset.fold;
    if (!how) return;
    for (const file of document.querySelectorAll("details.file")) file.open = how === "open";
  });
}

// A link into a folded file unfolds it.
function reveal() {
  const target = document.getElementById(location.hash.slice(1));
  if (!target) return;
  for (let it = target; it; it = it.parentElement) if (it.tagName === "DETAILS") it.open = true;
  if (target.tagName === "LI") target.scrollIntoView({ block: "center" });
}
addEventListener("hashchange", reveal);
reveal();

const data = document.getElementById("tree-data");
if (data) drawTree(JSON.parse(data.textContent), document.getElementById("tree"));

function drawTree({ sites, kinds, blocks: rows }, place) {
  const ROW = 22, DEEPEST = 24, NARROW = 2;
  const BUG = kinds.findIndex(([style]) => style === "bad");
  const grouped = (n) => n.toLocaleString("en-US");
  const many = (n, one, more) => grouped(n) + " " + (n === 1 ? one : more);

  const blocks = rows.map(([parent, site, forks, ends, hidden]) =>
    ({ parent, site, forks, ends, hidden, below: [], leaves: kinds.map(() => 0) }));
  for (let at = blocks.length - 1; at >= 0; at--) {
    const block = blocks[at];
    for (const [kind, n] of block.ends) block.leaves[kind] += n;
    block.hidden.forEach((n, kind) => { block.leaves[kind] += n; });
    block.total = block.leaves.reduce((sum, n) => sum + n, 0);
    if (at > 0) {
      const above = blocks[block.parent];
      above.below.push(block);
      block.leaves.forEach((n, kind) => { above.leaves[kind] += n; });
    }
  }
  for (const block of blocks) block.below.sort((a, b) => b.total - a.total);

  const list = (leaves) => leaves.map((n, kind) => n ? grouped(n) + " " + kinds[kind][1] : "")
    .filter((text) => text).join(", ");
  const name = (block, short) => {
    if (block.site < 0) return block === blocks[0] ? "start" : "a check";
    const [fn, file, line] = sites[block.site];
    return (file ? (short ? file.replace(/.*\//, "") : file) + ":" + line + " " : "") + fn;
  };
  const about = (block) => name(block) + ": " + (block.forks ? many(block.forks, "fork", "forks") + ", " : "")
    + many(block.total, "path", "paths") + " below (" + list(block.leaves) + ")";

  const make = (tag, parent, attributes = {}) => {
    const it = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const key in attributes) it.setAttribute(key, attributes[key]);
    parent.append(it);
    return it;
  };
  const tools = document.createElement("div");
  tools.className = "tools";
  const button = (text, act) => {
    const it = document.createElement("button");
    it.textContent = text;
    it.addEventListener("click", act);
    tools.append(it);
    return it;
  };
  let top = blocks[0];
  const whole = button("whole tree", () => { top = blocks[0]; draw(); });
  const up = button("up", () => { top = blocks[top.parent]; draw(); });
  const hint = document.createElement("span");
  hint.className = "dim";
  hint.textContent = "Click a block to see it wide.";
  tools.append(hint);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const told = document.createElement("p");
  told.className = "told";
  place.replaceChildren(tools, svg, told);

  // A box with a label and what is said about it. With `leaves` it has a stripe for each kind.
  function box(x, width, row, style, label, text, act, leaves) {
    const group = make("g", svg, style ? { class: "k-" + style } : {});
    if (leaves) {
      const total = leaves.reduce((sum, n) => sum + n, 0);
      let y = row * ROW;
      leaves.forEach((n, kind) => {
        const height = n / total * ROW;
        if (n) make("rect", make("g", group, { class: "k-" + kinds[kind][0] }), { x, y, width, height });
        y += height;
      });
    } else make("rect", group, { x, y: row * ROW, width, height: ROW, rx: 2 });
    const room = Math.floor((width - 8) / 6.7);
    if (room >= 2) {
      const cut = label.length > room ? label.slice(0, room - 1) + "…" : label;
      make("text", group, { x: x + 4, y: row * ROW + 15 }).textContent = cut;
    }
    make("title", group).textContent = text;
    const say = () => { told.textContent = text; };
    group.addEventListener("pointerenter", say);
    group.addEventListener("focus", say);
    if (act) {
      group.setAttribute("role", "button");
      group.setAttribute("tabindex", "0");
      group.addEventListener("click", act);
      group.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); act(); }
      });
    }
  }

  // Draws `block` and what is below it; returns how many rows that took.
  function put(block, x, width, row) {
    const deeper = row + 1 >= DEEPEST;
    const style = block.leaves[BUG] && block !== blocks[0] ? "way" : "";
    box(x, width, row, style, (deeper ? "▾ " : "") + name(block, true), about(block), () => { top = block; draw(); });
    if (deeper) return row + 1;
    const scale = width / block.total;
    const thin = kinds.map(() => 0);
    let rows = row + 1;
    for (const child of block.below) {
      const w = child.total * scale;
      if (w < NARROW) { child.leaves.forEach((n, kind) => { thin[kind] += n; }); continue; }
      rows = Math.max(rows, put(child, x, w, row + 1));
      x += w;
    }
    for (const [kind, n, test] of block.ends) {
      const [style, label] = kinds[kind];
      const first = test ? (n === 1 ? ", test " : ", the first is test ") + test : "";
      if (n * scale < NARROW) { thin[kind] += n; continue; }
      box(x, n * scale, row + 1, style, grouped(n) + " " + label, many(n, "path", "paths") + ": " + label + first);
      x += n * scale;
      rows = Math.max(rows, row + 2);
    }
    const rest = (leaves, why) => {
      const n = leaves.reduce((sum, n) => sum + n, 0);
      if (!n) return;
      box(x, n * scale, row + 1, "hidden", grouped(n), many(n, "path", "paths") + " " + why + " (" + list(leaves) + ")", null, leaves);
      x += n * scale;
      rows = Math.max(rows, row + 2);
    };
    rest(block.hidden, "below blocks that are not in this page");
    rest(thin, "in blocks too narrow to draw; click the block above");
    return rows;
  }

  function draw() {
    svg.replaceChildren();
    const width = Math.max(place.clientWidth - 2, 200);
    const rows = put(top, 0, width, 0);
    svg.setAttribute("viewBox", "0 0 " + width + " " + rows * ROW);
    svg.setAttribute("height", rows * ROW);
    whole.disabled = up.disabled = top === blocks[0];
    told.textContent = about(top);
  }
  draw();
  let waiting;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(draw, 100); });
}

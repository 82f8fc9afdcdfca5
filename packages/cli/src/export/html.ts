import { createHash } from "node:crypto";
import { type Entry, type Journal, outlineRows } from "@pith/agent";
import { unmarked } from "../view/canvas.ts";
import { exportedEntry, exportedLine, type Part } from "./content.ts";
import script from "./page.script.txt" with { type: "text" };
import style from "./page.style.txt" with { type: "text" };
import { type ColourCode, escapeHtml, proseHtml } from "./prose.ts";

/**
 * Writes one page with everything in it: every branch, foldable tools, diffs, images, a tree to walk and a search. It
 * asks no network for anything.
 */
export function* writeHtml(journal: Journal, grounds = "", code?: ColourCode): Generator<string> {
  const { header, tree } = journal;
  const title = lineHtml(tree.name ?? header.title ?? "Session");
  const labels = tree.labels();
  // Only this script runs, and nothing is fetched: what a tool printed stays text even if an escape were missing.
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`;
  const about = [header.cwd, exportedLine(header.timestamp).slice(0, 16).replace("T", " ")].map(lineHtml).join(" · ");
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${style}${grounds}</style></head>
<body data-leaf="${escapeHtml(tree.leaf ?? "")}">
<header><h1>${title}</h1><p>${about}</p>
<input id="search" type="search" placeholder="Search" aria-label="Search">
<button id="fold" type="button">Open all</button><button id="theme" type="button">Theme</button>
<output id="found"></output></header>
<nav id="tree" aria-label="Tree">`;
  for (const { entry, text, depth, active, label } of outlineRows(tree)) {
    const id = escapeHtml(entry.id);
    const mark = label ? `<b>${lineHtml(label)}</b> ` : "";
    const attributes = `href="#e-${id}" data-id="${id}" style="--depth:${Math.min(depth, 12)}"`;
    const shown = escapeHtml(unmarked(text).slice(0, 80) || entry.type);
    yield `<a ${attributes}${active ? ' class="active"' : ""}>${mark}${shown}</a>\n`;
  }
  yield "</nav>\n<main>\n";
  const path = new Set<string>();
  for (const entry of tree.back()) path.add(entry.id);
  for (const entry of tree.all())
    yield article(entry, path.has(entry.id) ? "active" : "hidden", labels.get(entry.id), code);
  yield `</main>\n<script>${script}</script>\n</body></html>\n`;
}

/** Escapes a text as one line of the page. */
const lineHtml = (text: string): string => escapeHtml(exportedLine(text));

function article(entry: Entry, state: "active" | "hidden", label: string | undefined, code?: ColourCode): string {
  const shown = exportedEntry(entry);
  const [id, parent] = [entry.id, entry.parentId ?? ""].map(escapeHtml);
  const attributes = `id="e-${id}" data-parent="${parent}"${state === "hidden" ? " hidden" : ""}`;
  // Entries without a view are steps between those with one.
  if (!shown) return `<i class="step" ${attributes}></i>\n`;
  const mark = label ? ` <b class="label">${lineHtml(label)}</b>` : "";
  const time = escapeHtml(entry.timestamp.slice(0, 19).replace("T", " "));
  const title = `<h2>${escapeHtml(shown.title)}${mark} <time>${time}</time></h2>`;
  const body = shown.parts.map((part) => partHtml(part, code)).join("");
  return `<article class="${shown.who}" ${attributes}>${title}${body}</article>\n`;
}

function partHtml(part: Part, code: ColourCode | undefined): string {
  switch (part.type) {
    case "text":
      return `<div class="text">${proseHtml(part.text, code)}</div>`;
    case "thinking":
      return foldable("thinking", "Thinking", escapeHtml(part.text));
    case "call": {
      const [name, about, input] = [part.name, firstLine(part.input), part.input].map(escapeHtml);
      return foldable("call", `${name} <code>${about}</code>`, input ?? "");
    }
    case "output": {
      const [kind, lead] = part.failed ? ["output failed", "Failed, "] : ["output", ""];
      return foldable(kind, `${lead}${escapeHtml(part.summary)}`, escapeHtml(part.text));
    }
    case "diff":
      return foldable("diff", escapeHtml(part.path), part.patch.split("\n").map(diffLine).join("\n"), "open");
    case "image":
      return `<img alt="image" src="data:${escapeHtml(part.mimeType)};base64,${part.data.replace(/\s+/g, "")}">`;
  }
}

/** Makes a foldable block of a summary and a body that are HTML already. */
function foldable(kind: string, summary: string, body: string, state: "open" | "closed" = "closed"): string {
  const attributes = `class="${kind}"${state === "open" ? " open" : ""}`;
  return `<details ${attributes}><summary>${summary}</summary><pre>${body}</pre></details>`;
}

const diffKinds: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "place" };

function diffLine(line: string): string {
  const kind = diffKinds[line[0] ?? ""];
  return kind ? `<span class="${kind}">${escapeHtml(line)}</span>` : escapeHtml(line);
}

/** The beginning of the arguments of a call, up to a whole word; all of them stand below it. */
const firstLine = (input: string): string => {
  const line = input.replace(/\s+/g, " ");
  return line.length <= 100 ? line : `${line.slice(0, 100).replace(/\s\S{0,30}$/, "")} …`;
};

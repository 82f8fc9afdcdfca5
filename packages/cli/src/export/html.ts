import { createHash } from "node:crypto";
import { type Entry, type Journal, outline } from "@pith/agent";
import { oneLine, type Part, type Shown, shownOf } from "./content.ts";
import script from "./page.script.txt" with { type: "text" };
import style from "./page.style.txt" with { type: "text" };
import { escapeHtml, proseHtml } from "./prose.ts";

/**
 * One page with everything in it: every branch, foldable tools, diffs, images, a tree to walk and a search. It asks no
 * network for anything.
 */
export function* writeHtml(journal: Journal): Generator<string> {
  const { header, tree } = journal;
  const title = escapeHtml(oneLine(tree.name ?? header.title ?? "Session"));
  const labels = tree.labels();
  // Only this script runs, and nothing is fetched: what a tool printed stays text even if an escape were missing.
  const hash = createHash("sha256").update(script).digest("base64");
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-${hash}'`;
  yield `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${style}</style></head>
<body data-leaf="${escapeHtml(tree.leaf ?? "")}">
<header><h1>${title}</h1><p>${escapeHtml(oneLine(header.cwd))} · ${escapeHtml(oneLine(header.timestamp).slice(0, 16).replace("T", " "))}</p>
<input id="search" type="search" placeholder="Search" aria-label="Search"><button id="fold" type="button">Open all</button><button id="theme" type="button">Theme</button><output id="found"></output></header>
<nav id="tree" aria-label="Tree">`;
  for (const row of outline(tree, "default")) {
    const indent = Math.min(row.depth, 12);
    yield `<a href="#e-${escapeHtml(row.entry.id)}" data-id="${escapeHtml(row.entry.id)}" style="--depth:${indent}"${row.active ? ' class="active"' : ""}>${
      row.label ? `<b>${escapeHtml(oneLine(row.label))}</b> ` : ""
    }${escapeHtml(row.text.slice(0, 80) || row.entry.type)}</a>\n`;
  }
  yield "</nav>\n<main>\n";
  const path = new Set<string>();
  for (const entry of tree.back()) path.add(entry.id);
  for (const entry of tree.all()) yield article(entry, path.has(entry.id), labels.get(entry.id));
  yield `</main>\n<script>${script}</script>\n</body></html>\n`;
}

function article(entry: Entry, active: boolean, label: string | undefined): string {
  const shown = shownOf(entry);
  const place = `id="e-${escapeHtml(entry.id)}" data-parent="${escapeHtml(entry.parentId ?? "")}"${active ? "" : " hidden"}`;
  // Entries without a view are steps of the way between those with one.
  if (!shown) return `<i class="step" ${place}></i>\n`;
  const mark = label ? ` <b class="label">${escapeHtml(oneLine(label))}</b>` : "";
  return `<article class="${shown.who}" ${place}>${headOf(shown, entry, mark)}${shown.parts.map(partHtml).join("")}</article>\n`;
}

const headOf = (shown: Shown, entry: Entry, mark: string): string =>
  `<h2>${escapeHtml(shown.title)}${mark} <time>${escapeHtml(entry.timestamp.slice(0, 19).replace("T", " "))}</time></h2>`;

function partHtml(part: Part): string {
  switch (part.type) {
    case "text":
      return `<div class="text">${proseHtml(part.text)}</div>`;
    case "thinking":
      return `<details class="thinking"><summary>Thinking</summary><pre>${escapeHtml(part.text)}</pre></details>`;
    case "call":
      return `<details class="call"><summary>${escapeHtml(part.name)} <code>${escapeHtml(firstLine(part.input))}</code></summary><pre>${escapeHtml(part.input)}</pre></details>`;
    case "output":
      return `<details class="output${part.failed ? " failed" : ""}"><summary>${part.failed ? "Failed, " : ""}${escapeHtml(part.summary)}</summary><pre>${escapeHtml(part.text)}</pre></details>`;
    case "diff":
      return `<details class="diff" open><summary>${escapeHtml(part.path)}</summary><pre>${part.patch.split("\n").map(diffLine).join("\n")}</pre></details>`;
    case "image":
      return `<img alt="image" src="data:${escapeHtml(part.mimeType)};base64,${part.data.replace(/\s+/g, "")}">`;
  }
}

function diffLine(line: string): string {
  const kind = line.startsWith("+")
    ? "added"
    : line.startsWith("-")
      ? "removed"
      : line.startsWith("@@")
        ? "place"
        : undefined;
  return kind ? `<span class="${kind}">${escapeHtml(line)}</span>` : escapeHtml(line);
}

const firstLine = (input: string): string => input.replace(/\s+/g, " ").slice(0, 100);

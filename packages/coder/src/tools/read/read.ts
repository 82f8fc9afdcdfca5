import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Artifacts, type Meta, type Outcome, refusal, schema as s, type Tool, tool } from "@pith/agent";
import { type DirectoryEntry, type FsKind, listDirectory, nearPath, type Page, readPage, readWhole } from "@pith/host";
import { type Fail, fill, formatBytes, showPath } from "@pith/kit";
import { tagHeader } from "../../snapshot/header.ts";
import type { Snapshots } from "../../snapshot/snapshot.ts";
import { type Place, resolvePath, trouble } from "../place.ts";
import { parseSelector, type Range } from "../selector.ts";
import prose from "./read.md" with { type: "text" };

const maxLines = 3000;
const maxBytes = 50 * 1024;
const maxEntries = 500;
const maxTaggedBytes = 4 * 1024 * 1024;
/** A range is shown with a little of what stands around it. */
const around = { before: 1, after: 3 };

const input = s.object({ path: s.string().min(1).describe("File, directory or artifact://<id>, with an optional line selector") });
type Input = s.Infer<typeof input>;

export interface ReadParts extends Place {
  artifacts: Artifacts;
  snapshots: Snapshots;
}

export function read(parts: ReadParts): Tool<Input> {
  return tool({
    name: "read",
    about: fill(prose, { lines: maxLines, size: formatBytes(maxBytes) }),
    input,
    effect: "read",
    paths: ({ path }) => (path.startsWith(scheme) ? [] : [target(parts, path).path]),
    async run({ path: given }, { signal }) {
      const { path, range, fault } = target(parts, given);
      if (fault) return refusal(fault);
      if (given.startsWith(scheme)) return readArtifact(parts, path, range, signal);
      const page = await readPage(path, request(range, signal));
      if (!page.ok && page.kind === "directory") return listing(parts, path);
      if (!page.ok) return refusal(failure(parts, path, page));
      const name = showPath(parts.cwd, path);
      return shown(page.value, range, { name, source: { path }, header: header(parts, path, name, page.value) });
    },
  });
}

const scheme = "artifact://";

/** What an argument means: an absolute path (or an artifact's id) and the lines of it. */
function target(parts: ReadParts, given: string): { path: string; range?: Range; fault?: string } {
  const internal = given.startsWith(scheme);
  const exists = (path: string) => !internal && existsSync(resolvePath(parts, path));
  const selected = parseSelector(given, exists);
  if (!selected.ok) return { path: resolvePath(parts, given), fault: selected.message };
  const { path, ...rest } = selected.value;
  return { path: internal ? path.slice(scheme.length) : resolvePath(parts, path), ...rest };
}

const request = (range: Range | undefined, signal: AbortSignal) => ({
  from: Math.max(1, (range?.from ?? 1) - around.before),
  ...(range?.to !== undefined && { to: range.to + around.after }),
  maxLines,
  maxBytes,
  signal,
});

async function readArtifact({ artifacts }: ReadParts, id: string, range: Range | undefined, signal: AbortSignal): Promise<Outcome> {
  const file = artifacts.resolve(id);
  if (!file.ok) return refusal(file.message);
  const page = await readPage(file.value, request(range, signal));
  const name = `${scheme}${id}`;
  return page.ok ? shown(page.value, range, { name, source: { internal: name }, header: `[${name}]` }) : refusal(page.message);
}

/** With the tag that an edit can refer to; a file too large to be kept has none. */
function header({ snapshots }: ReadParts, path: string, name: string, page: Page): string {
  const whole = page.totalBytes <= maxTaggedBytes ? readWhole(path) : undefined;
  return whole?.ok ? tagHeader(name, snapshots.mint(path, whole.value.bytes)) : `[${name}]`;
}

interface Shown {
  name: string;
  source: NonNullable<Meta["source"]>;
  header: string;
}

function shown(page: Page, range: Range | undefined, { name, source, header }: Shown): Outcome<"page"> {
  const from = Math.max(1, (range?.from ?? 1) - around.before);
  const to = from + page.lines.length - 1;
  const data = { path: name, ...(page.lines.length > 0 && { from, to }), totalLines: page.totalLines, bytes: page.totalBytes };
  if (page.lines.length === 0) return { kind: "page", data, text: emptyText(page, range), meta: { source } };
  const text = `${header}\n${page.lines.map((line, i) => `${from + i}:${line}`).join("\n")}`;
  return { kind: "page", data, text, meta: { source, ...cut(page, from, to), ...notes(page, from) } };
}

function emptyText(page: Page, range: Range | undefined): string {
  if (page.totalLines === 0) return "(empty file)";
  return `Line ${range?.from} is past the end: there are ${page.totalLines} lines. Use :1 to read from the start, or :${page.totalLines} for the last line.`;
}

function cut(page: Page, start: number, end: number): Pick<Meta, "truncation"> {
  if (!page.cut) return {};
  const { totalLines, totalBytes } = page;
  return {
    truncation: {
      direction: "head",
      truncatedBy: page.cut === "line" ? "columns" : page.cut,
      totalLines,
      ...(page.counted === "at least" && { atLeast: true as const }),
      totalBytes,
      outputLines: page.lines.length,
      outputBytes: page.shownBytes,
      shownRange: { start, end },
      ...(end < totalLines && { nextOffset: end + 1 }),
      maxBytes,
    },
  };
}

function notes(page: Page, from: number): Pick<Meta, "notes"> {
  const notes: string[] = [];
  if (page.cut === "line") notes.push(`Line ${from} is longer than ${formatBytes(maxBytes)}; only its beginning is shown`);
  if (page.damaged) notes.push("Some bytes are not UTF-8 and are shown as \ufffd");
  return notes.length > 0 ? { notes } : {};
}

function listing(place: Place, path: string): Outcome {
  const listed = listDirectory(path, maxEntries);
  if (!listed.ok) return refusal(trouble(place, path, listed));
  const { entries, total } = listed.value;
  const name = showPath(place.cwd, path);
  return {
    kind: "listing",
    data: { path: name, count: total },
    text: total === 0 ? "(empty directory)" : `[${join(name, "/")}]\n${entries.map(entryLine).join("\n")}`,
    meta: { source: { path }, ...(entries.length < total && { limits: { headLimit: entries.length } }) },
  };
}

function entryLine({ name, type, link, size }: DirectoryEntry): string {
  const shown = `${name}${type === "directory" ? "/" : ""}${link ? "@" : ""}`;
  return size === undefined ? shown : `${shown}  ${formatBytes(size)}`;
}

function failure(place: Place, path: string, problem: Fail<FsKind>): string {
  const said = trouble(place, path, problem);
  if (problem.kind === "binary") return `${said}. Look at it with a program that knows its format.`;
  if (problem.kind !== "missing") return said;
  const { parent, missing, names } = nearPath(path);
  const where = join(parent, missing) === path ? "" : ` There is no ${showPath(place.cwd, join(parent, missing))}.`;
  return `${said}.${where}${names.length > 0 ? ` Did you mean ${names.map((name) => showPath(place.cwd, join(parent, name))).join(" or ")}?` : ""}`;
}

import { statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { ok, type Result } from "@pith/kit";
import { type Glob, parseGlob } from "./glob.ts";
import { type RgEnd, type RgFailure, runRg } from "./rg-run.ts";

export interface SearchRequest {
  rg: string;
  /** An existing directory or file. */
  root: string;
  /** Bytes to search instead of what is at the root. */
  input?: Uint8Array;
  /** A regular expression. */
  pattern: string;
  /** Which files below the root. */
  glob?: string;
  ignoreCase?: boolean;
  /** Lines around a match. */
  context?: { before: number; after: number };
  /** Whether files that git ignores are left out; they are, unless "off". */
  ignores?: "on" | "off";
  /** Matching lines taken of each file. */
  perFile?: number;
  /** Stop after so many matching lines. */
  max: number;
  timeoutMs: number;
  signal: AbortSignal;
}

export interface Found {
  files: FoundFile[];
  matches: number;
  end: RgEnd;
}
export interface FoundFile {
  /** Relative to the root, or the name of the root when that is a file. */
  path: string;
  lines: FoundLine[];
}
export interface FoundLine {
  number: number;
  match: boolean;
  text: string;
}

/**
 * Searches file contents; ignore files count, hidden files are searched. Files come sorted by path. When there is more than
 * `max`, it is searched again in the order of paths, so that the same question brings the same files.
 */
export async function searchFiles(request: SearchRequest): Promise<Result<Found, RgFailure>> {
  const found = await search(request, []);
  return found.ok && found.value.end === "enough" && found.value.files.length > 1 ? search(request, ["--sort=path"]) : found;
}

async function search(request: SearchRequest, order: readonly string[]): Promise<Result<Found, RgFailure>> {
  const isFile = statSync(request.root, { throwIfNoEntry: false })?.isFile() === true;
  const glob = request.glob === undefined ? undefined : parseGlob(request.glob);
  const collector = new Collector(request.max, glob);
  const ended = await runRg(
    {
      rg: request.rg,
      args: [...flags(request, glob), ...order, "-e", request.pattern, "--", request.input ? "-" : isFile ? `./${basename(request.root)}` : "."],
      cwd: isFile ? dirname(request.root) : request.root,
      ...(request.input && { input: request.input }),
      timeoutMs: request.timeoutMs,
      signal: request.signal,
    },
    (text) => collector.push(text),
  );
  return ended.ok ? ok({ files: collector.files(), matches: collector.matches, end: ended.value }) : ended;
}

function flags(request: SearchRequest, glob: Glob | undefined): string[] {
  const flags = ["--null", "--line-number", "--with-filename", "--no-heading", "--no-context-separator", "--engine=auto", ...longLines];
  if (request.ignoreCase) flags.push("--ignore-case");
  if (request.context) flags.push(`--before-context=${request.context.before}`, `--after-context=${request.context.after}`);
  if (request.ignores === "off") flags.push("--no-ignore");
  if (request.perFile) flags.push(`--max-count=${request.perFile}`);
  if (/\n|\\n/.test(request.pattern)) flags.push("--multiline");
  return [...flags, ...(glob?.flags ?? [])];
}

// A minified file must not fill the pipe with one line; who shows the text cuts earlier anyway.
const longLines = ["--max-columns=4096", "--max-columns-preview"];

/** Reads `path NUL number (: or -) text LF`; a path may hold anything but NUL. */
class Collector {
  readonly #byPath = new Map<string, FoundLine[]>();
  readonly #max: number;
  readonly #glob: Glob | undefined;
  #rest = "";
  matches = 0;

  constructor(max: number, glob: Glob | undefined) {
    this.#max = max;
    this.#glob = glob;
  }

  push(text: string): "more" | "enough" {
    const all = this.#rest + text;
    let at = 0;
    for (;;) {
      const nul = all.indexOf("\0", at);
      const end = nul === -1 ? -1 : all.indexOf("\n", nul);
      if (end === -1) break;
      const path = all.slice(at, nul).replace(binaryNotice, "").replace(/^\.\//, "");
      at = end + 1;
      if (this.#glob && !this.#glob.matches(path)) continue;
      this.#add(path, all.slice(nul + 1, end));
      if (this.matches >= this.#max) return "enough";
    }
    this.#rest = all.slice(at);
    return "more";
  }

  files(): FoundFile[] {
    return [...this.#byPath].map(([path, lines]) => ({ path, lines })).sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  #add(path: string, record: string): void {
    const [, number, mark, text] = /^(\d+)([:-])(.*)$/s.exec(record) ?? [];
    if (number === undefined || text === undefined) return;
    const lines = this.#byPath.get(path) ?? [];
    if (lines.length === 0) this.#byPath.set(path, lines);
    if (mark === ":") this.matches++;
    lines.push({ number: Number(number), match: mark === ":", text: text.endsWith("\r") ? text.slice(0, -1) : text });
  }
}

/** Printed between records, without a NUL, when a file turns out to be binary after its first match. */
const binaryNotice = /^(?:.*binary file matches \(found .*\)\n)+/;

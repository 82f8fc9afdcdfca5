import { basename, join } from "node:path";
import { ok, type Result, sumOf } from "@pith/kit";
import { wayForOthers } from "../../fs/hold/way.ts";
import { readPart, readWhole } from "../../fs/open.ts";
import { rawPath, shownText } from "../../fs/raw.ts";
import { incompleteTail } from "../../fs/utf8.ts";
import { type FileSelection, type Glob, parseGlob } from "./glob.ts";
import { ignoreFiles } from "./ignore-files.ts";
import { type MatchedFile, type MatchedLine, verifyMatches } from "./match.ts";
import { type RgDone, type RgFailure, runRg, withRoot } from "./run-rg.ts";

/** The root is an existing directory or file. */
export interface SearchRequest extends FileSelection {
  rg: string;
  /** Bytes to search in the place of the root. */
  input?: Uint8Array;
  /** A regular expression. */
  pattern: string;
  ignoreCase?: boolean;
  /** Lines around a match. */
  context?: { before: number; after: number };
  /** Leaves out files that git ignores, unless "off". */
  ignores?: "on" | "off";
  hidden?: "search" | "leave out";
  /** Matching lines taken of each file. */
  perFile?: number;
  /** The encoding of files that do not say theirs; UTF-8 if absent. */
  encoding?: "windows-1252";
  /** Keeps only so many last matches of each file, and counts the others. */
  tail?: number;
  /** Only matches on these lines of a file, sorted. */
  lines?: readonly { from: number; to?: number }[];
  /** Stop after so many matching lines. */
  max: number;
  timeoutMs: number;
  signal: AbortSignal;
}

export interface SearchResult extends RgDone {
  files: MatchedFile[];
  matches: number;
  /** Files with matches whose lines are left out, because they are no text. */
  binary: string[];
  /** True when a directory was searched, through which ripgrep goes by names. */
  below: boolean;
}

/**
 * Searches file contents; ignore files count, hidden files are searched. Files come sorted by path. When there is more
 * than `max`, it is searched again in the order of paths, so that the same question brings the same files.
 */
export async function searchFiles(asked: SearchRequest): Promise<Result<SearchResult, RgFailure>> {
  const request = readable(asked);
  const first = await searchOnce(request);
  const again = first.ok && first.value.end === "enough" && first.value.files.length > 1;
  const found = again ? await searchOnce(request, "--sort=path") : first;
  return found.ok && found.value.below ? verified(request, found.value) : found;
}

/** The matches below a directory that really stand there. */
async function verified(request: SearchRequest, found: SearchResult): Promise<Result<SearchResult, RgFailure>> {
  const { proven: files, unread, large } = verifyMatches(request, found.files);
  for (const { path } of large) {
    const root = join(request.root, path);
    const alone = await searchOnce({ ...request, root, glob: undefined, except: undefined, hides: undefined });
    if (!alone.ok) return alone;
    files.push(...alone.value.files.map((file) => ({ ...file, path })));
  }
  const matches = sumOf(files, ({ lines, counted }) => counted ?? lines.filter(({ match }) => match).length);
  return ok({ ...found, files: files.sort(byPath), matches, unread: [...found.unread, ...unread] });
}

const byPath = (a: MatchedFile, b: MatchedFile): number => (a.path < b.path ? -1 : 1);

/**
 * A name that is not UTF-8 cannot be told to another program, nor a handle where the system has no name for it: such a
 * file is handed over instead.
 */
function readable(request: SearchRequest): Question {
  if (request.input || (typeof rawPath(request.root) === "string" && wayForOthers().pathOf)) return request;
  const whole = readWhole(request.root);
  return whole.ok ? { ...request, root: "/", input: whole.value.bytes, only: basename(request.root) } : request;
}

interface Question extends SearchRequest {
  /** The name of the file that is handed over in the place of the root. */
  only?: string;
}

async function searchOnce(request: Question, ...order: string[]): Promise<Result<SearchResult, RgFailure>> {
  const { rg, input, timeoutMs, signal } = request;
  const glob = parseGlob(request);
  const rules = ignoreFiles(request.root, request.ignores);
  const args = [...flags(request, glob), ...rules.flags, ...order, "-e", request.pattern];
  return withRoot(request.root, async (root) => {
    const only = request.only ?? (input || root.folder ? undefined : basename(request.root));
    const collector = new Collector(request, glob, only);
    const ended = await runRg({ rg, args, root, input, timeoutMs, signal }, (text) => collector.push(text));
    if (!ended.ok) return ended;
    const below = !input && only === undefined;
    const { matches, binary } = collector;
    const all = collector.files();
    const ignored = below ? rules.ignored(all.map(({ path }) => path)) : undefined;
    const files = all.filter(({ path }) => !ignored?.has(path));
    return ok({ files, matches, binary, below, ...ended.value });
  });
}

function flags(request: SearchRequest, glob: Glob): string[] {
  const flags = [
    "--null",
    "--line-number",
    "--with-filename",
    "--column",
    "--byte-offset",
    "--no-heading",
    "--no-context-separator",
    "--engine=auto",
    ...longLines,
  ];
  if (request.encoding) flags.push(`--encoding=${request.encoding}`);
  if (request.ignoreCase) flags.push("--ignore-case");
  if (request.context)
    flags.push(`--before-context=${request.context.before}`, `--after-context=${request.context.after}`);
  if (request.hidden === "leave out") flags.push("--no-hidden");
  if (request.perFile && !request.lines) flags.push(`--max-count=${request.perFile}`);
  if (/\n|\\n/.test(request.pattern)) flags.push("--multiline");
  // `$` is the end of a line as it is shown; a pattern that names the carriage return itself finds it.
  if (!/\r|\\r(?!\?\\n)/.test(request.pattern)) flags.push("--crlf");
  return [...flags, ...glob.flags];
}

// A minified file must not fill the pipe with one line; the text around a match further right is read apart.
const maxColumns = 4096;
const longLines = [`--max-columns=${maxColumns}`, "--max-columns-preview"];
/** A line of more letters is told with the place of its match. */
const shortLine = 256;

/** Reads `path NUL number : column : offset : text LF`, with `-` for `:` and no column around a match. */
class Collector {
  readonly #byPath = new Map<string, MatchedLine[]>();
  readonly #counts = new Map<string, number>();
  readonly #request: SearchRequest;
  readonly #glob: Glob;
  readonly #only: string | undefined;
  readonly binary: string[] = [];
  #rest = "";
  matches = 0;

  /** `only`: the name of the file, when one alone is searched, which ripgrep knows by another. */
  constructor(request: SearchRequest, glob: Glob, only: string | undefined) {
    this.#request = request;
    this.#glob = glob;
    this.#only = only;
  }

  push(text: string): "more" | "enough" {
    const all = this.#rest + text;
    let at = 0;
    for (;;) {
      const nul = all.indexOf("\0", at);
      const end = nul === -1 ? -1 : all.indexOf("\n", nul);
      if (end === -1) break;
      const path = this.#own(all.slice(at, nul));
      at = end + 1;
      if (!this.#glob.matches(path)) continue;
      const [, number, column, offset, line] = record.exec(all.slice(nul + 1, end)) ?? [];
      if (number === undefined || line === undefined) continue;
      const text = line.endsWith("\r") ? line.slice(0, -1) : line;
      const [match, place] = [column !== undefined, Number(column) - 1];
      const found: MatchedLine =
        !match || text.length <= shortLine
          ? { number: Number(number), match, text }
          : { number: Number(number), match, ...this.#placed(path, text, place, Number(offset)) };
      if (this.#add(path, found) === "enough") return "enough";
    }
    this.#rest = all.slice(at);
    return "more";
  }

  /** A long line, with the letter at which its match begins. */
  #placed(path: string, text: string, column: number, offset: number): Pick<MatchedLine, "text" | "at"> {
    if (column < maxColumns - shortLine || this.#request.encoding)
      return { text, at: Buffer.from(text).subarray(0, column).toString().length };
    const { root, input } = this.#request;
    const [before, around] = [shortLine, 4 * shortLine];
    const from = offset + column - before;
    const bytes = input
      ? Buffer.from(input).subarray(from, from + around)
      : readPart(this.#only !== undefined ? root : `${root}/${path}`, from, around);
    const line = bytes?.subarray(0, lineEnd(bytes, before)) ?? Buffer.alloc(0);
    return line.length <= before ? { text } : { text: `…${shownText(line.subarray(charStart(line)))}`, at: before + 1 };
  }

  files(): MatchedFile[] {
    this.#own(this.#rest);
    return [...this.#byPath]
      .map(([path, lines]) => ({ path, lines: this.#wanted(lines), counted: this.#counts.get(path) }))
      .sort(byPath);
  }

  #add(path: string, line: MatchedLine): "more" | "enough" {
    const { lines: ranges, context, max } = this.#request;
    if (ranges) {
      if (line.number < (ranges[0]?.from ?? 1) - (context?.before ?? 0)) return "more";
      if (line.number > (ranges.at(-1)?.to ?? Number.POSITIVE_INFINITY) + (context?.after ?? 0)) return "enough";
    }
    const lines = this.#byPath.get(path) ?? [];
    if (lines.length === 0) this.#byPath.set(path, lines);
    lines.push(line);
    if (line.match) this.matches++;
    if (this.#request.tail !== undefined) this.#count(path, lines, this.#request.tail);
    return this.matches >= max ? "enough" : "more";
  }

  #count(path: string, lines: MatchedLine[], tail: number): void {
    this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1);
    if (lines.length > tail) lines.shift();
  }

  /** The matches in the ranges, and the lines around those. */
  #wanted(lines: MatchedLine[]): MatchedLine[] {
    const { lines: ranges, context: { before = 0, after = 0 } = {} } = this.#request;
    if (!ranges) return lines;
    const wanted = lines.filter(
      ({ number, match }) => match && ranges.some(({ from, to }) => number >= from && number <= (to ?? number)),
    );
    return lines.flatMap((line) => {
      if (wanted.includes(line)) return [line];
      const near = wanted.some(({ number }) => line.number >= number - before && line.number <= number + after);
      return near ? [{ ...line, match: false }] : [];
    });
  }

  /** A path without the notices before it, which are printed without a NUL when a file turns out to be binary. */
  #own(text: string): string {
    const path = text.replace(binaryNotice, (_, binary = "") => {
      this.binary.push(this.#only ?? below(binary));
      return "";
    });
    return this.#only ?? below(path);
  }
}

const record = /^(\d+)(?:-|:(\d+):)(\d+)[:-](.*)$/s;

const lineEnd = (bytes: Buffer, from: number): number => {
  const end = bytes.indexOf(10, from);
  return end === -1 ? bytes.length - incompleteTail(bytes) : end;
};

/** The first byte that does not belong to a letter further left. */
function charStart(bytes: Buffer): number {
  const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return start > 0 && start < 4 ? start : 0;
}

const below = (path: string): string => path.replace(/^\.\//, "");
const binaryNotice =
  /^(?:(.*): )?(?:binary file matches|WARNING: stopped searching binary file after match) \(found .*\)\n/gm;

import { join } from "node:path";
import type { MatchedLine, SearchResult } from "@pith/host";
import { fail, formatBytes, ok, type Result, realPath } from "@pith/kit";
import type { Files } from "../../../files/files.ts";
import { escapeName } from "../../../files/path.ts";
import { decode, isByteWise } from "../../../snapshot/decode.ts";
import { type Address, textAt } from "../../../tools/address.ts";
import { memberName } from "../../../tools/container.ts";
import { some } from "../../../tools/cut.ts";
import type { PathScope } from "../../../tools/scope.ts";
import { mergeRanges, parseSelector, type Range } from "../../../tools/selector.ts";
import { escapeParentheses, isUnbalanced, repairPattern } from "./pattern.ts";
import type { AddressTarget, SearchTarget } from "./target.ts";

export interface SearchQuery {
  pattern: string;
  ignoreCase?: boolean;
  ignores: "on" | "off";
  hidden: "search" | "leave out";
  context: { before: number; after: number };
  /** Matches taken of each document, when there is only one and when there are more. */
  perFile: { alone: number; many: number };
  /** The number of matches to stop after. */
  max: number;
  /** True for the only target of a call. */
  alone: boolean;
  signal: AbortSignal;
}

/** A document with matches. */
export interface Hit {
  /** The name that the model knows it by. */
  name: string;
  /** The file, where it is one that can be edited: as it was named, and as it is read. */
  file?: { path: string; real: string };
  lines: MatchedLine[];
  /** All its matches, where `lines` are the first of more. */
  tally?: Tally | undefined;
}

export interface Tally {
  count: number;
  /** The last matches. */
  last: MatchedLine[];
}

export interface SearchAnswer {
  hits: Hit[];
  /** True if a single document was searched. */
  single: boolean;
  end: SearchResult["end"];
  /** Matches and files in all, where more was found than is taken; `counted` tells whether that was to the end. */
  total?: { matches: number; files: number; counted: "exactly" | "at least" } | undefined;
  notes: string[];
  /** Archive members that are no text. */
  unreadable: string[];
}

export const timeoutMs = 30_000;
const maxMember = 16 * 1024 * 1024;
const maxMembers = 500;

type Failure = "path" | "pattern" | "aborted";
type Looked = Promise<Result<SearchAnswer, Failure>>;

export function look(files: Files, target: SearchTarget, query: SearchQuery): Looked {
  switch (target.is) {
    case "file":
      return lookInFile(files, target, query);
    case "directory":
      return lookBelow(files, target, query);
    case "archive":
      return lookInArchive(files, target, query);
    case "addresses":
      return lookAtAddresses(files, target, query);
  }
}

const nothing = (single: boolean): SearchAnswer => ({ hits: [], single, end: "complete", notes: [], unreadable: [] });

async function lookInFile(files: Files, scope: PathScope & { is: "file" }, query: SearchQuery): Looked {
  const { at, argument, ranges } = scope;
  const reply = await ask(files, query, { root: at.real, ranges, size: query.alone ? "alone" : "many" });
  if (!reply.ok) return reply;
  const { files: found, unread, binary, notes, end, total } = reply.value;
  const [passed] = unread;
  if (passed && query.alone) return fail("path", `${argument}: ${passed.reason}`);
  if (passed) notes.push(`Not searched: ${argument} (${passed.reason})`);
  if (binary.length > 0) notes.push(`${argument} is binary; what matches in it is not shown`);
  const hits = found.map(({ lines, tally }) => ({ name: files.show(at.path), file: at, lines, tally }));
  return ok({ ...nothing(query.alone), hits, end, notes, total });
}

async function lookBelow(files: Files, scope: PathScope & { is: "directory" }, query: SearchQuery): Looked {
  const { at, argument, glob, except } = scope;
  const reply = await ask(files, query, { root: at.real, glob, except, size: "many" });
  if (!reply.ok && reply.kind !== "path") return reply;
  if (!reply.ok && query.alone) return fail("path", `${argument}: ${reply.message}`);
  if (!reply.ok) return ok({ ...nothing(false), notes: [`Not searched: ${argument} (${reply.message})`] });
  const { files: found, unread, notes, end, total } = reply.value;
  const named = (path: string) => files.show(join(at.path, path));
  const passed = unread.map(({ path, reason }) => `${named(path)} (${reason})`);
  if (passed.length > 0) notes.push(`Not searched: ${some(passed)}`);
  const hits = found.map(({ path, lines, tally }): Hit => {
    const file = { path: join(at.path, path), real: join(at.real, path) };
    return { name: named(path), file, lines, tally };
  });
  return ok({ ...nothing(false), hits, end, notes, total });
}

type Reply = Omit<SearchResult, "files"> &
  Pick<SearchAnswer, "total"> & { files: (Pick<Hit, "lines" | "tally"> & { path: string })[]; notes: string[] };

interface Place {
  root: string;
  glob?: string;
  except?: readonly string[];
  input?: Uint8Array;
  ranges?: readonly Range[];
  size: "alone" | "many";
}

/** Searches a place, with as much of the pattern repaired as can be, and a note that says so. */
async function ask(
  files: Files,
  { pattern, perFile, alone: _, ...query }: SearchQuery,
  { ranges = [], size, ...place }: Place,
): Promise<Result<Reply, Failure>> {
  const lines = ranges.length > 0 ? mergeRanges(ranges) : undefined;
  const search = (pattern: string, encoding?: "windows-1252") => {
    const more = { pattern: repairPattern(pattern), encoding, lines, perFile: perFile[size], timeoutMs };
    return files.search({ ...place, ...query, ...more });
  };
  /** Counts what is beyond the first matches, which is quick. */
  const counted = async (pattern: string, found: SearchResult): Promise<Omit<Reply, "notes">> => {
    const isCut = found.files.some((file) => file.lines.filter(({ match }) => match).length >= perFile[size]);
    if (lines || (!isCut && found.end !== "enough")) return found;
    const more = {
      pattern: repairPattern(pattern),
      context: undefined,
      tail: lastMatches,
      max: mostCounted,
      timeoutMs,
    };
    const all = await files.search({ ...place, ...query, ...more });
    return all.ok ? withTallies(found, all.value) : found;
  };
  const first = await search(pattern);
  if (first.ok) {
    const old = foreign.test(pattern) && !place.input ? await search(pattern, "windows-1252") : first;
    const found = await counted(pattern, withOld(files, place.root, first.value, old.ok ? old.value : first.value));
    return ok({ ...found, notes: [] });
  }
  if (first.kind === "aborted") return fail("aborted", first.message);
  if (first.kind === "missing") return fail("pattern", first.message);
  if (first.kind !== "pattern") return fail("path", first.message);
  const again = isUnbalanced(first.message) ? await search(escapeParentheses(pattern)) : first;
  const literal = "The parentheses of the pattern do not match up; they were searched for literally";
  if (again.ok) return ok({ ...(await counted(escapeParentheses(pattern), again.value)), notes: [literal] });
  const kind = again.kind === "aborted" ? "aborted" : "pattern";
  return fail(kind, `The pattern is no regular expression: ${first.message}`);
}

/** Matches after which counting stops, and those kept from the end of each file. */
const mostCounted = 300_000;
const lastMatches = 10;

/** The found files with the number of all their matches, and the last of them. */
function withTallies(found: SearchResult, all: SearchResult): Omit<Reply, "notes"> {
  const tallies = new Map(all.files.map((file) => [file.path, file]));
  const files = found.files.map(({ path, lines }) => {
    const { counted: count = 0, lines: last = [] } = tallies.get(path) ?? {};
    return { path, lines, tally: count > lines.filter(({ match }) => match).length ? { count, last } : undefined };
  });
  const counted = all.end === "complete" ? ("exactly" as const) : ("at least" as const);
  return { ...found, files, total: { matches: all.matches, files: all.files.length, counted } };
}

/** Letters that stand for other bytes in UTF-8 than in older encodings. */
const foreign = /[\u0080-\uffff]/;
const maxOld = 4 * 1024 * 1024;

/** The matches in UTF-8, and those in files that are in an older encoding. */
function withOld(files: Files, root: string, found: SearchResult, old: SearchResult): SearchResult {
  if (old === found) return found;
  const known = new Set(found.files.map(({ path }) => path));
  const more = old.files.filter(({ path }) => {
    if (known.has(path)) return false;
    const real = files.stat(root)?.isDirectory() ? join(root, path) : root;
    const whole = realPath(real) === real ? files.read(real, maxOld) : undefined;
    const decoded = whole?.ok ? decode(whole.value.bytes) : undefined;
    return decoded?.ok && isByteWise(decoded.value.encoding);
  });
  return { ...found, files: [...found.files, ...more], matches: found.matches + more.length };
}

async function lookInArchive(files: Files, scope: PathScope & { is: "archive" }, query: SearchQuery): Looked {
  const { path, real } = scope.at;
  const { alone, signal } = query;
  const title = files.show(path);
  const listed = await files.members(real, signal);
  if (!listed.ok) {
    const message = listed.message.replace(real, () => title);
    return fail(listed.kind === "aborted" ? "aborted" : "path", message);
  }
  const members = listed.value.entries.filter((entry) => entry.type === "file").map(({ name }) => name);
  const { chosen, ranges } = membersOf(scope, members);
  if (chosen.length === 0) return fail("path", `There is no ${scope.argument}`);
  if (ranges.length > 0 && chosen.length !== 1)
    return fail("path", `Lines can be chosen of one file only; ${scope.argument} is a directory`);
  const answer = nothing(alone && chosen.length === 1);
  if (chosen.length > maxMembers) answer.notes.push(`Only the first ${maxMembers} members of ${title} were searched`);
  for (const name of chosen.slice(0, maxMembers)) {
    const content = await files.member(real, name, maxMember, signal);
    const shown = `${title}:${escapeName(name)}`;
    if (signal.aborted) return fail("aborted", "The search was stopped");
    const text = content.ok ? textOf(content.value) : undefined;
    if (text !== undefined) {
      const reply = await ask(files, query, { ...textPlace(files, text), ranges, size: sizeOf(answer) });
      if (!reply.ok) return reply;
      addReply(answer, shown, reply.value);
    } else if (content.ok || content.kind !== "large") answer.unreadable.push(shown);
    else answer.notes.push(`Not searched: ${shown} (above ${formatBytes(maxMember)}; read shows lines of it)`);
  }
  return ok(answer);
}

function textOf(bytes: Buffer): string | undefined {
  const decoded = decode(bytes);
  return decoded.ok && !isByteWise(decoded.value.encoding) ? decoded.value.text : undefined;
}

/** The members behind the colon (one, all below one, or all), and lines of them. */
function membersOf(
  { rest, ranges }: PathScope & { is: "archive" },
  files: readonly string[],
): { chosen: string[]; ranges: Range[] } {
  const selected = parseSelector(`/${rest.slice(1)}`, (name) => files.includes(name.slice(1)));
  const inner = memberName(selected.ok ? selected.value.path : rest.slice(1));
  const chosen = files.filter((name) => inner === "" || name === inner || name.startsWith(`${inner}/`));
  const all = [...ranges, ...(selected.ok ? selected.value.ranges : [])];
  return { chosen: inner === undefined ? [] : chosen, ranges: all };
}

async function lookAtAddresses(files: Files, { addresses, all, ranges }: AddressTarget, query: SearchQuery): Looked {
  const answer = nothing(query.alone && !all);
  for (const address of addresses) {
    const place = placeOf(files, address);
    if (!place.ok) return fail("path", place.message);
    const reply = await ask(files, query, { ...place.value, ranges, size: sizeOf(answer) });
    if (!reply.ok) return reply;
    addReply(answer, address.href, reply.value);
  }
  return ok(answer);
}

/** A file is left to ripgrep as it is; a part of one, or a text without one, is handed to it. */
function placeOf(files: Files, address: Address): Result<Pick<Place, "root" | "input">, "url"> {
  if (address.at && !address.extract) return ok({ root: address.at.real });
  const text = textAt(files, address);
  return text.ok ? ok(textPlace(files, text.value)) : text;
}

/** A text is searched by the same program as a file, so that a pattern means the same. */
const textPlace = ({ cwd }: Files, text: string) => ({ root: cwd, input: Buffer.from(text) });

const sizeOf = ({ single }: SearchAnswer) => (single ? "alone" : "many");

/** Adds the matches in a document that has no file that could be edited. */
function addReply(answer: SearchAnswer, name: string, { files, unread, notes }: Reply): void {
  for (const { lines } of files) answer.hits.push({ name, lines });
  if (unread[0]) notes.push(`Not searched: ${name} (${unread[0].reason})`);
  for (const note of notes) if (!answer.notes.includes(note)) answer.notes.push(note);
}

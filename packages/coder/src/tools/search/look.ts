import { join } from "node:path";
import { type Found, type FoundLine, listArchive, readMember, searchFiles } from "@pith/host";
import { fail, ok, type Result, showPath } from "@pith/kit";
import type { Place } from "../../files/path.ts";
import { decode, isByteWise } from "../../snapshot/decode.ts";
import type { Router } from "../../url/router.ts";
import { memberName } from "../container.ts";
import { some } from "../cut.ts";
import type { FindRg } from "../rg.ts";
import type { Scope } from "../scope.ts";
import { mergeRanges, parseSelector, type Range } from "../selector.ts";
import { escapeParentheses, isUnbalanced, repairPattern } from "./pattern.ts";

export interface LookParts extends Place {
  rg: FindRg;
  urls: Router;
}

export interface Question {
  pattern: string;
  ignoreCase?: boolean;
  ignores: "on" | "off";
  hidden: "search" | "leave out";
  context: { before: number; after: number };
  /** Matches taken of each document, when there is only one and when there are more. */
  perFile: { one: number; many: number };
  /** Stop after so many. */
  max: number;
  /** Whether nothing else is asked. */
  alone: boolean;
  signal: AbortSignal;
}

/** One document with matches. */
export interface Hit {
  /** As the model knows it. */
  name: string;
  /** The file, where it is one that can be edited. */
  path?: string;
  lines: FoundLine[];
}

export interface Answer {
  hits: Hit[];
  /** Whether it was one document that was asked. */
  single: boolean;
  /** Searching stopped at its limit, or ran out of time. */
  end: Found["end"];
  notes: string[];
  /** Archive members that are no text. */
  unreadable: string[];
}

export const timeoutMs = 30_000;
const maxMember = 16 * 1024 * 1024;
const maxMembers = 500;

type Failure = "path" | "pattern" | "aborted";

/** Asks one question of one scope. */
export async function look(parts: LookParts, scope: Scope, question: Question): Promise<Result<Answer, Failure>> {
  switch (scope.is) {
    case "file":
      return lookInFile(parts, scope, question);
    case "directory":
      return lookBelow(parts, scope, question);
    case "archive":
      return lookInArchive(parts, scope, question);
    case "url":
      return lookAtUrl(parts, scope, question);
    default:
      return fail("path", `Path not found: ${scope.given}`);
  }
}

async function lookInFile(
  parts: LookParts,
  { path, given, ranges }: Scope & { is: "file" },
  question: Question,
): Promise<Result<Answer, Failure>> {
  const found = await ask(parts, question, { root: path, ranges, size: question.alone ? "one" : "many" });
  if (!found.ok) return found;
  const { files, unread, binary, notes, end } = found.value;
  if (unread[0] && question.alone) return fail("path", `${given}: ${unread[0].reason}`);
  if (unread[0]) notes.push(`Not searched: ${given} (${unread[0].reason})`);
  if (binary.length > 0) notes.push(`${given} is binary; what matches in it is not shown`);
  const hits = files.map(({ lines }) => ({ name: showPath(parts.cwd, path), path, lines }));
  return ok({ hits, single: question.alone, end, notes, unreadable: [] });
}

async function lookBelow(
  parts: LookParts,
  scope: Scope & { is: "directory" },
  question: Question,
): Promise<Result<Answer, Failure>> {
  const { path: root, glob, except } = scope;
  const found = await ask(parts, question, {
    root,
    ...(glob !== undefined && { glob }),
    ...(except && { except }),
    size: "many",
  });
  if (!found.ok && (found.kind !== "path" || question.alone))
    return found.kind === "path" ? fail("path", `${scope.given}: ${found.message}`) : found;
  if (!found.ok)
    return ok({
      hits: [],
      single: false,
      end: "complete",
      notes: [`Not searched: ${scope.given} (${found.message})`],
      unreadable: [],
    });
  const { files, unread, notes, end } = found.value;
  const named = (path: string) => showPath(parts.cwd, join(root, path));
  if (unread.length > 0)
    notes.push(`Not searched: ${some(unread.map(({ path, reason }) => `${named(path)} (${reason})`))}`);
  return ok({
    hits: files.map(({ path, lines }) => ({ name: named(path), path: join(root, path), lines })),
    single: false,
    end,
    notes,
    unreadable: [],
  });
}

type Asked = Found & { notes: string[] };

interface Where {
  root: string;
  glob?: string;
  except?: readonly string[];
  input?: Uint8Array;
  ranges?: readonly Range[];
  size: "one" | "many";
}

/** Repairs what can be repaired of the pattern, and says so. */
async function ask(
  parts: LookParts,
  question: Question,
  { ranges = [], size, ...where }: Where,
): Promise<Result<Asked, Failure>> {
  const rg = await parts.rg();
  if (!rg.ok) return fail("pattern", rg.message);
  const { ignoreCase, ignores, hidden, context, max, signal } = question;
  const perFile = question.perFile[size];
  const request = {
    rg: rg.value,
    ...where,
    ...(ignoreCase && { ignoreCase }),
    ignores,
    hidden,
    context,
    perFile,
    max,
    timeoutMs,
    signal,
  };
  const search = (pattern: string) =>
    searchFiles({
      ...request,
      ...(ranges.length > 0 && { lines: mergeRanges(ranges) }),
      pattern: repairPattern(pattern),
    });
  const first = await search(question.pattern);
  if (first.ok) return ok({ ...first.value, notes: [] });
  if (first.kind === "aborted") return fail("aborted", first.message);
  if (first.kind !== "pattern") return fail("path", first.message);
  const again = isUnbalanced(first.message) ? await search(escapeParentheses(question.pattern)) : first;
  if (again.ok)
    return ok({
      ...again.value,
      notes: ["The parentheses of the pattern do not match up; they were searched for literally"],
    });
  return fail(again.kind === "aborted" ? "aborted" : "pattern", `Invalid regex: ${first.message}`);
}

async function lookInArchive(
  parts: LookParts,
  scope: Scope & { is: "archive" },
  question: Question,
): Promise<Result<Answer, Failure>> {
  const { path } = scope.archive;
  const { signal } = question;
  const title = showPath(parts.cwd, path);
  const listed = await listArchive(path, signal);
  if (!listed.ok) return fail(listed.kind === "aborted" ? "aborted" : "path", listed.message.replace(path, title));
  const files = listed.value.entries.filter((entry) => entry.type === "file").map(({ name }) => name);
  const { chosen, ranges } = membersOf(scope, files);
  if (chosen.length === 0) return fail("path", `Path not found: ${scope.given}`);
  if (ranges.length > 0 && chosen.length !== 1)
    return fail("path", `Line-range selector requires a single file: ${scope.given} is a directory`);
  const single = question.alone && chosen.length === 1;
  const answer: Answer = { hits: [], single, end: "complete", notes: [], unreadable: [] };
  if (chosen.length > maxMembers) answer.notes.push(`Only the first ${maxMembers} members of ${title} were searched`);
  for (const name of chosen.slice(0, maxMembers)) {
    const read = await readMember(path, name, maxMember, signal);
    const decoded = read.ok ? decode(read.value) : undefined;
    if (signal.aborted) return fail("aborted", "The search was stopped");
    if (!decoded?.ok || isByteWise(decoded.value.encoding)) {
      answer.unreadable.push(`${title}:${name}`);
      continue;
    }
    const asked = await ask(parts, question, {
      ...textOf(parts, decoded.value.text),
      ranges,
      size: single ? "one" : "many",
    });
    if (!asked.ok) return asked;
    add(answer, `${title}:${name}`, asked.value);
  }
  return ok(answer);
}

/** What is meant behind the colon: a member, all below one, or all; and lines of it. */
function membersOf(
  { archive: { rest }, ranges }: Scope & { is: "archive" },
  files: readonly string[],
): { chosen: string[]; ranges: Range[] } {
  const selected = parseSelector(`/${rest.slice(1)}`, (name) => files.includes(name.slice(1)));
  const inner = memberName(selected.ok ? selected.value.path : rest.slice(1));
  return {
    chosen:
      inner === undefined ? [] : files.filter((name) => inner === "" || name === inner || name.startsWith(`${inner}/`)),
    ranges: [...ranges, ...(selected.ok ? selected.value.ranges : [])],
  };
}

async function lookAtUrl(
  parts: LookParts,
  { href, ranges }: Scope & { is: "url" },
  question: Question,
): Promise<Result<Answer, Failure>> {
  if (/[*?[{]/.test(href)) return fail("path", `Glob patterns are not supported for internal URLs: ${href}`);
  const below = await parts.urls.list(href);
  const single = question.alone && below === undefined;
  const answer: Answer = { hits: [], single, end: "complete", notes: [], unreadable: [] };
  for (const one of below ?? [href]) {
    const found = await parts.urls.resolve(one, question.signal);
    if (!found.ok) return fail("path", found.message);
    const { text, file } = found.value;
    const where = text === undefined ? { root: file } : textOf(parts, text);
    const asked = await ask(parts, question, { ...where, ranges, size: single ? "one" : "many" });
    if (!asked.ok) return asked;
    add(answer, one, asked.value);
  }
  return ok(answer);
}

/** A text is searched by the same program as a file, so that a pattern means the same. */
const textOf = ({ cwd }: LookParts, text: string) => ({ root: cwd, input: Buffer.from(text) });

/** There is no file that could be edited. */
function add(answer: Answer, name: string, { files, unread, notes }: Asked): void {
  for (const { lines } of files) answer.hits.push({ name, lines });
  if (unread[0]) notes.push(`Not searched: ${name} (${unread[0].reason})`);
  for (const note of notes) if (!answer.notes.includes(note)) answer.notes.push(note);
}

import { join } from "node:path";
import type { MatchedLine, SearchResult } from "@pith/host";
import { fail, formatBytes, ok, type Result, realPath } from "@pith/kit";
import type { Files } from "../../../files/files.ts";
import { oneLine } from "../../../files/path.ts";
import { decode, isByteWise } from "../../../snapshot/decode.ts";
import { type Address, textAt } from "../../../tools/address.ts";
import { memberName } from "../../../tools/container.ts";
import { some } from "../../../tools/cut.ts";
import type { Scope } from "../../../tools/scope.ts";
import { mergeRanges, parseSelector, type Range } from "../../../tools/selector.ts";
import { escapeParentheses, isUnbalanced, repairPattern } from "./pattern.ts";
import type { AddressTarget, Target } from "./target.ts";

export interface Question {
  pattern: string;
  ignoreCase?: boolean;
  ignores: "on" | "off";
  hidden: "search" | "leave out";
  context: { before: number; after: number };
  /** Matches taken of each document, when there is only one and when there are more. */
  perFile: { alone: number; many: number };
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
  /** The file, where it is one that can be edited: as it was named, and what is read. */
  file?: { path: string; real: string };
  lines: MatchedLine[];
}

export interface Answer {
  hits: Hit[];
  /** Whether it was one document that was asked. */
  single: boolean;
  /** Searching stopped at its limit, or ran out of time. */
  end: SearchResult["end"];
  notes: string[];
  /** Archive members that are no text. */
  unreadable: string[];
}

export const timeoutMs = 30_000;
const maxMember = 16 * 1024 * 1024;
const maxMembers = 500;

type Failure = "path" | "pattern" | "aborted";

/** Asks one question of one target. */
export async function look(files: Files, target: Target, question: Question): Promise<Result<Answer, Failure>> {
  switch (target.is) {
    case "file":
      return lookInFile(files, target, question);
    case "directory":
      return lookBelow(files, target, question);
    case "archive":
      return lookInArchive(files, target, question);
    case "addresses":
      return lookAtAddresses(files, target, question);
  }
}

async function lookInFile(
  files: Files,
  { at, argument, ranges }: Scope & { is: "file" },
  question: Question,
): Promise<Result<Answer, Failure>> {
  const reply = await ask(files, question, { root: at.real, ranges, size: question.alone ? "alone" : "many" });
  if (!reply.ok) return reply;
  const { files: hit, unread, binary, notes, end } = reply.value;
  if (unread[0] && question.alone) return fail("path", `${argument}: ${unread[0].reason}`);
  if (unread[0]) notes.push(`Not searched: ${argument} (${unread[0].reason})`);
  if (binary.length > 0) notes.push(`${argument} is binary; what matches in it is not shown`);
  const hits = hit.map(({ lines }) => ({ name: files.show(at.path), file: at, lines }));
  return ok({ hits, single: question.alone, end, notes, unreadable: [] });
}

async function lookBelow(
  files: Files,
  scope: Scope & { is: "directory" },
  question: Question,
): Promise<Result<Answer, Failure>> {
  const { at, glob, except } = scope;
  const reply = await ask(files, question, { root: at.real, glob, except, size: "many" });
  if (!reply.ok && (reply.kind !== "path" || question.alone))
    return reply.kind === "path" ? fail("path", `${scope.argument}: ${reply.message}`) : reply;
  if (!reply.ok)
    return ok({
      hits: [],
      single: false,
      end: "complete",
      notes: [`Not searched: ${scope.argument} (${reply.message})`],
      unreadable: [],
    });
  const { files: hit, unread, notes, end } = reply.value;
  const named = (path: string) => files.show(join(at.path, path));
  if (unread.length > 0)
    notes.push(`Not searched: ${some(unread.map(({ path, reason }) => `${named(path)} (${reason})`))}`);
  return ok({
    hits: hit.map(({ path, lines }) => ({
      name: named(path),
      file: { path: join(at.path, path), real: join(at.real, path) },
      lines,
    })),
    single: false,
    end,
    notes,
    unreadable: [],
  });
}

type Reply = SearchResult & { notes: string[] };

interface Where {
  root: string;
  glob?: string;
  except?: readonly string[];
  input?: Uint8Array;
  ranges?: readonly Range[];
  size: "alone" | "many";
}

/** Repairs what can be repaired of the pattern, and says so. */
async function ask(
  files: Files,
  question: Question,
  { ranges = [], size, ...where }: Where,
): Promise<Result<Reply, Failure>> {
  const { ignoreCase, ignores, hidden, context, max, signal } = question;
  const perFile = question.perFile[size];
  const request = { ...where, ignoreCase, ignores, hidden, context, perFile, max, timeoutMs, signal };
  const search = (pattern: string, encoding?: "windows-1252") =>
    files.search({
      ...request,
      ...(encoding && { encoding }),
      lines: ranges.length > 0 ? mergeRanges(ranges) : undefined,
      pattern: repairPattern(pattern),
    });
  const first = await search(question.pattern);
  if (first.ok) {
    const old = foreign.test(question.pattern) && !where.input ? await search(question.pattern, "windows-1252") : first;
    return ok({ ...withOld(files, where.root, first.value, old.ok ? old.value : first.value), notes: [] });
  }
  if (first.kind === "aborted") return fail("aborted", first.message);
  if (first.kind === "missing") return fail("pattern", first.message);
  if (first.kind !== "pattern") return fail("path", first.message);
  const again = isUnbalanced(first.message) ? await search(escapeParentheses(question.pattern)) : first;
  if (again.ok)
    return ok({
      ...again.value,
      notes: ["The parentheses of the pattern do not match up; they were searched for literally"],
    });
  return fail(
    again.kind === "aborted" ? "aborted" : "pattern",
    `The pattern is no regular expression: ${first.message}`,
  );
}

/** Letters that stand for other bytes in UTF-8 than in older encodings. */
const foreign = /[\u0080-\uffff]/;
const maxOld = 4 * 1024 * 1024;

/** What was found in UTF-8, and what was found in files that are not. */
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

async function lookInArchive(
  files: Files,
  scope: Scope & { is: "archive" },
  question: Question,
): Promise<Result<Answer, Failure>> {
  const { path, real } = scope.at;
  const { signal } = question;
  const title = files.show(path);
  const listed = await files.members(real, signal);
  if (!listed.ok)
    return fail(
      listed.kind === "aborted" ? "aborted" : "path",
      listed.message.replace(real, () => title),
    );
  const members = listed.value.entries.filter((entry) => entry.type === "file").map(({ name }) => name);
  const { chosen, ranges } = membersOf(scope, members);
  if (chosen.length === 0) return fail("path", `There is no ${scope.argument}`);
  if (ranges.length > 0 && chosen.length !== 1)
    return fail("path", `Lines can be chosen of one file only; ${scope.argument} is a directory`);
  const single = question.alone && chosen.length === 1;
  const answer: Answer = { hits: [], single, end: "complete", notes: [], unreadable: [] };
  if (chosen.length > maxMembers) answer.notes.push(`Only the first ${maxMembers} members of ${title} were searched`);
  for (const name of chosen.slice(0, maxMembers)) {
    const content = await files.member(real, name, maxMember, signal);
    const decoded = content.ok ? decode(content.value) : undefined;
    const shown = `${title}:${oneLine(name)}`;
    if (signal.aborted) return fail("aborted", "The search was stopped");
    if (!decoded?.ok || isByteWise(decoded.value.encoding)) {
      passOver(answer, shown, content);
      continue;
    }
    const reply = await ask(files, question, {
      ...textOf(files, decoded.value.text),
      ranges,
      size: single ? "alone" : "many",
    });
    if (!reply.ok) return reply;
    add(answer, shown, reply.value);
  }
  return ok(answer);
}

function passOver(answer: Answer, name: string, content: Result<unknown, string>): void {
  if (content.ok || content.kind !== "large") answer.unreadable.push(name);
  else answer.notes.push(`Not searched: ${name} (above ${formatBytes(maxMember)}; read shows lines of it)`);
}

/** What is meant behind the colon: a member, all below one, or all; and lines of it. */
function membersOf(
  { rest, ranges }: Scope & { is: "archive" },
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

async function lookAtAddresses(
  files: Files,
  { addresses, all, ranges }: AddressTarget,
  question: Question,
): Promise<Result<Answer, Failure>> {
  const single = question.alone && !all;
  const answer: Answer = { hits: [], single, end: "complete", notes: [], unreadable: [] };
  for (const address of addresses) {
    const where = whereIs(files, address);
    if (!where.ok) return fail("path", where.message);
    const reply = await ask(files, question, { ...where.value, ranges, size: single ? "alone" : "many" });
    if (!reply.ok) return reply;
    add(answer, address.href, reply.value);
  }
  return ok(answer);
}

/** A file is left to ripgrep as it is; what is taken out of one, or has none, is handed to it. */
function whereIs(files: Files, address: Address): Result<Pick<Where, "root" | "input">, "url"> {
  if (address.at && !address.extract) return ok({ root: address.at.real });
  const text = textAt(files, address);
  return text.ok ? ok(textOf(files, text.value)) : text;
}

/** A text is searched by the same program as a file, so that a pattern means the same. */
const textOf = ({ cwd }: Files, text: string) => ({ root: cwd, input: Buffer.from(text) });

/** There is no file that could be edited. */
function add(answer: Answer, name: string, { files, unread, notes }: Reply): void {
  for (const { lines } of files) answer.hits.push({ name, lines });
  if (unread[0]) notes.push(`Not searched: ${name} (${unread[0].reason})`);
  for (const note of notes) if (!answer.notes.includes(note)) answer.notes.push(note);
}

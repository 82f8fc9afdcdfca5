import { join } from "node:path";
import { type Found, type FoundLine, listArchive, readMember, searchFiles } from "@pith/host";
import { fail, ok, type Result, showPath } from "@pith/kit";
import { decode } from "../../snapshot/decode.ts";
import type { Router } from "../../url/router.ts";
import { memberName } from "../container.ts";
import type { Place } from "../place.ts";
import type { FindRg } from "../rg.ts";
import type { Scope } from "../scope.ts";
import { parseSelector, type Range } from "../selector.ts";
import { escapeParentheses, isUnbalanced, repairBraces } from "./pattern.ts";

export interface LookParts extends Place {
  rg: FindRg;
  urls: Router;
}

export interface Question {
  pattern: string;
  ignoreCase?: boolean;
  ignores: "on" | "off";
  context: { before: number; after: number };
  perFile: number;
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
  /** Searching stopped at its limit, or ran out of time. */
  end: Found["end"];
  notes: string[];
  /** Archive members that are no text. */
  unreadable: string[];
}

const maxMatches = 2000;
export const timeoutMs = 30_000;
const maxMember = 16 * 1024 * 1024;
const maxMembers = 500;

/** Asks one question of one scope. */
export async function look(parts: LookParts, scope: Scope, question: Question): Promise<Result<Answer, "path" | "pattern" | "aborted">> {
  switch (scope.is) {
    case "file":
    case "directory": {
      const found = await ask(parts, question, { root: scope.path, ...(scope.is === "directory" && scope.glob !== undefined && { glob: scope.glob }) });
      if (!found.ok) return found;
      const base = scope.is === "file" ? join(scope.path, "..") : scope.path;
      const hits = found.value.files.map((file) => ({ name: showPath(parts.cwd, join(base, file.path)), path: join(base, file.path), lines: file.lines }));
      return ok({ ...found.value, hits: hits.map((hit) => within(hit, scope.ranges, question)), unreadable: [] });
    }
    case "archive":
      return lookInArchive(parts, scope, question);
    case "url":
      return lookAtUrl(parts, scope, question);
    default:
      return fail("path", `Path not found: ${scope.given}`);
  }
}

type Asked = Found & { notes: string[] };

/** Repairs what can be repaired of the pattern, and says so. */
async function ask(
  parts: LookParts,
  question: Question,
  where: { root: string; glob?: string; input?: Uint8Array },
): Promise<Result<Asked, "pattern" | "aborted">> {
  const rg = await parts.rg();
  if (!rg.ok) return fail("pattern", rg.message);
  const { ignoreCase, ignores, context, perFile, signal } = question;
  const request = { rg: rg.value, ...where, ...(ignoreCase && { ignoreCase }), ignores, context, perFile, max: maxMatches, timeoutMs, signal };
  const pattern = repairBraces(question.pattern);
  const first = await searchFiles({ ...request, pattern });
  if (first.ok) return ok({ ...first.value, notes: [] });
  if (first.kind !== "pattern" || !isUnbalanced(first.message))
    return fail(first.kind === "aborted" ? "aborted" : "pattern", first.kind === "pattern" ? `Invalid regex: ${first.message}` : first.message);
  const again = await searchFiles({ ...request, pattern: escapeParentheses(pattern) });
  if (again.ok) return ok({ ...again.value, notes: ["The parentheses of the pattern do not match up; they were searched for literally"] });
  return fail(again.kind === "aborted" ? "aborted" : "pattern", `Invalid regex: ${first.message}`);
}

/** Only matches in the ranges, and what stands around those. */
function within(hit: Hit, ranges: readonly Range[], { context }: Question): Hit {
  if (ranges.length === 0) return hit;
  const wanted = hit.lines.filter(({ number, match }) => match && ranges.some(({ from, to }) => number >= from && number <= (to ?? number)));
  const near = (number: number) => wanted.some((match) => number >= match.number - context.before && number <= match.number + context.after);
  return { ...hit, lines: hit.lines.flatMap((line) => (wanted.includes(line) ? [line] : near(line.number) ? [{ ...line, match: false }] : [])) };
}

async function lookInArchive(parts: LookParts, scope: Scope & { is: "archive" }, question: Question): Promise<Result<Answer, "path" | "pattern" | "aborted">> {
  const { path, rest } = scope.archive;
  const title = showPath(parts.cwd, path);
  const listed = await listArchive(path, question.signal);
  if (!listed.ok) return fail(listed.kind === "aborted" ? "aborted" : "path", listed.message.replace(path, title));
  const files = listed.value.entries.filter((entry) => entry.type === "file");
  const selected = parseSelector(`/${rest.slice(1)}`, (name) => files.some((file) => file.name === name.slice(1)));
  const inner = memberName(selected.ok ? selected.value.path : rest.slice(1));
  const ranges = [...scope.ranges, ...(selected.ok ? selected.value.ranges : [])];
  const chosen = files.filter(({ name }) => inner === "" || name === inner || name.startsWith(`${inner}/`));
  if (inner === undefined || chosen.length === 0) return fail("path", `Path not found: ${scope.given}`);
  if (ranges.length > 0 && chosen.length !== 1) return fail("path", `Line-range selector requires a single file: ${scope.given} is a directory`);
  const answer: Answer = {
    hits: [],
    end: "complete",
    notes: chosen.length > maxMembers ? [`Only the first ${maxMembers} members of ${title} were searched`] : [],
    unreadable: [],
  };
  for (const { name } of chosen.slice(0, maxMembers)) {
    const read = await readMember(path, name, maxMember, question.signal);
    const decoded = read.ok ? decode(read.value) : undefined;
    if (question.signal.aborted) return fail("aborted", "The search was stopped");
    if (!decoded?.ok || decoded.value.encoding === "latin1") {
      answer.unreadable.push(`${title}:${name}`);
      continue;
    }
    const hit = await lookAtText(parts, question, `${title}:${name}`, decoded.value.text);
    if (!hit.ok) return hit;
    add(answer, hit.value, ranges, question);
  }
  return ok(answer);
}

async function lookAtUrl(
  parts: LookParts,
  { href, ranges }: Scope & { is: "url" },
  question: Question,
): Promise<Result<Answer, "path" | "pattern" | "aborted">> {
  if (/[*?[{]/.test(href)) return fail("path", `Glob patterns are not supported for internal URLs: ${href}`);
  const below = await parts.urls.list(href);
  const answer: Answer = { hits: [], end: "complete", notes: [], unreadable: [] };
  for (const one of below ?? [href]) {
    const found = await parts.urls.resolve(one, question.signal);
    if (!found.ok) return fail("path", found.message);
    if (found.value.text === undefined) {
      const asked = await ask(parts, question, { root: found.value.file });
      if (!asked.ok) return asked;
      for (const file of asked.value.files) add(answer, { hit: { name: one, lines: file.lines }, notes: asked.value.notes }, ranges, question);
      continue;
    }
    const hit = await lookAtText(parts, question, one, found.value.text);
    if (!hit.ok) return hit;
    add(answer, hit.value, ranges, question);
  }
  return ok(answer);
}

interface TextHit {
  hit: Hit | undefined;
  notes: string[];
}

async function lookAtText(parts: LookParts, question: Question, name: string, text: string): Promise<Result<TextHit, "pattern" | "aborted">> {
  const asked = await ask(parts, question, { root: parts.cwd, input: Buffer.from(text) });
  if (!asked.ok) return asked;
  const lines = asked.value.files[0]?.lines;
  return ok({ hit: lines && { name, lines }, notes: asked.value.notes });
}

function add(answer: Answer, { hit, notes }: TextHit, ranges: readonly Range[], question: Question): void {
  if (hit) answer.hits.push(within(hit, ranges, question));
  for (const note of notes) if (!answer.notes.includes(note)) answer.notes.push(note);
}

import { isCellText } from "@pith/host";
import { fail, ok, type Result, shorten, sumOf } from "@pith/kit";
import {
  type Draft,
  draftChanges,
  draftContent,
  type Editing,
  openText,
  type TextFile,
} from "../../../../edit/draft/file.ts";
import type { EditPlan } from "../../../../edit/draft/intent.ts";
import { type AnchoredOp, carry, follow } from "../../../../edit/text/carry.ts";
import { lineChanges, spliceText } from "../../../../edit/text/change.ts";
import { Lines } from "../../../../edit/text/line.ts";
import { readTagHeader, tagHeader } from "../../../../snapshot/header.ts";
import { maxTagged } from "../../../../snapshot/snapshot.ts";
import { message, warning } from "./message.ts";
import { isBlock, type Op, parseHashline, type Section } from "./parse.ts";
import { anchorsOf, around, margin, openBlocks, type ResolvedOps, resolveOps } from "./resolve.ts";

/** Reads an anchored edit and plans all its files. */
export async function planHashline(editing: Editing, input: string): Promise<Result<EditPlan, "edit">> {
  const parsed = parseHashline(input);
  if (!parsed.ok) return fail("edit", untouched(editing, parsed.message, namedIn(input)));
  const plan: EditPlan = { drafts: [], warnings: [...parsed.value.warnings] };
  const sections = joined(editing, parsed.value.sections);
  const twice = sections.find(({ path }, i) => sections.findIndex((first) => first.path === path) < i);
  if (twice) return fail("edit", untouched(editing, message.twoTags(twice.name), [twice.name]));
  for (const section of sections) {
    const draft = await planSection(editing, section, plan.warnings);
    if (!draft.ok) return fail("edit", untouched(editing, draft.message, [section.name]));
    plan.drafts.push(draft.value);
  }
  return ok(plan);
}

const namedIn = (input: string): string[] =>
  input.split("\n").flatMap((row) => (row.startsWith("+") ? [] : (readTagHeader(row)?.path ?? [])));

/** The refusal with the words that nothing was changed, and the tags that were given out last. */
function untouched({ resolve, files, snapshots }: Editing, refusal: string, names: readonly string[]): string {
  const [words = "", ...shown] = refusal.split("\n\n");
  const last = [...new Set(names.map(resolve))].flatMap((path) => {
    const tag = snapshots.last(path);
    const header = tag === undefined ? undefined : tagHeader(files.show(path), tag);
    return header === undefined || words.includes(header) ? [] : [header];
  });
  const still = words.includes("Nothing was changed") ? "" : " Nothing was changed.";
  const tags = last.length > 0 ? ` Last given: ${last.join(", ")}.` : "";
  return [`${words.trimEnd().replace(/[^.!?]$/, "$&.")}${still}${tags}`, ...shown].join("\n\n");
}

/** A section with the absolute path of its file, and the name that the path was given by. */
type FileSection = Section & { name: string };

/** Sections of one file with one tag are one section: all their numbers refer to the same content. */
function joined({ resolve }: Editing, sections: readonly Section[]): FileSection[] {
  const byFile = new Map<string, FileSection>();
  for (const { path: name, tag, ops } of sections) {
    const path = resolve(name);
    const key = `${path}\0${tag}`;
    const first = byFile.get(key);
    if (first) first.ops.push(...ops);
    else byFile.set(key, { name, path, tag, ops: [...ops] });
  }
  return [...byFile.values()];
}

async function planSection(
  editing: Editing,
  { path, name, tag, ops: given }: FileSection,
  warnings: string[],
): Promise<Result<Draft, "edit">> {
  const opened = openText(editing, path);
  if (!opened.ok) return fail("edit", `${opened.message}. Nothing was changed.`);
  const file = asShown(editing, opened.value, tag);
  const whole = (row: string) => editing.files.restore(file.base?.text ?? "", row);
  const ops = given.map((op) => ({ ...op, rows: op.rows.map(whole), ...(op.minus && { minus: op.minus.map(whole) }) }));
  if (ops.length === 0) return fail("edit", message.noOps(file.name));
  if (tag === undefined)
    return file.base || !ops.every((op) => op.do === "head" || op.do === "tail")
      ? fail("edit", isTagged(file) ? message.noTag(name) : message.largeTag(name))
      : ok(draftContent(file, ops.flatMap((op) => op.rows.map((row) => `${row}\n`)).join("")));
  if (!file.base) return fail("edit", `${file.name} does not exist. Use write to make a new file.`);
  const anchored = await anchor(editing, file, file.base.text, { tag, ops });
  if (!anchored.ok) return anchored;
  const { ops: lineOps, echoes, warning: doubt, warnings: more } = anchored.value;
  const lines = new Lines(file.base.text);
  const changes = lineChanges(lines, lineOps);
  if (spliceText(lines.text, changes) === lines.text) return fail("edit", message.noChange(file.name));
  warnings.push(...(doubt ? [doubt] : []), ...more);
  const draft = draftChanges(file, changes);
  return draft.ok ? ok({ ...draft.value, echoes }) : draft;
}

const isTagged = ({ base }: TextFile): boolean => (base?.bytes.length ?? 0) <= maxTagged;

/** The file with the lines that its tag is of: those of a notebook may be those of its JSON, which search looks at. */
function asShown({ snapshots }: Editing, file: TextFile, tag: string | undefined): TextFile {
  const { notebook, base, ...plain } = file;
  if (!notebook || !base || tag === undefined || snapshots.matches(file.path, tag, base.text)) return file;
  const kept = snapshots.find(file.path, tag);
  const json = snapshots.matches(file.path, tag, notebook.json) || (typeof kept === "object" && !isCellText(kept.text));
  return json ? { ...plain, base: { ...base, text: notebook.json } } : file;
}

interface Anchored extends Pick<ResolvedOps, "echoes" | "warnings"> {
  ops: readonly AnchoredOp[];
  warning?: string;
}

/**
 * The operations with the line numbers of the file as it is now: as given when the tag is current, else carried over
 * when that is certain.
 */
async function anchor(
  editing: Editing,
  file: TextFile,
  now: string,
  { tag, ops }: { tag: string; ops: readonly Op[] },
): Promise<Result<Anchored, "edit">> {
  const { snapshots } = editing;
  const resolve = async (text: string) => {
    const lines = new Lines(text);
    const resolved = resolveOps(lines, ops, ops.some(isBlock) ? await openBlocks(file.path, text) : undefined);
    const hidden = resolved.ok ? unseenText(editing, file, lines, { tag, ops: resolved.value.ops }) : undefined;
    return hidden === undefined ? resolved : fail("edit", hidden);
  };
  if (snapshots.matches(file.path, tag, now)) return resolve(now);
  const kept = snapshots.find(file.path, tag);
  const lines = new Lines(now);
  if (kept === undefined || kept === "gone")
    return fail("edit", mismatch(editing, file, lines, { tag, ops, known: kept === "gone" ? "known" : "unknown" }));
  const resolved = await resolve(kept.text);
  if (!resolved.ok) return resolved;
  const recovered = recover(editing, file.path, lines, { tag, text: kept.text, ops: resolved.value.ops });
  if (!recovered) return fail("edit", mismatch(editing, file, lines, { tag, ops, known: "known" }));
  return ok({ ...resolved.value, ops: recovered.ops, warning: warning[recovered.by](tagHeader(file.name, tag)) });
}

const mostShown = { rows: 60, first: 40, last: 5, columns: 300 };

/** The lines of ranges that the model was never shown, for it to look at: they count as shown from then on. */
function unseenText(
  { snapshots }: Editing,
  { path, name }: TextFile,
  lines: Lines,
  { tag, ops }: { tag: string; ops: readonly AnchoredOp[] },
): string | undefined {
  const hidden = ops.flatMap(({ from, to }) => snapshots.unseen(path, tag, from, to));
  if (hidden.length === 0) return undefined;
  snapshots.show(path, tag, hidden);
  const numbers = hidden.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
  const row = (n: number) => `${n}:${shorten(lines.at(n), mostShown.columns + 1)}`;
  const [first, last] = [numbers.slice(0, mostShown.first), numbers.slice(-mostShown.last)];
  const left = numbers.length - mostShown.first - mostShown.last;
  const rows =
    numbers.length > mostShown.rows
      ? [...first.map(row), message.moreUnseen(left), ...last.map(row)]
      : numbers.map(row);
  return `${message.unseen(tagHeader(name, tag), hidden)}\n\n${rows.join("\n")}`;
}

/** Carries operations from the content of an old tag to the file as it is now. */
function recover(
  { snapshots }: Editing,
  path: string,
  now: Lines,
  stale: { tag: string; text: string; ops: readonly AnchoredOp[] },
): { ops: readonly AnchoredOp[]; by: "chain" | "replay" | "external" } | undefined {
  const { shifts, end } = snapshots.chain(path, stale.tag, now.text);
  let ops: readonly AnchoredOp[] | undefined = stale.ops;
  let count = new Lines(stale.text).count;
  for (const edit of shifts) {
    ops = ops && follow(ops, edit, { margin: 0, count });
    count += sumOf(edit, ({ added, removed }) => added - removed);
  }
  if (!ops) return undefined;
  if (shifts.length > 0 && snapshots.matches(path, end, now.text)) return { ops, by: "chain" };
  const last = snapshots.find(path, end);
  if (last === undefined || last === "gone") return undefined;
  const carried = carry(ops, new Lines(last.text), now);
  return carried && { ops: carried, by: shifts.length > 0 ? "replay" : "external" };
}

/** The reason why a tag cannot be used, the one that can, and the lines around those that were meant. */
function mismatch(
  editing: Editing,
  { path, name }: TextFile,
  now: Lines,
  { tag, ops, known }: { tag: string; ops: readonly Op[]; known: "known" | "unknown" },
): string {
  const why =
    known === "known"
      ? "is out of date: the file has changed since, " +
        "and lines of this edit changed with it or can no longer be told from others."
      : "was never given out for this file; a tag is copied from read, search, write or edit output, not made up.";
  const anchors = ops.flatMap(anchorsOf).filter((n) => n >= 1 && n <= now.count);
  const context = anchors.length > 0 ? `\n\n${around(now, anchors)}` : "";
  const seen = anchors.map((n) => [Math.max(1, n - margin), Math.min(now.count, n + margin)] as const);
  const current = tagHeader(name, editing.snapshots.mint(path, now.text, { seen }));
  const advice = `The current tag is ${current}; check the line numbers against the file as it is now.`;
  return `${tagHeader(name, tag)} ${why} Nothing was changed. ${advice}${context}`;
}

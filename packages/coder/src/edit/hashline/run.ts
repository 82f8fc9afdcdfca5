import { isCellText } from "@pith/host";
import { fail, ok, type Result } from "@pith/kit";
import { tagHeader } from "../../snapshot/header.ts";
import {
  commit,
  type Draft,
  draftChanges,
  draftContent,
  type EditParts,
  type FileDone,
  openText,
  type TextFile,
} from "../file.ts";
import { Lines } from "../line.ts";
import { lineChanges, spliceText } from "../plan.ts";
import { message, warning } from "./message.ts";
import { type Op, parseHashline, type Section } from "./parse.ts";
import { carry, follow } from "./recover.ts";
import { around, type BlockAt, type Resolved, resolveOps } from "./resolve.ts";

export interface HashlineParts extends EditParts {
  /** Opens what is needed to find blocks in this text; undefined when its language is not known. */
  blocks(path: string, text: string): Promise<BlockAt | undefined>;
}

export interface HashlineDone {
  files: (FileDone & { echoes: string[] })[];
  warnings: string[];
}

/** Reads an anchored edit, plans all its files, and makes all changes or none. */
export async function runHashline(parts: HashlineParts, input: string): Promise<Result<HashlineDone, "edit">> {
  const planned = await planHashline(parts, input);
  if (!planned.ok) return planned;
  const { plans, warnings } = planned.value;
  const done = await commit(
    parts,
    plans.map((plan) => plan.draft),
  );
  if (!done.ok) return fail("edit", `${done.message}. Nothing was changed.`);
  return ok({ files: done.value.map((file, i) => ({ ...file, echoes: plans[i]?.echoes ?? [] })), warnings });
}

interface Plan {
  draft: Draft;
  echoes: string[];
}

async function planHashline(
  parts: HashlineParts,
  input: string,
): Promise<Result<{ plans: Plan[]; warnings: string[] }, "edit">> {
  const parsed = parseHashline(input);
  if (!parsed.ok) return parsed;
  const warnings = [...parsed.value.warnings];
  const plans: Plan[] = [];
  const sections = joined(parts, parsed.value.sections);
  const paths = sections.map((section) => parts.resolve(section.path));
  const twice = sections.find((_, i) => paths.indexOf(paths[i] ?? "") < i);
  if (twice) return fail("edit", message.twoTags(twice.path));
  for (const section of sections) {
    const plan = await planSection(parts, section, warnings);
    if (!plan.ok) return plan;
    plans.push(plan.value);
  }
  return ok({ plans, warnings });
}

/** Sections of one file with one tag are one section: all their numbers refer to the same content. */
function joined(parts: EditParts, sections: readonly Section[]): Section[] {
  const byFile = new Map<string, Section>();
  for (const section of sections) {
    const key = `${parts.resolve(section.path)}\0${section.tag}`;
    const first = byFile.get(key);
    if (first) first.ops.push(...section.ops);
    else byFile.set(key, { ...section, ops: [...section.ops] });
  }
  return [...byFile.values()];
}

async function planSection(
  parts: HashlineParts,
  { path, tag, ops }: Section,
  warnings: string[],
): Promise<Result<Plan, "edit">> {
  const opened = openText(parts, path);
  if (!opened.ok) return fail("edit", `${opened.message}. Nothing was changed.`);
  const file = asShown(parts, opened.value, tag);
  if (ops.length === 0) return fail("edit", message.noOps(file.name));
  if (tag === undefined)
    return file.base || !ops.every((op) => op.do === "head" || op.do === "tail")
      ? fail("edit", message.noTag(path))
      : ok(created(file, ops));
  if (!file.base) return fail("edit", `${file.name} does not exist. Use write to make a new file.`);
  const placed = await place(parts, file, file.base.text, { tag, ops });
  if (!placed.ok) return placed;
  const lines = new Lines(file.base.text);
  const changes = lineChanges(lines, placed.value.ops);
  if (spliceText(lines.text, changes) === lines.text) return fail("edit", message.noChange(file.name));
  if (placed.value.warning) warnings.push(placed.value.warning);
  const draft = draftChanges(file, changes);
  return draft.ok ? ok({ draft: draft.value, echoes: placed.value.echoes }) : draft;
}

/**
 * The lines of a notebook are those of its cells, or of its JSON where the tag is of that: search looks at files as
 * they are.
 */
function asShown({ snapshots }: EditParts, file: TextFile, tag: string | undefined): TextFile {
  const { notebook, base, ...plain } = file;
  if (!notebook || !base || tag === undefined || snapshots.matches(file.path, tag, base.text)) return file;
  const kept = snapshots.find(file.path, tag);
  const json = snapshots.matches(file.path, tag, notebook.json) || (typeof kept === "object" && !isCellText(kept.text));
  return json ? { ...plain, base: { ...base, text: notebook.json } } : file;
}

const created = (file: TextFile, ops: readonly Op[]): Plan => ({
  draft: draftContent(file, ops.flatMap((op) => op.rows.map((row) => `${row}\n`)).join("")),
  echoes: [],
});

interface Placed {
  ops: readonly Resolved[];
  echoes: string[];
  warning?: string;
}

/**
 * The operations with the line numbers of the file as it is now: as given when the tag is current, else carried over
 * when that is certain.
 */
async function place(
  parts: HashlineParts,
  file: TextFile,
  now: string,
  { tag, ops }: { tag: string; ops: readonly Op[] },
): Promise<Result<Placed, "edit">> {
  const { snapshots } = parts;
  const resolve = async (text: string) =>
    resolveOps(new Lines(text), ops, await blocksFor(parts, file.path, text, ops));
  if (snapshots.matches(file.path, tag, now)) return resolve(now);
  const kept = snapshots.find(file.path, tag);
  const lines = new Lines(now);
  if (kept === undefined || kept === "gone")
    return fail("edit", mismatch(parts, file, lines, { tag, ops, known: kept === "gone" ? "known" : "unknown" }));
  const resolved = await resolve(kept.text);
  if (!resolved.ok) return resolved;
  const recovered = recover(parts, file.path, lines, { tag, text: kept.text, ops: resolved.value.ops });
  if (!recovered) return fail("edit", mismatch(parts, file, lines, { tag, ops, known: "known" }));
  return ok({
    ops: recovered.ops,
    echoes: resolved.value.echoes,
    warning: warning[recovered.by](tagHeader(file.name, tag)),
  });
}

async function blocksFor(
  parts: HashlineParts,
  path: string,
  text: string,
  ops: readonly Op[],
): Promise<BlockAt | undefined> {
  return ops.some((op) => op.do === "replace block" || op.do === "delete block") ? parts.blocks(path, text) : undefined;
}

interface Stale {
  tag: string;
  text: string;
  ops: readonly Resolved[];
}

function recover(
  parts: EditParts,
  path: string,
  now: Lines,
  stale: Stale,
): { ops: Resolved[]; by: "chain" | "replay" | "external" } | undefined {
  const { shifts, end } = parts.snapshots.chain(path, stale.tag, now.text);
  let ops: readonly Resolved[] | undefined = stale.ops;
  let count = new Lines(stale.text).count;
  for (const moves of shifts) {
    ops = ops && follow(ops, moves, { margin: 0, count });
    count += moves.reduce((sum, move) => sum + move.added - move.removed, 0);
  }
  if (!ops) return undefined;
  if (shifts.length > 0 && parts.snapshots.matches(path, end, now.text)) return { ops: [...ops], by: "chain" };
  const last = parts.snapshots.find(path, end);
  if (last === undefined || last === "gone") return undefined;
  const carried = carry(ops, new Lines(last.text), now);
  return carried && { ops: carried, by: shifts.length > 0 ? "replay" : "external" };
}

interface Mismatch {
  tag: string;
  ops: readonly Op[];
  known: "known" | "unknown";
}

/** Why a tag cannot be used, the one that can, and what stands around the lines that were meant. */
function mismatch(parts: EditParts, { path, name }: TextFile, now: Lines, { tag, ops, known }: Mismatch): string {
  const current = tagHeader(name, parts.snapshots.mint(path, now.text));
  const why =
    known === "known"
      ? `${tagHeader(name, tag)} is out of date: the file has changed since, and lines of this edit changed with it or can no longer be told from others.`
      : `${tagHeader(name, tag)} was never given out for this file; a tag is copied from read, search, write or edit output, not made up.`;
  const anchors = ops
    .flatMap((op) => ("from" in op ? [op.from, op.to] : "at" in op ? [op.at] : []))
    .filter((n) => n >= 1 && n <= now.count);
  const context = anchors.length > 0 ? `\n\n${around(now, anchors)}` : "";
  return `${why} Nothing was changed. The current tag is ${current}; check the line numbers against the file as it is now.${context}`;
}

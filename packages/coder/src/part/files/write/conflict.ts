import { type Intent, type Outcome, refusal } from "@pith/agent";
import { fail, ok, plural, type Result } from "@pith/kit";
import { type Draft, draftChanges, type Editing, openText } from "../../../edit/draft/file.ts";
import { draftIntent } from "../../../edit/draft/intent.ts";
import type { Change } from "../../../edit/text/change.ts";
import { Lines } from "../../../edit/text/line.ts";
import { tagHeader } from "../../../snapshot/header.ts";
import type { Conflict, Conflicts } from "../../../url/conflicts.ts";
import { findRegions, type Region } from "../../../url/marker.ts";
import { unknownConflict } from "../../../url/scheme/conflict.ts";
import type { Writing } from "./file.ts";

/** Puts the decided text in the place of one recorded conflict, or of all (`conflict://*`): all files or none. */
export function prepareConflicts(
  editing: Editing,
  { href, conflicts, tags }: { href: string; conflicts: Conflicts; tags: "shown" | "left out" },
  { content, without }: Omit<Writing, "notes">,
): Intent | Outcome {
  const [, id = "", scope] = /^conflict:\/\/([^/]*)(\/.*)?$/i.exec(href) ?? [];
  if (scope) return refusal(`${href} is read-only; write to conflict://${id}`);
  const chosen = chosenOf(conflicts, id);
  if (!chosen.ok) return refusal(chosen.message);
  const decided: Decided[] = [];
  for (const [path, inFile] of Map.groupBy(chosen.value, (conflict) => conflict.path)) {
    const file = decideFile(editing, path, inFile, content);
    // A conflict that was decided by other means is missed only where it was asked for by its number.
    if (!file.ok && file.kind === "gone" && id === "*") continue;
    if (!file.ok) return refusal(`${file.message}. Nothing was written.`);
    decided.push(file.value);
  }
  if (decided.length === 0) return refusal("All conflicts that were recorded are decided by now. Nothing was written.");
  const whole = decided.map(({ draft }) => draft);
  return draftIntent(editing, whole, { without }, () => ({ drafts, done, refused }) => {
    const headers = tags === "shown" ? done.map(({ change, tag = "" }) => tagHeader(change.path, tag)) : [];
    const made = decided.filter(({ draft }) => drafts.some(({ file }) => file === draft.file));
    const texts = [...made.map(({ text }) => text), ...refused];
    const snapshots = headers.length > 0 ? ["", "Snapshots:", ...headers] : [];
    return {
      kind: "diff",
      data: { files: done.map(({ change }) => change) },
      text: (id === "*" ? [...texts, ...snapshots] : [...headers, ...texts]).join("\n"),
    };
  });
}

function chosenOf(conflicts: Conflicts, id: string): Result<readonly Conflict[], "conflict"> {
  const known = conflicts.all();
  if (id === "*")
    return known.length > 0
      ? ok(known)
      : fail("conflict", "No conflicts are recorded. Read a file with :conflicts first.");
  const chosen = conflicts.find(id);
  return chosen ? ok([chosen]) : fail("conflict", unknownConflict(id, known));
}

interface Decided {
  draft: Draft;
  /** A line about it for the model. */
  text: string;
}

function decideFile(
  editing: Editing,
  path: string,
  conflicts: readonly Conflict[],
  content: string,
): Result<Decided, "conflict" | "gone"> {
  const opened = openText({ ...editing, generated: "allow" }, path);
  if (!opened.ok) return fail("conflict", opened.message);
  const { name, base } = opened.value;
  if (!base) return fail("gone", `${name}: no such file`);
  const there = findRegions(base.text);
  const lines = new Lines(base.text);
  const taken = new Set<Region>();
  const changes: Change[] = [];
  for (const conflict of conflicts) {
    const region = there.find((other) => other.text === conflict.region.text && !taken.has(other));
    if (!region) continue;
    taken.add(region);
    const text = decide(region, content);
    if (!text.ok) return text;
    const start = lines.start(region.from);
    changes.push({ start, end: start + region.text.length, text: text.value });
  }
  if (changes.length === 0)
    return fail("gone", `${name}: the conflict is no longer there; read ${name}:conflicts again`);
  const draft = draftChanges(opened.value, changes);
  if (!draft.ok) return fail("conflict", draft.message.replace(/\.$/, ""));
  const left = there.length - changes.length;
  const text = `Resolved ${plural(changes.length, "conflict")} in ${name}${left > 0 ? `; ${left} left` : ""}`;
  return ok({ draft: draft.value, text });
}

/** The decided text, which the content may be itself or name by a word for a side. */
function decide({ ours, theirs, base, text }: Region, content: string): Result<string, "conflict"> {
  switch (content.trim()) {
    case "@ours":
      return ok(ours.text);
    case "@theirs":
      return ok(theirs.text);
    case "@both":
      return ok(ours.text + theirs.text);
    case "@base":
      return base ? ok(base.text) : fail("conflict", "The conflict has no base: the merge did not record one");
  }
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = eol === "\r\n" ? content.replace(/\r?\n/g, eol) : content;
  return ok(lines === "" || lines.endsWith("\n") ? lines : `${lines}${eol}`);
}

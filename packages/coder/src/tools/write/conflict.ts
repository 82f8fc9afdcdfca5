import { type FileChange, type Outcome, refusal } from "@pith/agent";
import { applySteps, findTarget, type Step } from "@pith/host";
import { fail, ok, plural, type Result, showPath } from "@pith/kit";
import { decode, encode, markOf } from "../../snapshot/decode.ts";
import { tagHeader } from "../../snapshot/header.ts";
import { unknownConflict } from "../../url/conflict.ts";
import type { Conflict } from "../../url/conflicts.ts";
import { findRegions, type Region } from "../../url/marker.ts";
import { fileChange } from "../change.ts";
import type { WriteParts } from "./parts.ts";

/** Puts the decided text in the place of one recorded conflict, or of all (`conflict://*`): all files or none. */
export async function resolveConflicts(parts: WriteParts, href: string, content: string): Promise<Outcome> {
  const [, id = "", scope] = /^conflict:\/\/([^/]*)(\/.*)?$/i.exec(href) ?? [];
  if (scope) return refusal(`${href} is read-only; write to conflict://${id}`);
  const chosen = conflictsOf(parts, id);
  if (!chosen.ok) return refusal(chosen.message);
  const drafts: Draft[] = [];
  for (const [path, conflicts] of Map.groupBy(chosen.value, (conflict) => conflict.path)) {
    const draft = draftFile(parts, path, conflicts, content);
    // For all, those that were decided by other means are not missed; one that was asked for by its number is.
    if (!draft.ok && draft.kind === "gone" && id === "*") continue;
    if (!draft.ok) return refusal(`${draft.message}. Nothing was written.`);
    drafts.push(draft.value);
  }
  if (drafts.length === 0) return refusal("All conflicts that were recorded are decided by now. Nothing was written.");
  const done = await applySteps(drafts.map((draft) => draft.step));
  if (!done.ok) return refusal(`${done.refused.message}. Nothing was written.`);
  const files: FileChange[] = [];
  for (const { name, before, after } of drafts) files.push(await fileChange(name, before, after));
  const headers =
    parts.display === "hashline"
      ? drafts.map(({ path, name, after }) => tagHeader(name, parts.snapshots.mint(path, after)))
      : [];
  const said = drafts.map(
    ({ name, resolved, left }) =>
      `Resolved ${plural(resolved, "conflict")} in ${name}${left > 0 ? `; ${left} left` : ""}`,
  );
  const text =
    id === "*" ? [...said, ...(headers.length > 0 ? ["", "Snapshots:", ...headers] : [])] : [...headers, ...said];
  return { kind: "diff", data: { files }, text: text.join("\n") };
}

function conflictsOf({ urls }: WriteParts, id: string): Result<Conflict[], "conflict"> {
  const known = urls.conflicts.all();
  if (id === "*")
    return known.length > 0
      ? ok([...known])
      : fail("conflict", "No conflicts are recorded. Read a file with :conflicts first.");
  const found = urls.conflicts.find(id);
  return found ? ok([found]) : fail("conflict", unknownConflict(id, known));
}

interface Draft {
  path: string;
  name: string;
  step: Step;
  before: string;
  after: string;
  resolved: number;
  left: number;
}

function draftFile(
  parts: WriteParts,
  path: string,
  conflicts: readonly Conflict[],
  content: string,
): Result<Draft, "conflict" | "gone"> {
  const name = showPath(parts.cwd, path);
  const target = findTarget(path);
  if (!target.ok) return fail("conflict", target.message.replace(path, name));
  if (target.value.is === "missing") return fail("gone", `${name}: no such file`);
  const decoded = decode(target.value.bytes);
  if (!decoded.ok) return fail("conflict", `${name}: ${decoded.message}`);
  const before = decoded.value.text;
  const there = findRegions(before);
  const wanted = conflicts.flatMap((conflict) => there.find((region) => region.text === conflict.region.text) ?? []);
  if (wanted.length === 0)
    return fail("gone", `${name}: the conflict is no longer there; read ${name}:conflicts again`);
  let after = before;
  for (const region of wanted.toSorted((a, b) => b.from - a.from)) {
    const text = decide(region, content);
    if (!text.ok) return text;
    const at = offsetOf(after, region.from);
    after = after.slice(0, at) + text.value + after.slice(at + region.text.length);
  }
  const encoded = encode(after, decoded.value.encoding);
  if (!encoded.ok) return fail("conflict", `${name}: the new text ${encoded.message}`);
  const bytes = Buffer.concat([markOf(decoded.value), encoded.value]);
  return ok({
    path,
    name,
    step: { do: "write", target: target.value, bytes },
    before,
    after,
    resolved: wanted.length,
    left: there.length - wanted.length,
  });
}

function offsetOf(text: string, line: number): number {
  let at = 0;
  for (let n = 1; n < line; n++) at = text.indexOf("\n", at) + 1;
  return at;
}

/** The text itself, or a word that stands for a side. */
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

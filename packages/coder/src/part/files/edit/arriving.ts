import type { FileChange } from "@pith/agent";
import { fail, isInside, realPath } from "@pith/kit";
import { parseArriving } from "../../../edit/apply-patch/parse.ts";
import { planUpdate } from "../../../edit/apply-patch/update.ts";
import { type Editing, openText } from "../../../edit/draft/file.ts";
import { type Change, lineChanges, spliceText } from "../../../edit/text/change.ts";
import { blocksOf, countsOf, unified } from "../../../edit/text/diff.ts";
import { Lines } from "../../../edit/text/line.ts";
import { isBlock, parseHashline } from "./hashline/parse.ts";
import { resolveOps } from "./hashline/resolve.ts";

/**
 * The changes that an edit would make that is still arriving, as far as they can be told. Nothing is written; changes
 * that cannot be told yet, those of block operations among them, are left out without a word.
 */
export const arrivingChanges = (editing: Editing, dialect: "hashline" | "apply_patch", input: string): FileChange[] =>
  (dialect === "hashline" ? arrivingHashline : arrivingPatch)(editing, input);

function arrivingHashline(editing: Editing, input: string): FileChange[] {
  // The last row may be cut anywhere, and the operation it belongs to may want more rows.
  const rows = input.split("\n").slice(0, -1);
  for (let tries = 20; rows.length > 0 && tries > 0; rows.pop(), tries--) {
    const parsed = parseHashline(rows.join("\n"));
    if (!parsed.ok) continue;
    return parsed.value.sections.flatMap(({ path, ops }) => {
      const file = open(editing, path);
      const lines = new Lines(file.ok ? (file.value.base?.text ?? "") : "");
      const plain = ops.filter((op) => !isBlock(op));
      const resolved = resolveOps(lines, plain, undefined);
      return file.ok && resolved.ok
        ? shown(file.value.name, file.value.base && lines, lineChanges(lines, resolved.value.ops))
        : [];
    });
  }
  return [];
}

function arrivingPatch(editing: Editing, input: string): FileChange[] {
  return parseArriving(input).flatMap((hunk) => {
    const file = open(editing, hunk.path);
    if (!file.ok) return [];
    const { name, base } = file.value;
    const lines = new Lines(base?.text ?? "");
    const whole = (text: string): Change[] => [{ start: 0, end: lines.text.length, text }];
    if (hunk.do === "add") return shown(name, base && lines, whole(hunk.content));
    if (hunk.do === "delete") return base ? shown(name, lines, whole("")) : [];
    const planned = planUpdate(hunk.path, lines.text, hunk.chunks, "keep");
    return planned.ok ? shown(name, lines, planned.value.changes) : [];
  });
}

/** Opens a file of the project, since nobody has allowed the call yet, and no large one, since that is done often. */
function open(editing: Editing, name: string): ReturnType<typeof openText> {
  const path = editing.resolve(name);
  if (!isInside(realPath(editing.files.cwd), realPath(path)))
    return fail("denied", `${name} is outside of the project`);
  const size = editing.files.stat(path)?.size ?? 0;
  return size > maxBytes ? fail("large", `${name} is too large to be shown`) : openText(editing, path);
}

const maxBytes = 1024 * 1024;

function shown(path: string, before: Lines | undefined, changes: readonly Change[]): FileChange[] {
  const old = before ?? new Lines("");
  const now = new Lines(spliceText(old.text, changes));
  const blocks = blocksOf(old, now, changes);
  if (blocks.length === 0) return [];
  const patch = unified(old, now, blocks, { from: before && path, to: path });
  return [{ path, change: before ? "modified" : "added", ...countsOf(blocks), patch }];
}

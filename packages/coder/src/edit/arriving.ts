import { statSync } from "node:fs";
import type { FileChange } from "@pith/agent";
import { fail, isInside, realPath } from "@pith/kit";
import { parseArriving } from "./apply-patch/parse.ts";
import { planUpdate } from "./apply-patch/update.ts";
import { blocksOf, statOf, unified } from "./diff.ts";
import { type EditParts, openText } from "./file.ts";
import { parseHashline } from "./hashline/parse.ts";
import { resolveOps } from "./hashline/resolve.ts";
import { Lines } from "./line.ts";
import { type Change, lineChanges, spliceText } from "./plan.ts";

/**
 * What an edit that is still arriving would change, as far as it can be told. It reads and never writes; what cannot
 * be told yet,
 * block operations among it, is left out without a word.
 */
export function previewArriving(parts: EditParts, dialect: "hashline" | "apply_patch", input: string): FileChange[] {
  return dialect === "hashline" ? arrivingHashline(parts, input) : arrivingPatch(parts, input);
}

function arrivingHashline(parts: EditParts, input: string): FileChange[] {
  // The last row may be cut anywhere, and the operation it belongs to may want more rows.
  const rows = input.split("\n").slice(0, -1);
  for (let tries = 20; rows.length > 0 && tries > 0; rows.pop(), tries--) {
    const parsed = parseHashline(rows.join("\n"));
    if (!parsed.ok) continue;
    return parsed.value.sections.flatMap(({ path, ops }) => {
      const file = open(parts, path);
      const lines = new Lines(file.ok ? (file.value.base?.text ?? "") : "");
      const plain = ops.filter((op) => op.do !== "replace block" && op.do !== "delete block");
      const resolved = resolveOps(lines, plain, undefined);
      return file.ok && resolved.ok
        ? shown(file.value.name, file.value.base && lines, lineChanges(lines, resolved.value.ops))
        : [];
    });
  }
  return [];
}

function arrivingPatch(parts: EditParts, input: string): FileChange[] {
  return parseArriving(input).flatMap((hunk) => {
    const file = open(parts, hunk.path);
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

/**
 * Nobody has allowed the call yet, so only the project is looked into; and a look is taken often, so not at large
 * files.
 */
function open(parts: EditParts, given: string): ReturnType<typeof openText> {
  const path = parts.resolve(given);
  if (!isInside(realPath(parts.root), realPath(path))) return fail("denied", `${given} is outside of the project`);
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return size > maxBytes ? fail("large", `${given} is too large to be shown`) : openText(parts, given);
}

const maxBytes = 1024 * 1024;

function shown(path: string, before: Lines | undefined, changes: readonly Change[]): FileChange[] {
  const old = before ?? new Lines("");
  const now = new Lines(spliceText(old.text, changes));
  const blocks = blocksOf(old, now, changes);
  if (blocks.length === 0) return [];
  return [
    {
      path,
      change: before ? "modified" : "added",
      ...statOf(blocks),
      patch: unified(old, now, blocks, { from: before && path, to: path }),
    },
  ];
}

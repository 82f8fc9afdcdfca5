import { resolve } from "node:path";
import { fail, ok, type Result } from "@pith/kit";
import { draftChanges, type Editing, openText } from "../../edit/draft/file.ts";
import { place } from "../../edit/draft/place.ts";
import { carry } from "../../edit/text/carry.ts";
import { type Change, lineChanges } from "../../edit/text/change.ts";
import type { Block } from "../../edit/text/diff.ts";
import { Lines } from "../../edit/text/line.ts";
import { openFiles } from "../../files/files.ts";
import { type Decoded, decode } from "../../snapshot/decode.ts";
import { Snapshots } from "../../snapshot/snapshot.ts";
import { hunkTurn, type UndoTurn } from "./store/log.ts";
import type { Undo } from "./store/undo.ts";
import { hunksBetween } from "./text.ts";

/** Takes back hunk `n` of a file, as `pith changes` numbers them. Later edits of other lines stay. */
export async function undoHunk(undo: Undo, turn: UndoTurn, path: string, n: number): Promise<Result<void, "undo">> {
  const change = undo.changes(turn).find((change) => change.path === path);
  if (!change?.before || !change.after || change.before.is !== "file" || change.after.is !== "file")
    return fail("undo", `${path} was not modified in this turn`);
  if (turn.kept.has(path)) return fail("undo", `${path} was kept; nothing was taken back`);
  const [old, now] = [change.before, change.after].map((entry) => decode(undo.content(entry) ?? Buffer.alloc(0)));
  if (!old?.ok || !now?.ok) return fail("undo", `${path} is no text`);
  const { lines, hunks } = hunksBetween(old.value.text, now.value.text);
  const hunk = hunks[n - 1];
  if (!hunk) return fail("undo", `${path} has no hunk ${n}; there are ${hunks.length}`);
  // Bytes that are no UTF-8 would come back as replacement characters.
  if (old.value.bad && hunk.some((block) => holdsBad(old.value, lines[0], block)))
    return fail("undo", `${path} held bytes there that are no UTF-8; take the whole turn back instead`);
  const full = resolve(undo.root, path);
  const editing: Editing = {
    files: openFiles({ cwd: undo.root, userHome: undo.root, cacheDir: undo.root, path: undefined }),
    resolve: (name) => name,
    snapshots: new Snapshots(undefined),
    generated: "allow",
  };
  const file = openText(editing, full);
  if (!file.ok || !file.value.base) return fail("undo", file.ok ? `${path} is gone` : file.message);
  const changes = backwards(lines, hunk, file.value.base.text);
  if (!changes) return fail("undo", `${path} was changed at these lines since; nothing was taken back`);
  const draft = draftChanges(file.value, changes);
  if (!draft.ok) return fail("undo", draft.message);
  const begun = await undo.begin("paths", [full]);
  const done = await place(editing, [draft.value]);
  if (!done.ok) return fail("undo", done.message);
  const note = { turn: hunkTurn(turn.id), session: turn.session, asked: `undo of hunk ${n} of ${path}` };
  undo.end(begun, { tool: "undo", note });
  await undo.settle();
  return ok(undefined);
}

function holdsBad({ bad = [] }: Decoded, lines: Lines, { oldStart, removed }: Block): boolean {
  const [from, to] = [lines.start(oldStart), lines.start(oldStart + removed)];
  return bad.some((at) => at >= from && at < to);
}

/** Changes that put the old lines of a hunk where its new ones are in `text`; undefined if those were edited. */
function backwards(
  [old, now]: [Lines, Lines],
  hunk: ReturnType<typeof hunksBetween>["hunks"][number],
  text: string,
): Change[] | undefined {
  if (text === now.text)
    return hunk.map((block) => ({
      start: now.start(block.newStart),
      end: now.start(block.newStart + block.added),
      text: old.wholes(block.oldStart, block.oldStart + block.removed - 1).join(""),
    }));
  const current = new Lines(text);
  const ops = hunk.map((block) => {
    const [from, to] = [block.newStart, block.newStart + block.added - 1];
    const rows = Array.from({ length: block.removed }, (_, i) => old.at(block.oldStart + i));
    return { from, to, rows, line: 0, anchors: to < from ? [Math.max(1, from - 1)] : [from, to] };
  });
  const carried = carry(ops, now, current);
  return carried && lineChanges(current, carried);
}

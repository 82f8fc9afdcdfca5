import { join } from "node:path";
import { readWhole } from "@pith/host";
import type { House } from "../../hall/hall.ts";
import { decode } from "../../snapshot/decode.ts";
import type { ChangedFile } from "./problem.ts";

type Undo = Awaited<ReturnType<House["undo"]>>;

/** More files than these are not looked at one by one. */
const most = 200;
const maxBytes = 400_000;

/** What a turn has changed so far in text files that are still there. */
export async function changedFiles(
  undo: Undo,
  turn: string,
  name: (path: string) => string,
): Promise<{ files: ChangedFile[]; state: string }> {
  await undo.settle();
  const known = undo.turn(turn);
  const steps = known
    ? undo.changes(known).filter(({ before, after }) => before?.is !== "dir" && after?.is !== "dir")
    : [];
  const text = (entry: Parameters<Undo["content"]>[0]) =>
    entry?.is === "file" ? textOf(undo.content(entry)) : undefined;
  const files = steps.slice(0, most).flatMap(({ spot, before, after }): ChangedFile[] => {
    const now = text(after);
    const path = spot.where === "project" ? join(undo.root, spot.path) : spot.path;
    return now === undefined ? [] : [{ path, name: name(path), before: text(before), after: now }];
  });
  // What it looks like now, so that nothing is checked twice.
  const state = steps.map(({ spot, after }) => `${spot.path} ${after && "id" in after ? after.id : ""}`).join("\n");
  return { files, state };
}

/** The same where undo keeps nothing: of files that tools wrote, by what stood in them before. */
export function writtenFiles(
  before: ReadonlyMap<string, string | undefined>,
  name: (path: string) => string,
): { files: ChangedFile[]; state: string } {
  const changed = [...before].flatMap(([path, old]) => {
    const after = textAt(path);
    return after === old ? [] : [{ path, name: name(path), before: old, after }];
  });
  const files = changed.filter((file): file is typeof file & { after: string } => file.after !== undefined);
  return { files, state: changed.map(({ path, after }) => `${path} ${after ?? "(gone)"}`).join("\n") };
}

export function textAt(path: string): string | undefined {
  const read = readWhole(path);
  return read.ok ? textOf(read.value.bytes) : undefined;
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  const read = bytes && bytes.length <= maxBytes ? decode(bytes) : undefined;
  return read?.ok ? read.value.text : undefined;
}

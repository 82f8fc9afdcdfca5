import { resolve } from "node:path";
import { readWhole } from "@pith/host";
import type { House } from "../../hall/hall.ts";
import { decode } from "../../snapshot/decode.ts";
import type { ChangedFile } from "./problem.ts";

type Undo = Awaited<ReturnType<House["undo"]>>;

const maxFiles = 200;
const maxBytes = 400_000;

/** The text files that a turn has changed so far, and a text that is another when any of them changes again. */
export async function changedFiles(
  undo: Undo,
  turn: string,
  name: (path: string) => string,
): Promise<{ files: ChangedFile[]; state: string }> {
  await undo.settle();
  const calls = undo.turn(turn)?.calls ?? [];
  const changes = undo.changes({ calls }).filter(({ before, after }) => before?.is !== "dir" && after?.is !== "dir");
  const text = (entry: Parameters<Undo["content"]>[0]) =>
    entry?.is === "file" ? textOf(undo.content(entry)) : undefined;
  const files = changes.slice(0, maxFiles).flatMap(({ path: shown, before, after }): ChangedFile[] => {
    const now = text(after);
    const path = resolve(undo.root, shown);
    return now === undefined ? [] : [{ path, name: name(path), before: text(before), after: now }];
  });
  const state = changes.map(({ path, after }) => `${path} ${after && "id" in after ? after.id : ""}`).join("\n");
  return { files, state };
}

/** Like `changedFiles` where undo is off: compares files that tools wrote with their texts from before. */
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

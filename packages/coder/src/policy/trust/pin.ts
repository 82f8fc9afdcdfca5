import { mkdirSync } from "node:fs";
import { fail, messageOf, ok, type Result, realPath, writeWhole } from "@pith/kit";
import { withLock } from "../../setting/lock.ts";
import { copyFile, digest, type Pins, pinName, readPins, type TrustItem, trustFile } from "./trust.ts";

/** Something of a project together with what it is made of. */
export interface PinnedFile extends TrustItem {
  text: string;
}

/** Says yes to these bytes of these things, for good; what was said to others of the same folders is forgotten. */
export const pin = (home: string, folders: readonly string[], items: readonly PinnedFile[]) =>
  change(home, (pins) => {
    for (const folder of folders) pins.delete(realPath(folder));
    for (const item of items) {
      const folder = realPath(item.folder);
      const hash = digest(item.text);
      write(copyFile(home, hash), item.text);
      pins.set(folder, (pins.get(folder) ?? new Map()).set(pinName(item), hash));
    }
  });

/** Takes back every yes to what these folders bring; tells how many there were. */
export async function unpin(home: string, folders: readonly string[]): Promise<Result<number, "trust">> {
  let count = 0;
  const done = await change(home, (pins) => {
    for (const folder of folders.map(realPath)) {
      count += pins.get(folder)?.size ?? 0;
      pins.delete(folder);
    }
  });
  return done.ok ? ok(count) : done;
}

/** Changes the file as it is now, alone among all processes; one that is broken is left alone. */
async function change(home: string, run: (pins: Pins) => void): Promise<Result<void, "trust">> {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const done = await withLock(`${trustFile(home)}.lock`, (): Result<void, "trust"> => {
      const pins = readPins(home);
      if (!pins.ok) return fail("trust", pins.message);
      run(pins.value);
      const folders = Object.fromEntries([...pins.value].map(([folder, items]) => [folder, Object.fromEntries(items)]));
      write(trustFile(home), `${JSON.stringify({ version: 1, folders }, null, 2)}\n`);
      return ok(undefined);
    });
    return done.ok ? done.value : fail("trust", done.message);
  } catch (error) {
    return fail("trust", `${trustFile(home)} could not be written: ${messageOf(error)}`);
  }
}

/** Mode of a file that only the user can read. */
function write(file: string, text: string): void {
  writeWhole(realPath(file), text, "synced");
}

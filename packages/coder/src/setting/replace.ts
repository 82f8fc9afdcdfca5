import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Writes a file in one step: a reader, also after a crash, sees the old or the new content. */
export function replaceFile(file: string, text: string, mode: number): void {
  const temp = `${file}.${crypto.randomUUID()}`;
  try {
    const handle = openSync(temp, "wx", mode);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temp, file);
  } catch (error) {
    rmSync(temp, { force: true });
    throw error;
  }
}

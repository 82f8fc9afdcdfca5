import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { writeAll } from "@pith/kit";
import type { Header } from "../entry.ts";

/** Writes a session file under a temporary name, syncs it, and renames it. */
export function writeSession(file: string, header: Header, lines: Iterable<Buffer>): void {
  const fresh = `${file}.tmp`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  rmSync(fresh, { force: true });
  const fd = openSync(fresh, "wx", 0o600);
  try {
    let waiting = [Buffer.from(`${JSON.stringify(header)}\n`)];
    let bytes = 0;
    for (const line of lines) {
      waiting.push(Buffer.from(line), newline);
      bytes += line.length;
      if (bytes < 1 << 20) continue;
      writeAll(fd, Buffer.concat(waiting));
      [waiting, bytes] = [[], 0];
    }
    writeAll(fd, Buffer.concat(waiting));
    fsyncSync(fd);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
}
const newline = Buffer.from("\n");

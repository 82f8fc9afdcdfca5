import { mkdirSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { closing } from "./descriptor.ts";
import { plainAppend } from "./plain-file.ts";
import { messageOf } from "./result.ts";

export interface Log {
  write(level: "debug" | "info" | "warn" | "error", message: string, data?: unknown): void;
}

export const silentLog: Log = { write: () => {} };

const maxBytes = 5 * 1024 * 1024;

/**
 * A JSONL log file, created at the first line and turned over at 5 MB (one old file is kept). Never throws: a log must
 * not end a run.
 */
export function fileLog(path: string, now: () => number): Log {
  let ready = false;
  return {
    write(level, message, data) {
      try {
        if (!ready) {
          mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
          ready = true;
          turnOver(path);
        }
        const line = {
          time: new Date(now()).toISOString(),
          pid: process.pid,
          level,
          message,
          data: data instanceof Error ? messageOf(data) : data,
        };
        const fd = openSync(path, plainAppend, 0o600);
        using _ = closing(fd);
        writeSync(fd, `${JSON.stringify(line)}\n`);
      } catch {
        // A full disk or a read-only home: there is nobody better to tell than the caller, who has more to do.
      }
    },
  };
}

function turnOver(path: string) {
  try {
    if (statSync(path).size > maxBytes) renameSync(path, `${path}.1`);
  } catch {
    // No file yet.
  }
}

// The one place of this package that touches a disk.
import { closeSync, fdatasync, fstatSync, ftruncateSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, truncateSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "@pith/kit";
import type { Header } from "./entry.ts";
import type { Storage } from "./storage.ts";

/** A journal in a file, created with its directory at the first append and readable by its owner alone. */
export function fileStorage(file: string): Storage {
  let fd: number | undefined;
  let size = 0;
  const open = () => {
    if (fd !== undefined) return fd;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    fd = openSync(file, "a", 0o600);
    size = fstatSync(fd).size;
    return fd;
  };
  return {
    file,
    read: () => readBytes(file),
    append: (text) => {
      const to = open();
      const bytes = Buffer.from(text);
      try {
        for (let done = 0; done < bytes.length; ) done += writeSync(to, bytes, done);
        size += bytes.length;
      } catch (error) {
        // Half a line would fuse with the next one: take it back before telling.
        try {
          ftruncateSync(to, size);
        } catch {
          // The loader cuts a torn last line.
        }
        throw error;
      }
    },
    cut: (bytes) => truncateSync(file, bytes),
    sync: () => new Promise((done, refuse) => (fd === undefined ? done() : fdatasync(fd, (error) => (error ? refuse(error) : done())))),
    close: async () => {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

/** The folder of a working directory's sessions: pi's form. The header's `cwd` decides; the folder is only a bucket. */
export const bucket = (sessions: string, cwd: string): string => join(sessions, `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`);

export const fileName = (header: Header): string => `${header.timestamp.replace(/[:.]/g, "-")}_${header.id}.jsonl`;

/** The newest session file of a working directory. Names begin with their time, so their order is the order of creation. */
export function lastSession(sessions: string, cwd: string): string | undefined {
  const folder = bucket(sessions, cwd);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return undefined;
  }
  const newest = names
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .reverse();
  return newest.map((name) => join(folder, name)).find((file) => readHeader(file)?.cwd === cwd);
}

/** The header, without reading the whole file. A `title` line may stand before it. */
export function readHeader(file: string): Header | undefined {
  const head = Buffer.alloc(4096);
  let fd: number;
  try {
    fd = openSync(file, "r");
  } catch {
    return undefined;
  }
  try {
    const text = head.toString("utf8", 0, readSync(fd, head, 0, head.length, 0));
    for (const line of text.split("\n", 3)) {
      const value = parse(line);
      if (value?.type === "session") return value as unknown as Header;
    }
    return undefined;
  } finally {
    closeSync(fd);
  }
}

function readBytes(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

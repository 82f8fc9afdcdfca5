import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf, isInside, parseJson, tryOr, writeWhole } from "@pith/kit";
import { defaultSessionsFolder } from "./files.ts";

/** Remembers a folder of sessions outside of the usual one, so that its blobs count as used. */
export function rememberFolder(home: string, file: string): void {
  const folder = dirname(file);
  if (isInside(defaultSessionsFolder(home), file) || knownFolders(home).includes(folder)) return;
  tryOr(() => {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    appendFileSync(foldersFile(home), `${JSON.stringify(folder)}\n`, { mode: 0o600 });
  });
}

/** Forgets a folder and those below it, so that blobs of their sessions may be removed; returns how many. */
export function forgetFolder(home: string, folder: string): number {
  const folders = knownFolders(home);
  const kept = folders.filter((known) => !isInside(folder, known));
  if (kept.length === folders.length) return 0;
  writeWhole(foldersFile(home), kept.map((known) => `${JSON.stringify(known)}\n`).join(""));
  return folders.length - kept.length;
}

// Append-only, a line per folder: concurrent writers lose nothing, and a torn line is a folder that does not exist.
const foldersFile = (home: string): string => join(home, "session-places.jsonl");

/** Remembered folders of sessions outside of the usual one. */
export function knownFolders(home: string): string[] {
  let text: string;
  try {
    text = readFileSync(foldersFile(home), "utf8");
  } catch (error) {
    return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR" ? [] : [foldersFile(home)];
  }
  const lines = text.split("\n").filter(Boolean);
  return lines.map((line) => String(parseJson(line) ?? line));
}

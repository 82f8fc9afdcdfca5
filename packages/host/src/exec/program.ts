import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where a program of this name stands; a folder that has no beginning is none. */
export const findProgram = (name: string, path: string): string | undefined =>
  path
    .split(delimiter)
    .filter((folder) => folder.startsWith("/") || /^[a-z]:\\/i.test(folder))
    .map((folder) => join(folder, process.platform === "win32" ? `${name}.exe` : name))
    .find(isProgram);

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { fileStat, succeeds } from "@pith/kit";

/** The path of a program; relative directories of PATH do not count. */
export const findProgram = (name: string, path: string): string | undefined =>
  path
    .split(delimiter)
    .filter((folder) => folder.startsWith("/") || /^[a-z]:\\/i.test(folder))
    .map((folder) => join(folder, process.platform === "win32" ? `${name}.exe` : name))
    .find(isProgram);

export const isProgram = (path: string): boolean =>
  succeeds(() => accessSync(path, constants.X_OK)) && fileStat(path)?.isFile() === true;

import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { realPath, tryOr } from "@pith/kit";

/** True the first time that a project is asked about; remembered in a file with a line per project. */
export function isFirst(file: string, project: string): boolean {
  const line = JSON.stringify(realPath(project));
  if (
    tryOr(() => readFileSync(file, "utf8"), "")
      .split("\n")
      .includes(line)
  )
    return false;
  tryOr(() => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
  });
  return true;
}

import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { tryOr } from "@pith/kit";

/** True the first time that it is asked about something; remembered in a file with a line for each. */
export function isFirst(file: string, what: string): boolean {
  const line = JSON.stringify(what);
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

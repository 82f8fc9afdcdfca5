import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { parseJson, readPlain, recordOf } from "@pith/kit";
import { replaceFile } from "../../setting/replace.ts";

/** What people have said of commands that their projects brought. By project, then by command: no, or yes to what. */
type Answers = Record<string, Record<string, string>>;

const maxBytes = 1024 * 1024;

/** What was said of a command of a project; undefined where nobody was asked, or what is behind it is another now. */
export const answerOn = (file: string, project: string, command: string, what: string): "yes" | "no" | undefined => {
  const said = read(file)[project]?.[command];
  return said === "no" ? "no" : said === `yes ${what}` ? "yes" : undefined;
};

/** Keeps an answer; where that cannot be written it is asked again another time. */
export function keepAnswer(file: string, project: string, command: string, said: string): void {
  const all = read(file);
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceFile(
      file,
      `${JSON.stringify({ ...all, [project]: { ...all[project], [command]: said } }, null, 1)}\n`,
      0o600,
    );
  } catch {
    // The disk is full, or not ours.
  }
}

function read(file: string): Answers {
  const mine = process.getuid?.();
  const kept = readPlain(file, { maxBytes, owner: (uid) => mine === undefined || uid === mine });
  return kept.ok ? (recordOf(parseJson(kept.value)) as Answers) : {};
}

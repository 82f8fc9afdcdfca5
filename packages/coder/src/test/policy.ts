import { readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dir, "../../../../test/data/policy");

const read = (name: string): string => readFileSync(join(folder, `${name}.txt`), "utf8");

/** The commands of a list: each begins at a dollar sign. */
function commandsOf(text: string): readonly string[] {
  const signs = (row: string) =>
    row
      .replace(/\\u\{([0-9a-f]+)\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
      .replace(/\\r(?=id|rm)/g, "\r");
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((row) => signs(row.replace(/\n$/, "")));
}

export const benign = commandsOf(read("benign"));
export const dangerous = commandsOf(read("dangerous"));

/** Commands with how bad they are and what they do. */
export const judgedRows = read("judged")
  .split("\n")
  .flatMap((row) => {
    const [, severity, effects, command] = /^(none|medium|high|critical) +(\S+) +(.+)$/.exec(row) ?? [];
    return severity && effects && command ? [{ severity, effects, command }] : [];
  });

// Puts all changes of a file into it at once, each behind a switch, so that one run of a test file tries many of them.
// A switch also notes that a run came to its place.
import type { Mutant } from "./mutant.ts";

/** Names a change among those of all files. */
export const nameOf = ({ path, id }: Pick<Mutant, "path" | "id">): string => `${path}#${id}`;

/** The source with every change behind its switch; the names of the places that a run comes to are put into `file`. */
export function withSwitches(source: string, mutants: readonly Mutant[], file: string): string {
  const cuts = mutants.flatMap((mutant, nth): Cut[] => {
    const { start, end, place, from, to } = mutant;
    const changed = mutant.text.slice(start, end + to.length - from.length);
    const [open, close] = brackets[place](nth, changed);
    const inner = place === "block" ? 1 : 0;
    return [
      { at: start + inner, text: open, isEnd: false, width: end - start },
      { at: end - inner, text: close, isEnd: true, width: end - start },
    ];
  });
  // At one place what ends stands before what begins; what is wider begins first and ends last.
  cuts.sort((a, b) => a.at - b.at || Number(b.isEnd) - Number(a.isEnd) || (a.isEnd ? 1 : -1) * (a.width - b.width));
  let text = "";
  let at = 0;
  for (const cut of cuts) {
    text += source.slice(at, cut.at) + cut.text;
    at = cut.at;
  }
  const names = JSON.stringify(mutants.map(nameOf));
  const facts = `var __names = ${names}, __seen = new Set(), __file = ${JSON.stringify(file)};`;
  return `${facts} ${text}${source.slice(at)}\n${isOn}`;
}

interface Cut {
  at: number;
  text: string;
  isEnd: boolean;
  width: number;
}

const brackets: Readonly<Record<Mutant["place"], (nth: number, changed: string) => [string, string]>> = {
  statement: (nth, changed) => [`{if (__on(${nth})) {${changed}} else {`, "}}"],
  expression: (nth, changed) => [`(__on(${nth}) ? (${changed}) : (`, "))"],
  block: (nth) => [`if (!__on(${nth})) {`, "}"],
};

/** A module that is still being loaded has no names yet, and who cannot write to the file does not tell. */
const isOn = `function __on(nth) {
  if (__seen && !__seen.has(nth)) {
    __seen.add(nth);
    try {
      process.getBuiltinModule("node:fs").appendFileSync(__file, __names[nth] + "\\n");
    } catch {}
  }
  return globalThis.__mutant !== undefined && __names?.[nth] === globalThis.__mutant;
}
`;

/**
 * Text that is loaded before a test file that runs once for each line of `list`: sets the switch that the line names
 * for that run, none for an empty one, and says on its stderr which one it is.
 */
export const preloaded = (list: string): string => `import { afterAll, beforeAll } from "bun:test";
import { readFileSync, writeSync } from "node:fs";
const names = readFileSync(${JSON.stringify(list)}, "utf8").split("\\n");
let at = 0;
beforeAll(() => {
  writeSync(2, "\\n## " + at + "\\n");
  globalThis.__mutant = names[at++] || undefined;
});
afterAll(() => {
  globalThis.__mutant = undefined;
});
`;

/** Results of runs in a row, by the line of the list; a run that is not in it did not end. */
export function runsOf(output: string): Map<number, "passed" | "failed"> {
  const parts = output.split(/^## (\d+)$/m).slice(1);
  const runs = new Map<number, "passed" | "failed">();
  for (let at = 0; at < parts.length; at += 2)
    runs.set(Number(parts[at]), failure.test(parts[at + 1] ?? "") ? "failed" : "passed");
  return runs;
}
const failure = /^\(fail\) |Unhandled error between tests/m;

// Marks every place that a mutant changes, so that a run of the tests tells which of them it comes to.
import type { Mutant } from "./mutant.ts";

/** The source with a mark at the place of each mutant; a mark writes `<path> <id>` to the file once per process. */
export function markReached(source: string, mutants: readonly Mutant[], file: string): string {
  const cuts = mutants.flatMap(({ start, end, place }, nth): Cut[] => {
    const [open, close] = brackets[place](nth);
    const from = place === "block" ? start + 1 : start;
    return [
      { at: from, text: open, rank: start - end },
      { at: place === "block" ? from : end, text: close, rank: end - start, isEnd: place !== "block" },
    ];
  });
  // At one place what ends stands before what begins; what is wider begins first and ends last.
  cuts.sort((a, b) => a.at - b.at || Number(b.isEnd ?? false) - Number(a.isEnd ?? false) || a.rank - b.rank);
  let text = "";
  let at = 0;
  for (const cut of cuts) {
    text += source.slice(at, cut.at) + cut.text;
    at = cut.at;
  }
  const ids = JSON.stringify(mutants.map(({ id }) => id));
  const where = JSON.stringify([file, mutants[0]?.path]);
  return `var __ids = ${ids}, __seen = new Set(), [__file, __path] = ${where}; ${text}${source.slice(at)}\n${recorder}`;
}

interface Cut {
  at: number;
  text: string;
  rank: number;
  isEnd?: boolean;
}

const brackets: Readonly<Record<Mutant["place"], (nth: number) => [string, string]>> = {
  statement: (nth) => [`{__reach(${nth});`, "}"],
  expression: (nth) => [`(__reach(${nth}), `, ")"],
  block: (nth) => [`__reach(${nth});`, ""],
};

/** A module that is still being loaded has no names yet, and who cannot write to the file does not tell. */
const recorder = `function __reach(nth) {
  if (!__seen || __seen.has(nth)) return;
  __seen.add(nth);
  try {
    process.getBuiltinModule("node:fs").appendFileSync(__file, __path + " " + __ids[nth] + "\\n");
  } catch {}
}
`;

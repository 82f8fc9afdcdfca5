// Summaries of a 5,000-line file, in a process of their own: `summary` is ours, `parse` only parses. Run as a program
// it prints milliseconds: from the start of the work to the first result, then each further one.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Lab } from "./lab.ts";
import type { Measure, Sample, Work } from "./work.ts";

type Language = "typescript" | "python";
const rounds = 12;

interface Goals {
  /** Milliseconds. */
  cold: number;
  warm: NonNullable<Measure["goal"]>;
}

export function syntaxWork(language: Language, title: string, goals: Goals): Work {
  const run = (what: "summary" | "parse") => (lab: Lab) => measure(lab, language, what);
  return {
    title: `summary of 5,000 lines of ${title}`,
    pith: run("summary"),
    floor: run("parse"),
    measures: [
      { of: "cold", title: "first, with the parser loaded for it", unit: "ms", goal: { atMost: goals.cold } },
      { of: "warm", title: "further ones", unit: "ms", goal: goals.warm },
    ],
  };
}

async function measure(lab: Lab, language: Language, what: "summary" | "parse"): Promise<Sample> {
  const file = join(lab.project, `big.${language}`);
  writeFileSync(file, big[language]());
  const child = Bun.spawn([process.execPath, import.meta.path, what, language, file], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const times = JSON.parse(await new Response(child.stdout).text()) as number[];
  if ((await child.exited) !== 0 || times.length !== rounds) throw new Error(`${what} of ${language} was not done`);
  const [cold = 0, ...warm] = times;
  return { cold, warm: warm.sort((a, b) => a - b)[Math.floor(warm.length / 2)] ?? 0 };
}

const big: Record<Language, () => string> = {
  typescript: () =>
    Array.from(
      { length: 250 },
      (_, i) => `/** Number ${i}. */
export function make${i}(count: number, name: string): Promise<Record<string, number>> {
  const list = [1, 2, 3].map((one) => one * count);
  if (list.length > ${i}) {
    for (const item of list) {
      tell(\`item \${item} of \${name}\`, { item, name, list });
    }
  } else {
    return Promise.resolve({ count, [name]: ${i} });
  }
  return new Promise((done) => done({ count }));
}

export class Thing${i} extends Base {
  #value = ${i};
  get value(): number { return this.#value; }
  letters(input: string) {
    return input.split("").filter((letter) => letter !== "x").join("");
  }
}
`,
    ).join(""),
  python: () =>
    Array.from(
      { length: 250 },
      (_, i) => `class Thing${i}(Base):
    """Number ${i}."""

    value = {"a": ${i}, "b": [1, 2, 3]}

    def make(self, count: int, name: str = "x") -> dict[str, int]:
        found = [one * count for one in (1, 2, 3)]
        if len(found) > ${i}:
            for item in found:
                tell(f"item {item} of {name}", item=item, name=name)
        else:
            return {"count": count, name: ${i}}
        with open(name) as file:
            return {line: len(line) for line in file}

    @property
    def letters(self):
        return "".join(letter for letter in self.name if letter != "x")


`,
    ).join(""),
};

if (import.meta.main) {
  const [what, language, file = ""] = process.argv.slice(2) as ["summary" | "parse", Language, string];
  const text = readFileSync(file, "utf8");
  const times: number[] = [];
  let start = performance.now();
  const once = what === "summary" ? await summary(language) : await bare(language);
  for (let i = 0; i < rounds; i++) {
    once(text);
    times.push(performance.now() - start);
    start = performance.now();
  }
  process.stdout.write(JSON.stringify(times));
}

async function summary(language: Language): Promise<(text: string) => void> {
  const { openLanguage, summarise } = await import("../packages/host/src/index.ts");
  const opened = await openLanguage(language);
  return (text) => {
    const made = summarise(text, opened);
    if (!made || made.totalLines < 4900 || made.elidedLines < 1500) throw new Error("no summary");
  };
}

async function bare(language: Language): Promise<(text: string) => void> {
  const need = createRequire(new URL("../packages/host/package.json", import.meta.url));
  if (language === "typescript") {
    const { Lang, parse } = need("@ast-grep/napi");
    return (text) => parse(Lang.TypeScript, text).root();
  }
  const { Language, Parser } = need("web-tree-sitter");
  const { grammarBytes } = await import("../packages/host/src/syntax/parse/grammar.ts");
  await Parser.init();
  const parser = new Parser().setLanguage(await Language.load(grammarBytes(language)));
  return (text) => parser.parse(text).delete();
}

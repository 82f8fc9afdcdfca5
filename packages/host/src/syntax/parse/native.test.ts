// Two parsers, one contract: what the native one says of a text, the grammar in wasm says too.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { blockAt } from "../block.ts";
import type { LanguageName } from "../language.ts";
import { type Language, withTree } from "../open.ts";
import { compilePattern } from "../pattern/goal.ts";
import { findMatches } from "../pattern/match.ts";
import { summarise, summaryLimits } from "../summary.ts";
import { openNative } from "./native.ts";
import { openWasm } from "./wasm.ts";

const folder = join(import.meta.dir, "..");
const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(join(folder, name), "utf8"));
const broken = sources.map((text) => text.slice(0, Math.floor(text.length * 0.7)));

const fails = (text: string, language: Language) => withTree(text, language, (tree) => tree.errors().length > 0);

const texts: Partial<Record<LanguageName, string[]>> = {
  typescript: [...sources, ...broken],
  tsx: [
    "export const A = ({ x }: P) => {\n  const y = 1;\n  use(y);\n  use(x);\n  use(y);\n  return <p className={x}>{y}</p>;\n};\n",
    "const a = <p>;\n",
  ],
  javascript: [
    "class A {\n  #x = 1;\n  static { a(); }\n  get y() { return this.#x; }\n}\n",
    "function (",
    "a ? b : c;\nlabel: for (;;) break label;\n",
  ],
};
const patterns: Partial<Record<LanguageName, string[]>> = {
  typescript: [
    "$A($$$B)",
    "const $A = $B",
    "if ($C) { $$$ }",
    "export function $F($$$P): $R { $$$B }",
    "[$$$A, $B]",
    "import { $$$ } from $M",
  ],
  tsx: ["<p $$$>$$$</p>", "use($A)"],
  javascript: ["get $N() { $$$ }", "$A ? $B : $C"],
};

for (const name of Object.keys(texts) as LanguageName[])
  test(`${name}: both parsers see the same folds, blocks, errors and matches`, async () => {
    const native = { name, engine: 0, ...openNative(name) };
    const wasm = { name, engine: 0, parse: await openWasm(name) };
    for (const text of texts[name] ?? []) {
      expect(summarise(text, wasm, { limits: { ...summaryLimits, minLines: 1 } })).toEqual(
        summarise(text, native, { limits: { ...summaryLimits, minLines: 1 } }),
      );
      expect(fails(text, wasm)).toBe(fails(text, native));
      for (const line of [1, 2, 3, 7, 12, 25]) expect(blockAt(text, wasm, line)).toEqual(blockAt(text, native, line));
      for (const pattern of patterns[name] ?? []) {
        const [byNative, byWasm] = [native, wasm].map((language) => {
          const compiled = compilePattern(pattern, language);
          if (!compiled.ok) throw new Error(compiled.message);
          using tree = language.parse(text);
          if (!tree) throw new Error("not parsed");
          return findMatches(compiled.value, tree, text).map(({ from, to }) => [from, to]);
        });
        expect(byWasm).toEqual(byNative as NonNullable<typeof byNative>);
      }
    }
  });

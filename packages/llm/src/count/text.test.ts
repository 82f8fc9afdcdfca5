import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { samples, tokenizers } from "../test/tokens.ts";
import { countText } from "./text.ts";

const root = join(import.meta.dir, "../../../..");
const file = (name: string) => readFileSync(join(root, name), "utf8").slice(0, 30_000);

test("a text of any kind is counted about as real vocabularies count it", async () => {
  const texts = {
    ...Object.fromEntries(Object.entries(samples).map(([kind, text]) => [kind, text(1)])),
    "real prose": file("docs/architecture.md"),
    "real code": file("packages/agent/src/loop/turn.ts") + file("packages/agent/src/loop/batch.ts"),
    "real JSON": file("package.json") + file("biome.json"),
    korean: "캐시는 네트워크보다 먼저 조회됩니다. 대부분의 독자가 같은 페이지를 곧 다시 열기 때문입니다. ".repeat(5),
    russian: "Кэш опрашивается раньше сети, потому что большинство читателей скоро откроют ту же страницу. ".repeat(5),
  };
  for (const [name, load] of Object.entries(tokenizers)) {
    const count = await load();
    for (const [kind, text] of Object.entries(texts)) {
      const ratio = countText(text) / count(text);
      expect([name, kind, ratio > 0.78 && ratio < 1.25 ? "near" : ratio]).toEqual([name, kind, "near"]);
    }
  }
}, 30_000);

test("a list of paths is counted as closely as code", async () => {
  const folders = ["docs", "test", ...["agent", "cli", "coder", "host", "tui"].map((name) => `packages/${name}/src`)];
  const paths = folders.flatMap((folder) => {
    const names = readdirSync(join(root, folder), { recursive: true }) as string[];
    return names.sort().map((name) => `${folder}/${name}`);
  });
  for (const [name, load] of Object.entries(tokenizers)) {
    const ratio = countText(paths.join("\n")) / (await load())(paths.join("\n"));
    expect([name, ratio > 0.9 && ratio < 1.1 ? "near" : ratio]).toEqual([name, "near"]);
  }
}, 30_000);

test("counting takes one pass over whatever text, and never fails", () => {
  for (const odd of ["", " ", "\n\n\n", "\u0000\u0007", "\ud800", "😀".repeat(5), "A", "a1B2", "é".repeat(9)])
    expect([odd, countText(odd) >= 0]).toEqual([odd, true]);
  const time = (text: string) => {
    const began = performance.now();
    countText(text);
    return performance.now() - began;
  };
  // Nothing of it is slow: no text of its length costs much more than another.
  for (const text of ["a", "A", "Aa", " ", "字", "1", "{"]) expect(time(text.repeat(500_000))).toBeLessThan(1000);
});

import { expect, test } from "bun:test";
import { fuzzy } from "./fuzzy.ts";

test("a fuzzy filter prefers what a person meant", () => {
  const names = ["src/screen/ledger.ts", "src/text/highlight.ts", "README.md", "src/widget/list.ts"];
  expect(fuzzy(names, "list", (name) => name)[0]?.item).toBe("src/widget/list.ts");
  expect(fuzzy(names, "scled", (name) => name)[0]?.item).toBe("src/screen/ledger.ts");
  expect(fuzzy(names, "ts text", (name) => name).length).toBe(1);
  expect(fuzzy(names, "zzz", (name) => name)).toEqual([]);
});

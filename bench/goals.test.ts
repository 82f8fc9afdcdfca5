import { expect, test } from "bun:test";
import { join } from "node:path";
import { goalsTable, loadWorks, workNames } from "./goals.ts";

test("the page on benchmarks names every goal as it is judged", async () => {
  const page = await Bun.file(join(import.meta.dir, "..", "docs", "benchmarks.md")).text();
  expect(page).toContain(goalsTable(await loadWorks(workNames())));
});

// A folder of the project is swapped for a link to a place outside, and back, as fast as the machine can, while calls
// are prepared and the project is searched. Nothing of the place outside is told: nobody was asked about it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { refusal } from "../../packages/agent/src/index.ts";
import { openFiles } from "../../packages/coder/src/files/files.ts";
import { Looking } from "../../packages/coder/src/files/sight.ts";
import { isInside } from "../../packages/kit/src/index.ts";
import { scratch } from "../scratch.ts";
import { type Flipper, flip } from "./flip.ts";

const { signal } = new AbortController();
const seconds = 1.5;

describe.skipIf(process.platform !== "linux")("while a folder is swapped for a link", () => {
  let flipper: Flipper | undefined;
  afterAll(() => flipper?.stop());
  const dir = scratch(afterAll);
  const work = dir.at("work");
  beforeAll(async () => {
    for (let n = 0; n < 20; n++)
      dir.write({
        [`work/d/sub/f${n}.txt`]: "inside\n",
        [`out/sub/f${n}.txt`]: "outside\n",
        [`out/sub/o${n}.c`]: "x\n",
      });
    dir.write({ "work/d/sub/in.txt": "inside\n" });
    mkdirSync(dir.at("out/sub/in.txt"));
    symlinkSync(dir.at("out"), dir.at("work/l"));
    flipper = await flip(dir);
    expect(flipper.flips).toBe("yes");
  });
  const looking = new Looking((real) => isInside(work, real));
  const files = openFiles({
    cwd: work,
    userHome: "/nobody",
    cacheDir: work,
    path: process.env.PATH,
    check: (path) => looking.check(path),
  });
  /** Counts how often a secret was seen, and how often nothing was because the path was not judged. */
  const looks = async (look: () => unknown, tells: (seen: string) => boolean) => {
    const count = { told: 0, seen: 0, held: 0 };
    const refused = refusal("");
    for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
      const made: unknown = await looking.sight(
        async () => (await look()) as never,
        async () => refused,
      );
      count[made === refused ? "held" : "seen"]++;
      if (made !== refused && tells(JSON.stringify(made) ?? "")) count.told++;
    }
    return count;
  };
  const path = dir.at("work/d/sub/f1.txt");
  const outside = [...Buffer.from("outside")].join(",");
  const search = (root: string) => files.search({ root, pattern: "outside", max: 99, timeoutMs: 9000, signal });

  test.each<[string, () => unknown, (seen: string) => boolean]>([
    [
      "what an edit finds",
      () => {
        const found = files.find(path);
        return found.ok && found.value.is === "file" ? [...found.value.bytes] : "";
      },
      (seen) => seen.includes(outside),
    ],
    ["what a path is", () => files.stat(dir.at("work/d/sub/in.txt"))?.isDirectory(), (seen) => seen === "true"],
    [
      "what a directory holds",
      () => files.tree(dir.at("work/d/sub"), { depth: 1, perDirectory: 9, max: 99, signal }),
      (seen) => seen.includes("o1.c"),
    ],
    [
      "what a missing path may have meant",
      () => files.near(dir.at("work/d/sub/o1.cc")),
      (seen) => seen.includes('o1.c"') && !seen.includes(dir.at("out")),
    ],
    ["what is found in a file", () => search(path), (seen) => seen.includes("outside")],
    ["what is found in the folder", () => search(dir.at("work/d")), (seen) => seen.includes("outside")],
    ["what is found in the project", () => search(work), (seen) => seen.includes("outside")],
    [
      "what is listed of the project",
      () => files.list({ root: work, max: 99, timeoutMs: 9000, signal }),
      (seen) => seen.includes("o1.c"),
    ],
  ])("%s is inside", async (_, look, tells) => {
    const count = await looks(look, tells);
    expect(count.seen).toBeGreaterThan(0);
    expect(count.told).toBe(0);
  });
});

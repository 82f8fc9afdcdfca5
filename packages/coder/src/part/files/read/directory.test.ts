import { expect, test } from "bun:test";
import { symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { openReading } from "../../../test/read.ts";

const { cwd, at, put, now, run, said } = openReading("read-directory");

test("a directory is a tree, the last changed first, with sizes and ages", async () => {
  const dated = (path: string, content: string, seconds: number) => {
    put(path, content);
    utimesSync(at(path), now / 1000 - seconds, now / 1000 - seconds);
  };
  dated("tree/new.txt", "12345", 30);
  dated("tree/old.txt", "", 3 * 86_400);
  for (let i = 0; i < 14; i++) dated(`tree/deep/${String(i).padStart(2, "0")}`, "x".repeat(2048), 7200 + i);
  put("tree/deep/under/hidden.txt", "");
  for (const [path, seconds] of [
    ["tree/deep/under", 9000],
    ["tree/deep", 60],
  ] as const)
    utimesSync(at(path), now / 1000 - seconds, now / 1000 - seconds);
  symlinkSync("..", at("tree/up"));
  utimesSync(join(cwd), now / 1000 - 10 * 86_400, now / 1000 - 10 * 86_400);
  const rows = Array.from({ length: 12 }, (_, i) => `  ${String(i).padStart(2, "0")}  2KB  2h ago`);
  expect(await run("tree")).toMatchObject({
    kind: "listing",
    data: { path: "tree", count: 4 },
    text: [
      "[tree/]",
      "new.txt  5B  just now",
      "deep/  1m ago",
      ...rows,
      "  … 3 more",
      "old.txt  0B  3d ago",
      "up/@  10d ago",
    ].join("\n"),
  });
  expect((await run("tree:2-3")).text).toBe("[tree/]\ndeep/  1m ago\n  00  2KB  2h ago");
});

test("a directory with very many names is cut and says so; a slash is the project", async () => {
  for (let i = 0; i < 501; i++) put(`crowd/${i}`, "");
  expect(await said("crowd")).toEndWith(
    "[Only the first 500 are listed. There are 501 lines; go on with crowd:501-501]",
  );
  expect((await run("crowd:501-1000")).text).toMatch(/^\[crowd\/\]\n\d+ {2}0B {2}\w/);
  expect((await run("crowd:900")).text).toBe("[crowd/]\nLine 900 is past the end: the last one is :501, the first :1");
  expect((await run("/")).data).toMatchObject({ path: "." });
});

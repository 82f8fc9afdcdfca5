import { expect, test } from "bun:test";
import { runFrom } from "@pith/host";
import { guarded } from "./guarded.ts";

const homes = { home: "/home/u", pithHome: "/home/u/.pith", kept: [], scratch: [] };
const why = (path: string) => guarded({ path, place: "inside" }, "write", homes);

test("what commands behind the wall cannot write is asked about where a tool writes it", () => {
  for (const name of Object.values(runFrom).flat())
    for (const path of [`/work/${name}`, `/work/deep/${name.toUpperCase()}`, `/work/${name}/x`])
      expect([path, why(path)]).toEqual([path, expect.stringContaining("is written: ")]);
  expect(why("/work/.github")).toContain("a file that a build server runs");
  for (const path of ["/work/src/a.ts", "/work/.github/README.md", "/work/.vscode/x", "/work/my.envrc", "/work/husky"])
    expect([path, why(path)]).toEqual([path, undefined]);
});

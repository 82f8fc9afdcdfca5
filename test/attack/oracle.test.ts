// The meaning of a path argument does not depend on files outside of the project: a refusal names the path and would
// reveal them.
import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { resolvePath } from "../../packages/coder/src/files/path.ts";
import { scratch } from "../scratch.ts";

test.each(["no other folder", "another folder"])(
  "with %s a path outside means the same whether it is there",
  (more) => {
    using dir = scratch();
    dir.write({ "a/b/proj/src/x.txt": "", "more/.keep": "", "a/out/there/x": "", "out/there/x": "" });
    symlinkSync(dir.at("out"), dir.at("a/b/proj/lnk"));
    const roots = more === "another folder" ? [dir.at("more")] : [];
    mkdirSync(dir.at("there"));
    const meant = (name: string) => resolvePath({ cwd: dir.at("a/b/proj"), userHome: "/nobody", roots }, name);
    for (const name of [
      "proj/../../out/NAME/x",
      "proj/../../../out/NAME/x",
      "proj/../../../out/NAME",
      "proj/lnk/NAME/x",
      "../NAME",
      "more/../NAME",
    ])
      expect([name, meant(name.replace("NAME", "there"))]).toEqual([
        name,
        meant(name.replace("NAME", "gone")).replace("gone", "there"),
      ]);
    expect(meant("proj/src/x.txt")).toBe(dir.at("a/b/proj/src/x.txt"));
  },
);

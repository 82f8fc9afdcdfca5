import { expect, test } from "bun:test";
import { autorunInHome, autorunInProject, secretsInHome } from "@pith/host";
import { guarded } from "./guarded.ts";

const homes = { home: "/home/u", pithHome: "/home/u/.pith", kept: [], scratch: [] };
const why = (path: string) => guarded({ path, kind: "inside" }, "write", homes);

test("what commands behind the wall cannot write is asked about where a tool writes it", () => {
  for (const name of autorunInProject.flatMap(({ names }) => names.map((one) => one.replace("*", "x"))))
    for (const path of [`/work/${name}`, `/work/deep/${name.toUpperCase()}`, `/work/${name}/x`])
      expect([path, why(path)]).toEqual([path, expect.stringContaining("is written: ")]);
  expect(why("/work/.github")).toContain("a file that a build server runs");
  for (const path of ["/work/src/a.ts", "/work/.github/README.md", "/work/.vscode/x", "/work/my.envrc", "/work/husky"])
    expect([path, why(path)]).toEqual([path, undefined]);
});

test("what commands behind the wall cannot read or change in the home is asked about where a tool does it", () => {
  const outside = (name: string, effect: "read" | "write") =>
    guarded({ path: `/home/u/${name}`, kind: "outside" }, effect, homes);
  for (const name of secretsInHome)
    for (const path of [name, `${name}/x`, name.toUpperCase()])
      expect([path, outside(path, "read")]).toEqual([path, expect.stringContaining("may hold keys")]);
  for (const name of autorunInHome) expect([name, outside(name, "write")]).toEqual([name, expect.any(String)]);
  for (const name of [".dockerx", ".config/ops", "notes/.ssh.md", ".bashrc.d"])
    expect([name, outside(name, "read"), outside(name, "write")]).toEqual([name, undefined, undefined]);
  // A project may have programs of its own, also where it is the home.
  expect(why("/home/u/bin/tool")).toBeUndefined();
});

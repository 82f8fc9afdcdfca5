import { expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openFiles } from "../../../files/files.ts";
import { openProject } from "../../../test/project.ts";
import { openReading, sampleFiles } from "../../../test/read.ts";
import { runTool } from "../../../test/run.ts";
import { scopesBySuffix } from "../../../tools/missing.ts";
import { read } from "./read.ts";

const { at, put, run, options, call } = openReading("read-missing");

test("a missing file brings its likely name, or the folder that is missing", async () => {
  put("src/a.ts");
  expect(await run("src/b.ts")).toMatchObject({
    failed: true,
    text: "src/b.ts: no such file or directory. Did you mean src/a.ts?",
  });
  expect((await run("scr/a.ts")).text).toBe("scr/a.ts: no such file or directory. There is no scr. Did you mean src?");
});

test("a path of the project with a slash before it brings its name", async () => {
  put("src/u8.txt");
  expect((await run("/src/u8.txt")).text).toBe("/src/u8.txt: no such file or directory. Did you mean src/u8.txt?");
});

test("links that lead in a circle are told so, whoever asks", async () => {
  symlinkSync("round", at("circle"));
  symlinkSync("circle", at("round"));
  expect((await run("circle")).text).toBe("circle: too many symbolic links");
  const files = openFiles({ cwd: at(""), userHome: at("home"), cacheDir: at(""), path: undefined });
  const scope = { is: "missing" as const, argument: "circle", ranges: [] };
  const { problem } = await scopesBySuffix(files, scope, new AbortController().signal);
  expect(problem).toBe("There is no circle: its links lead in a circle");
});

test("a path that is missing is found by its end when only one file has it", async () => {
  put("pkg/lib/deep/only.ts", "here\n");
  expect(await run("deep/only.ts")).toMatchObject({
    text: [
      "[There is no deep/only.ts; this is pkg/lib/deep/only.ts, the only path that ends so]",
      "[pkg/lib/deep/only.ts]\n1:here",
    ].join("\n"),
    data: { suffixResolution: { from: "deep/only.ts", to: "pkg/lib/deep/only.ts" } },
  });
  put("other/deep/only.ts", "");
  expect(await run("deep/only.ts")).toMatchObject({ failed: true });
  expect(await run("../only.ts")).toMatchObject({ failed: true });
});

test("what is inside of a file is found by the end of the path as well", async () => {
  mkdirSync(at("far/away"), { recursive: true });
  for (const name of ["pack.tgz", "shop.db"]) copyFileSync(join(sampleFiles, name), at(`far/away/${name}`));
  expect((await run("away/pack.tgz:src/a.ts:2-2")).text).toStartWith(
    "[There is no away/pack.tgz; this is far/away/pack.tgz, the only path that ends so]\n[far/away/pack.tgz:src/a.ts]\n1:one\n2:two",
  );
  expect((await run("away/shop.db:item:3")).text).toEndWith(
    "the only path that ends so]\nid: 3\nname: item 3\nprice: 4.5",
  );
  expect(await run("nowhere/pack.tgz:src/a.ts")).toMatchObject({ failed: true });
});

test("a suffix is not matched through a link, and names outside of the project are not told to a guess", async () => {
  const outside = mkdtempSync(join(tmpdir(), "pith-read-outside-"));
  try {
    mkdirSync(join(outside, "ssh"));
    writeFileSync(join(outside, "ssh/id_rsa"), "secret");
    symlinkSync(outside, at("linked"));
    symlinkSync(join(outside, "ssh/id_rsa"), at("pkg/id_rsa"));
    expect(await run("ssh/id_rsa")).toMatchObject({ failed: true });
    expect(await run("elsewhere/id_rsa")).toMatchObject({ failed: true });
    for (const path of [join(outside, "ssh/id_rsb"), "linked/ssh/id_rsb", "linked/shs/x"])
      expect((await run(path)).text).not.toContain("Did you mean");
  } finally {
    rmSync(outside, { recursive: true });
  }
});

test("several paths that end so are named", async () => {
  put("one/same/x.ts", "1");
  put("two/same/x.ts", "2");
  expect((await run("same/x.ts")).text).toMatch(/^same\/x\.ts: .*Several paths end so: (?:one|two)\/same\/x\.ts, /);
});

test("a link to nowhere says where it leads, and is not suggested for itself", async () => {
  symlinkSync("gone/for/good", at("dangling"));
  expect((await run("dangling")).text).toBe(
    "dangling: no such file or directory: it is a link to gone/for/good, which is not there",
  );
});

test("the name of the project in front is understood, also where a package in it has that name", async () => {
  const name = basename(at("."));
  put("README.md", "read me");
  put(`${name}/core.ts`, "core");
  expect((await run(`${name}/README.md`)).text).toContain("1:read me");
  expect((await run(`${name}/core.ts`)).text).toContain("1:core");
});

test("a path that is missing is looked for in the other folders of the project too", async () => {
  const other = openProject("read-root");
  other.put("lib/far/below.ts", "there\n");
  const files = openFiles({
    cwd: options.files.cwd,
    userHome: "/",
    roots: [other.cwd],
    cacheDir: other.cwd,
    path: undefined,
  });
  const { text } = await runTool(read({ ...options, files }), { path: "far/below.ts" }, call);
  expect(text).toContain("1:there");
});

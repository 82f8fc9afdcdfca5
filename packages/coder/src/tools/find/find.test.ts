import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Outcome, openArtifacts, resultFields } from "@pith/agent";
import { rgPath } from "@pith/host";
import { ok } from "@pith/kit";
import { pathsOf, runTool } from "../../test/run.ts";
import { Conflicts } from "../../url/conflicts.ts";
import { Router } from "../../url/router.ts";
import { find } from "./find.ts";

const cwd = mkdtempSync(join(tmpdir(), "pith-find-"));
afterAll(() => rmSync(cwd, { recursive: true }));
const put = (path: string, age: number) => {
  mkdirSync(join(cwd, path, ".."), { recursive: true });
  writeFileSync(join(cwd, path), "");
  utimesSync(join(cwd, path), 1_700_000_000 - age, 1_700_000_000 - age);
};
put(".gitignore", 900);
writeFileSync(join(cwd, ".gitignore"), "*.log\n");
put("root.ts", 50);
put("src/old.ts", 40);
put("src/new.ts", 10);
put("src/deep/low.ts", 60);
put("lib/mid.ts", 20);
put("src/other.js", 5);
put("src/.dot.ts", 70);
put("skipped.log", 80);
put("with,comma.md", 90);
const urls = new Router({
  artifacts: openArtifacts(join(cwd, "s.jsonl")),
  sessionDir: join(cwd, "s"),
  project: cwd,
  home: cwd,
  conflicts: new Conflicts(undefined),
});
const own = find({ env: process.env, cwd, userHome: cwd, urls, rg: () => rgPath({ cacheDir: cwd }) });
const shown: Outcome[] = [];
const call = { id: "1", signal: new AbortController().signal, progress: (part: Outcome) => void shown.push(part) };
const run = (paths: string | string[], more: object = {}) => runTool(own, { paths: [paths].flat(), ...more }, call);
const said = async (paths: string | string[], more: object = {}) => {
  const [block] = resultFields(await run(paths, more)).content;
  return block?.type === "text" ? block.text : "";
};

test("files stand below their directories, the root first, then by their newest file", async () => {
  expect(await run("*.ts")).toMatchObject({
    kind: "listing",
    data: {
      path: ".",
      count: 6,
      files: ["src/new.ts", "lib/mid.ts", "src/old.ts", "root.ts", "src/deep/low.ts", "src/.dot.ts"],
    },
    text: "root.ts\n\n# src/\nnew.ts\nold.ts\n.dot.ts\n\n# lib/\nmid.ts\n\n# src/deep/\nlow.ts",
  });
});

test("a bare pattern goes to any depth, one below a directory does not unless it says so", async () => {
  expect((await run("src/*.ts")).data).toMatchObject({ files: ["src/new.ts", "src/old.ts", "src/.dot.ts"] });
  expect((await run("src/**/*.ts", { hidden: false })).data).toMatchObject({
    files: ["src/new.ts", "src/old.ts", "src/deep/low.ts"],
  });
  expect((await run("src")).data).toMatchObject({ count: 5 });
  expect((await run("**/dee*")).text).toBe("# src/\ndeep/");
});

test("a file that was named exactly is one line, a name with a comma stays whole, joined ones are taken apart", async () => {
  expect((await run("src/new.ts")).text).toBe("src/new.ts");
  expect((await run("with,comma.md")).text).toBe("with,comma.md");
  expect((await run("src/new.ts,root.ts")).text).toBe("src/new.ts\nroot.ts");
});

test("what git ignores is found when asked for", async () => {
  expect((await run("*.log")).text).toBe("No files found matching pattern");
  expect((await run("*.log", { gitignore: false })).text).toBe("skipped.log");
});

test("the limit keeps the newest, is told, and the next page follows", async () => {
  expect(await said("*.ts", { limit: 1 })).toBe(
    "# src/\nnew.ts\n\n[There are more: use skip=1 for the next page, or narrow the pattern]",
  );
  expect(await said("*.ts", { limit: 1, skip: 1 })).toStartWith("# lib/\nmid.ts");
  expect(await run("*.ts", { limit: 2.9 })).toMatchObject({
    data: { count: 2, truncated: true, resultLimitReached: true },
  });
});

test("missing entries are skipped and told; when all are, it is an error", async () => {
  expect(await said(["*.js", "nowhere"])).toBe("# src/\nother.js\n\n[Skipped missing paths: nowhere]");
  expect(await run("nowhere")).toMatchObject({ failed: true, text: "Path not found: nowhere" });
  expect(await run(["gone/*.ts", "nowhere"])).toMatchObject({
    failed: true,
    text: "Path not found: gone/*.ts, nowhere",
  });
});

test("what means nothing is refused with its reason", async () => {
  expect(await run("/")).toMatchObject({ failed: true, text: "Searching from root directory '/' is not allowed" });
  expect(await run("/*.ts")).toMatchObject({ failed: true, text: "Searching from root directory '/' is not allowed" });
  expect(await run([])).toMatchObject({ failed: true, text: "`paths` must contain non-empty globs or paths" });
  expect(await run(["a", " "])).toMatchObject({ failed: true, text: "`paths` must contain non-empty globs or paths" });
  expect(await run("*", { limit: 0 })).toMatchObject({ failed: true, text: "Limit must be a positive number" });
  expect(await run("*.none")).toMatchObject({ text: "No files found matching pattern", data: { count: 0 } });
});

test("time that is up brings what was found so far", async () => {
  const slow = join(cwd, "slow-rg");
  writeFileSync(slow, "#!/bin/sh\nprintf './root.ts\\0'\nexec sleep 20\n", { mode: 0o755 });
  const late = find({ env: process.env, cwd, userHome: cwd, urls, rg: async () => ok(slow) });
  const got = await runTool(late, { paths: ["*.ts"], timeout: 0.1 }, call);
  expect(got).toMatchObject({
    data: { count: 1, truncated: true },
    meta: { notes: ["find timed out after 0.5s; returning 1 partial matches — increase timeout or narrow pattern"] },
  });
  expect(got.failed).toBeUndefined();
  expect(shown.at(-1)).toMatchObject({ kind: "listing", text: "root.ts" });
});

test("internal addresses with a file behind them are found, their globs refused", async () => {
  mkdirSync(join(cwd, "s"));
  writeFileSync(join(cwd, "s", "0.bash.log"), "x");
  expect((await run("artifact://0")).text).toBe("artifact://0");
  expect(await run("artifact://*")).toMatchObject({
    failed: true,
    text: "Glob patterns are not supported for internal URLs: artifact://*",
  });
  expect(await run("pith://cli")).toMatchObject({ failed: true, text: "pith://cli has no file behind it" });
});

test("a find reads below its paths, with links and globs resolved to where they begin", () => {
  expect(await pathsOf(own, { paths: ["src/*.ts", "/etc", "artifact://0"] })).toEqual([join(cwd, "src"), "/etc"]);
});

test("links are found beside files, those that git ignores are not, and one to a directory is not entered", async () => {
  const own = mkdtempSync(join(tmpdir(), "pith-link-"));
  try {
    mkdirSync(join(own, "real"));
    writeFileSync(join(own, "real/AGENTS.md"), "x");
    for (const [link, to] of [
      ["CLAUDE.md", "real/AGENTS.md"],
      ["folder.md", "real"],
      ["nowhere.md", "gone"],
      ["skipped.md", "real/AGENTS.md"],
    ] as const)
      symlinkSync(to, join(own, link));
    writeFileSync(join(own, ".gitignore"), "skipped.md\n");
    Bun.spawnSync(["git", "init", "-q"], { cwd: own });
    const linked = find({ env: process.env, cwd: own, userHome: own, urls, rg: () => rgPath({ cacheDir: cwd }) });
    const { data } = await runTool(linked, { paths: ["*.md"] }, call);
    expect((data as { files: string[] }).files.toSorted()).toEqual([
      "CLAUDE.md",
      "folder.md/",
      "nowhere.md",
      "real/AGENTS.md",
    ]);
    const all = await runTool(linked, { paths: ["*.md"], gitignore: false }, call);
    expect((all.data as { files: string[] }).files).toContain("skipped.md");
  } finally {
    rmSync(own, { recursive: true });
  }
});

test("a name with a line break stays one line", async () => {
  put("broken/two\nlines.ts", 1);
  expect(await said("broken/*")).toBe("# broken/\ntwo\\nlines.ts");
  expect((await run("broken/two\\nlines.ts")).data).toMatchObject({ files: ["broken/two\nlines.ts"] });
});

test("files that two paths find do not make another page", async () => {
  expect((await run(["src", "src"], { limit: 5 })).data).not.toHaveProperty("resultLimitReached");
});

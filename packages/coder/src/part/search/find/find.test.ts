import { expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Outcome, resultFields } from "@pith/agent";
import { listFiles } from "@pith/host";
import { need } from "../../../../../../test/need.ts";
import { openProject } from "../../../test/project.ts";
import { intentOf, pathsOf, runTool } from "../../../test/run.ts";
import { runSwapped } from "../../../test/swap.ts";
import { find } from "./find.ts";

const withGit = test.skipIf(need("git") !== undefined);

const project = openProject("find");
const { cwd, files, urls, at } = project;
const put = (path: string, age: number) => {
  project.put(path);
  utimesSync(at(path), 1_700_000_000 - age, 1_700_000_000 - age);
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
const finder = find({ files, urls, env: process.env, room: () => 32 * 1024 });
const shown: Outcome[] = [];
const call = { id: "1", signal: new AbortController().signal, progress: (part: Outcome) => void shown.push(part) };
const run = (paths: string | string[], more: object = {}) => runTool(finder, { paths: [paths].flat(), ...more }, call);
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

test("a file named exactly is one line, a name with a comma stays whole, joined ones are taken apart", async () => {
  expect((await run("src/new.ts")).text).toBe("src/new.ts");
  expect((await run("with,comma.md")).text).toBe("with,comma.md");
  expect((await run("src/new.ts,root.ts")).text).toBe("src/new.ts\nroot.ts");
});

test("what git ignores is found when asked for", async () => {
  expect((await run("*.log")).text).toBe("No files");
  expect((await run("*.log", { gitignore: false })).text).toBe("skipped.log");
});

test("the limit keeps the newest, is told, and the next page follows", async () => {
  expect(await said("*.ts", { limit: 1 })).toBe(
    "# src/\nnew.ts\n\n[There are more: skip: 1 brings the next page, or narrow the pattern]",
  );
  expect(await said("*.ts", { limit: 1, skip: 1 })).toStartWith("# lib/\nmid.ts");
  expect(await run("*.ts", { limit: 2.9 })).toMatchObject({
    data: { count: 2, truncated: true, resultLimitReached: true },
  });
});

test("a name without its directory is found, and so are all that have it", async () => {
  expect(await said("low.ts")).toBe(
    "src/deep/low.ts\n\n[There is no low.ts; src/deep/low.ts is the only path that ends so]",
  );
  put("twin/a/conf.ts", 100);
  put("twin/b/conf.ts", 100);
  expect(await said("conf.ts")).toBe(
    "twin/a/conf.ts\ntwin/b/conf.ts\n\n[There is no conf.ts. Several paths end so: twin/a/conf.ts, twin/b/conf.ts]",
  );
  rmSync(at("twin"), { recursive: true });
});

test("a slash before a pattern, or before a path of the project, is one too many", async () => {
  expect(await run("/**/*.ts")).toMatchObject({ data: { count: 6 } });
  expect(await run("/*.ts")).toMatchObject({ data: { count: 6 } });
  expect(await run("/src/old.ts")).toMatchObject({
    failed: true,
    text: "There is no /src/old.ts. Did you mean src/old.ts?",
  });
});

test("a folder whose name is not UTF-8 is found by the name it is shown with", async () => {
  const folder = Buffer.concat([Buffer.from(`${cwd}/d`), Buffer.from([0xe9]), Buffer.from("r")]);
  mkdirSync(folder);
  writeFileSync(Buffer.concat([folder, Buffer.from("/f.txt")]), "IN\n");
  const [, name = ""] = /^# (.*)\/$/m.exec((await run("f.txt*")).text) ?? [];
  expect(name).toBe("d\\\\xe9r");
  for (const path of [name, `${name}/*`, "d\\xe9r", "d\\xe9r/*.txt"])
    expect([path, (await run(path)).data]).toMatchObject([path, { files: [`${name}/f.txt`] }]);
  rmSync(folder, { recursive: true });
});

test("missing entries are skipped and told; when all are, it is an error", async () => {
  expect(await said(["*.js", "nowhere"])).toBe("# src/\nother.js\n\n[Not there: nowhere]");
  expect(await run("nowhere")).toMatchObject({ failed: true, text: "There is no nowhere" });
  expect(await run(["gone/*.ts", "nowhere"])).toMatchObject({
    failed: true,
    text: "There is no gone/*.ts\nThere is no nowhere",
  });
});

test("what means nothing is refused with its reason", async () => {
  expect(await run("//")).toMatchObject({ failed: true, text: "/ is the whole machine; name a directory of it" });
  expect(await run(["a", " "])).toMatchObject({ failed: true, text: "An entry of paths is empty" });
  expect(await run("*", { limit: 0 })).toMatchObject({ failed: true, text: "limit must be above 0" });
  expect(await run("*.none")).toMatchObject({ text: "No files", data: { count: 0 } });
});

test("time that is up brings what was found so far", async () => {
  const slow = join(cwd, "slow-rg");
  writeFileSync(slow, "#!/bin/sh\nprintf './root.ts\\0'\nexec sleep 20\n", { mode: 0o755 });
  const late = find({
    files: { ...files, list: (request) => listFiles({ ...request, rg: slow }) },
    urls,
    room: () => 32_768,
    env: process.env,
  });
  const got = await runTool(late, { paths: ["*.ts"], timeout: 0.1 }, call);
  expect(got).toMatchObject({
    data: { count: 1, truncated: true },
    meta: { notes: ["Stopped after 0.5 s with 1 found so far; narrow the pattern or give a longer timeout"] },
  });
  expect(got.failed).toBeUndefined();
  expect(shown.at(-1)).toMatchObject({ kind: "listing", text: "root.ts" });
});

test("internal addresses with a file behind them are found, their globs refused", async () => {
  project.put("session/0.bash.log", "x");
  expect((await run("artifact://0")).text).toBe("artifact://0");
  expect(await run("artifact://*")).toMatchObject({
    failed: true,
    text: "artifact://*: an address is a name, no pattern",
  });
});

test("an address that is like a directory stands for what is below it", async () => {
  const other = openProject("find-address");
  const below = find({ files: other.files, urls: other.urls, env: {}, room: () => 32_768 });
  const names = async (path: string) => (await runTool(below, { paths: [path] }, call)).text.split("\n").sort();
  other.put("home/skills/ship/SKILL.md", "steps");
  other.put("home/skills/ship/scripts/go.py", "x");
  other.put("home/skills/rest/SKILL.md", "rest");
  other.put("session/local/notes/a.md", "a");
  expect(await names("skill://ship")).toEqual(["skill://ship/SKILL.md", "skill://ship/scripts/go.py"]);
  expect(await names("skill://")).toEqual(["skill://rest", "skill://ship"]);
  expect(await names("local://")).toEqual(["local://notes/a.md"]);
  expect(await names("local://notes")).toEqual(["local://notes/a.md"]);
  expect(await pathsOf(below, { paths: ["skill://ship"] })).toContain(other.at("home/skills/ship/scripts/go.py"));
  expect((await runTool(below, { paths: ["skill://gone"] }, call)).failed).toBe(true);
});

test("a name that is not UTF-8 is printed so that it can be given back", async () => {
  const other = openProject("find-raw");
  writeFileSync(Buffer.from(`${other.cwd}/inv\xff.txt`, "latin1"), "needle\n");
  const below = find({ files: other.files, urls: other.urls, env: {}, room: () => 32_768 });
  const [name = ""] = (await runTool(below, { paths: ["*.txt"] }, call)).text.split("\n");
  expect(name).toContain("xff");
  expect(other.files.read(other.files.resolve(name))).toMatchObject({ ok: true });
});

test("a slash is the project", async () => {
  expect((await run("/")).text).toBe((await run(".")).text);
});

test("a find reads below its paths, with links and globs resolved to where they begin", async () => {
  expect(await pathsOf(finder, { paths: ["src/*.ts", "/etc", "artifact://0"] })).toEqual([
    at("src"),
    "/etc",
    at("session/0.bash.log"),
  ]);
});

withGit("links are found beside files, those git ignores are not, and one to a directory is not entered", async () => {
  const other = openProject("find-link");
  other.put("real/AGENTS.md", "x");
  for (const [link, to] of [
    ["CLAUDE.md", "real/AGENTS.md"],
    ["folder.md", "real"],
    ["nowhere.md", "gone"],
    ["skipped.md", "real/AGENTS.md"],
  ] as const)
    symlinkSync(to, other.at(link));
  other.put(".gitignore", "skipped.md\n");
  Bun.spawnSync(["git", "init", "-q"], { cwd: other.cwd });
  const linked = find({ files: other.files, urls, env: process.env, room: () => 32_768 });
  const { data } = await runTool(linked, { paths: ["*.md"] }, call);
  expect((data as { files: string[] }).files.toSorted()).toEqual([
    "CLAUDE.md",
    "folder.md/",
    "nowhere.md",
    "real/AGENTS.md",
  ]);
  const all = await runTool(linked, { paths: ["*.md"], gitignore: false }, call);
  expect((all.data as { files: string[] }).files).toContain("skipped.md");
});

test("a name with a line break stays one line", async () => {
  put("broken/two\nlines.ts", 1);
  expect(await said("broken/*")).toBe("# broken/\ntwo\\nlines.ts");
  expect((await run("broken/two\\nlines.ts")).data).toMatchObject({ files: ["broken/two\\nlines.ts"] });
});

test("files that two paths find do not make another page", async () => {
  expect((await run(["src", "src"], { limit: 5 })).data).not.toHaveProperty("resultLimitReached");
});

test("a name that begins with @ comes back as it can be given", async () => {
  put("@odd.mts", 1);
  expect((await run("*.mts")).text).toBe("./@odd.mts");
  expect((await run("./@odd.mts")).text).toBe("./@odd.mts");
});

const outside = openProject("find-outside");
outside.put("key.pem");

test("a find does not follow links out of the directory it was allowed", async () => {
  put("links/a.pem", 1);
  symlinkSync("/etc", at("links/etc"));
  symlinkSync(outside.cwd, at("links/out"));
  expect((await run("links/**/*.pem", { gitignore: false })).data).toMatchObject({ files: ["links/a.pem"] });
  expect((await run("links/**/passwd", { gitignore: false })).data).toMatchObject({ count: 0 });
  expect((await intentOf(finder, { paths: ["links/out/*.pem"] })).paths).toEqual([
    { effect: "read", path: at("links/out"), real: outside.cwd },
  ]);
});

test("what is put in the place of a path after the verdict is not listed", async () => {
  put("swap/judged.pem", 1);
  symlinkSync(at("swap"), at("turning"));
  const turned = await runSwapped(finder, { paths: ["turning/*.pem"] }, () => {
    rmSync(at("turning"));
    symlinkSync(outside.cwd, at("turning"));
  });
  expect(turned.looked.failed).toBe(true);
  expect(turned.blind.data).toMatchObject({ files: ["turning/judged.pem"] });
  const replaced = await runSwapped(finder, { paths: ["swap"] }, () => {
    renameSync(at("swap"), at("swapped"));
    symlinkSync(outside.cwd, at("swap"));
  });
  expect(replaced.looked.text).toBe("leads elsewhere");
});

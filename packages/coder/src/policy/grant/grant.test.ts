import { expect, test } from "bun:test";
import { chownSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { onlyReads } from "./command-grants.ts";
import { Grants } from "./grant.ts";
import { addGrants } from "./grant-file.ts";

const push = { tool: "bash", command: "git push" };
const listing = { tool: "bash", command: "ls" };

async function read(file: string, project = "/work/app") {
  const told: string[] = [];
  const grants = new Grants({ file, project, tell: (text) => told.push(text) });
  await grants.refresh();
  return { all: grants.all, told, grants };
}

test("what was allowed in a project holds there alone: not above, below or beside it", async () => {
  using dir = scratch();
  const file = dir.at("grants.yml");
  for (const project of ["/work", "/work/ap", "/work/app2", "/work/app/sub", "/", "/WORK/app"])
    expect(await addGrants(file, project, [push])).toEqual({ ok: true, value: undefined });
  expect(await read(file)).toMatchObject({ all: [], told: [] });
  await addGrants(file, "/work/app", [listing]);
  expect((await read(file)).all).toEqual([listing]);
  expect((await read(file, "/work")).all).toEqual([push]);
});

test.skipIf(process.getuid?.() !== 0)("a file of another user counts for nothing, and is named", async () => {
  using dir = scratch();
  const file = dir.at("grants.yml");
  await addGrants(file, "/work/app", [push]);
  chownSync(file, 65534, 65534);
  expect(await read(file)).toMatchObject({
    all: [],
    told: [expect.stringContaining("belongs to another user; no answer that was kept there counts")],
  });
  chownSync(file, 0, 0);
  expect((await read(file)).all).toEqual([push]);
});

const rows: [string, string, string][] = [
  ["a relative name", "app:\n  - tool: bash\n    command: ls\n", ':1: "app" is no project\'s path'],
  ["no list", "/work/app: ls\n", ":1: expected a list"],
  ["no projects", "- ls\n", "expected projects, each with a list"],
  ["a verdict", "/work/app:\n  - tool: bash\n    verdict: deny\n", ":2: a kept answer has no verdict"],
  ["nothing but an effect", "/work/app:\n  - effect: write\n", ":2: it names nothing"],
  ["a word", "/work/app:\n  - all\n", ":2: "],
  ["a name that is none", "/work/app:\n  - tool: bash\n    comand: ls\n", ":2: "],
  ["no YAML", "/work/app: [\n", "is not YAML"],
];
test.each(rows)("%s grants nothing, and its line is told", async (_, text, why) => {
  using dir = scratch();
  dir.write({ "grants.yml": text });
  const { all, told } = await read(dir.at("grants.yml"));
  expect(all).toEqual([]);
  expect(told).toEqual([expect.stringContaining(why)]);
  expect(told[0]).toMatch(/(?:it does not count|no answer that was kept there counts)$/);
});

test("a wrong line costs none of the others, and is told once however often the file is read", async () => {
  using dir = scratch();
  const file = dir.at("grants.yml");
  writeFileSync(file, "/work/app:\n  - all\n  - tool: bash\n    command: ls\n");
  const { all, told, grants } = await read(file);
  expect(all).toEqual([listing]);
  writeFileSync(file, "/work/app:\n  - all\n  - tool: bash\n    command: git push\n");
  await grants.refresh();
  expect(grants.all).toEqual([push]);
  expect(told).toHaveLength(1);
});

test("an empty file and a missing one grant nothing, and an answer that somebody else keeps is seen", async () => {
  using dir = scratch();
  const file = dir.at("deep/grants.yml");
  const { all, told, grants } = await read(file);
  expect([all, told]).toEqual([[], []]);
  await addGrants(file, "/work/app", [push]);
  expect(grants.all).toEqual([]);
  await grants.refresh();
  expect(grants.all).toEqual([push]);
  writeFileSync(file, "");
  await grants.refresh();
  expect([grants.all, told]).toEqual([[], []]);
});

test("an answer for a session is in no file, one for a project is, for the user alone and once", async () => {
  using dir = scratch();
  const file = dir.at("home/grants.yml");
  const { grants, told } = await read(file);
  let heard = 0;
  const over = new AbortController();
  grants.watch(() => heard++, over.signal);
  await grants.add([listing], "session");
  expect([existsSync(file), heard]).toEqual([false, 1]);
  await grants.add([push, push], "project");
  await grants.add([push], "project");
  over.abort();
  grants.changed();
  expect([heard, told]).toEqual([3, []]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(dir.at("home")).mode & 0o777).toBe(0o700);
  expect(existsSync(`${file}.lock`)).toBe(false);
  const again = await read(file);
  expect(again.all).toContainEqual(push);
  expect(again.all).not.toContainEqual(listing);
  expect(await addGrants(file, "/work/app", [push])).toEqual({ ok: true, value: undefined });
  expect((await read(file)).all).toEqual(again.all);
});

test("what is lent is taken back, and what stands beside it stays", async () => {
  using dir = scratch();
  const { grants } = await read(dir.at("grants.yml"));
  await grants.add([listing], "session");
  const back = grants.lend([push]);
  expect(grants.all).toEqual([listing, push]);
  back();
  expect(grants.all).toEqual([listing]);
});

test("a file that is not as pith writes it is left alone, and the answer holds for the session", async () => {
  using dir = scratch();
  const broken: [string, string][] = [
    ["/work/app: [\n", "is not valid YAML"],
    ["- ls\n", "it holds no projects"],
    ["/work/app: ls\n", "/work/app has no list there"],
  ];
  for (const [text, why] of broken) {
    dir.write({ "grants.yml": text });
    const { grants, told } = await read(dir.at("grants.yml"));
    told.length = 0;
    await grants.add([push], "project");
    expect(grants.all).toEqual([push]);
    expect(told).toEqual([expect.stringMatching(new RegExp(`${why}.*holds for this session only$`))]);
    expect(readFileSync(dir.at("grants.yml"), "utf8")).toBe(text);
  }
});

test("comments and other projects in the file stay as they are; a link in its place is not followed", async () => {
  using dir = scratch();
  const file = dir.at("grants.yml");
  writeFileSync(file, "# mine\n/work/other:\n  - tool: bash # why\n    command: make\n");
  await addGrants(file, "/work/app", [push]);
  expect(readFileSync(file, "utf8")).toStartWith("# mine\n/work/other:\n  - tool: bash # why\n    command: make\n");
  mkdirSync(dir.at("there"));
  writeFileSync(dir.at("there/victim"), "");
  symlinkSync(dir.at("there/victim"), dir.at("link.yml"));
  await addGrants(dir.at("link.yml"), "/work/app", [push]);
  expect(readFileSync(dir.at("there/victim"), "utf8")).toBe("");
});

test("only what is proven to change nothing counts as reading", () => {
  const part = { severity: "none", effects: ["read inside"] } as const;
  const reads = (...parts: object[]) => onlyReads({ parts } as never);
  expect(reads(part)).toBe(true);
  expect(reads(part, { ...part, severity: "low" })).toBe(false);
  expect(reads({ ...part, effects: ["read outside"] })).toBe(false);
  expect(reads({ ...part, effects: ["write inside"] })).toBe(false);
  expect(onlyReads({ parts: [part], problem: "too long" } as never)).toBe(false);
});

import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "../../packages/kit/src/test/index.ts";
import { root } from "../gate/tree.ts";
import { mutantsOf } from "./mutant.ts";
import { preloaded, runsOf, withSwitches } from "./switched.ts";

const dir = scratch(afterAll);

/** A project with one source and its test, and the tool. */
function project(name: string): string {
  const at = (...parts: string[]) => dir.at(name, ...parts);
  for (const folder of ["test", "bench", "bin", "docs", "runtime/node_modules", ".ci", ".github", "packages/one/src"])
    mkdirSync(at(folder), { recursive: true });
  cpSync(join(root, "scripts"), at("scripts"), { recursive: true });
  symlinkSync(join(root, "node_modules"), at("node_modules"));
  for (const file of ["tsconfig.json", "bunfig.toml", "bun.lock", "biome.json", "LICENSE", "README.md", "package.json"])
    writeFileSync(at(file), file.endsWith(".json") ? "{}" : "");
  for (const file of ["AGENTS.md", "GLOSSARY.md", "CHANGELOG.md"]) writeFileSync(at(file), "");
  writeFileSync(at("packages/one/src/limit.ts"), "export const isLong = (text: string): boolean => text.length > 3;\n");
  writeFileSync(
    at("packages/one/src/limit.test.ts"),
    'import { expect, test } from "bun:test";\nimport { isLong } from "./limit.ts";\n' +
      'test("long", () => {\n  expect([isLong("abcd"), isLong("ab")]).toEqual([true, false]);\n});\n',
  );
  return at();
}

const contents = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name))
    .map((path) => `${path}\0${readFileSync(path, "latin1")}`)
    .sort();

function mutants(folder: string, args: readonly string[], cache = dir.at("cache")) {
  const argv = [process.execPath, "scripts/mutants/run.ts", ...args];
  const env = { PATH: process.env.PATH ?? "", HOME: dir.path, TMPDIR: dir.at("tmp"), XDG_CACHE_HOME: cache };
  mkdirSync(dir.at("tmp"), { recursive: true });
  return Bun.spawn(argv, { cwd: folder, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
}
async function ended(child: ReturnType<typeof mutants>) {
  const [code, out, err] = await Promise.all([
    child.exited,
    Bun.readableStreamToText(child.stdout),
    Bun.readableStreamToText(child.stderr),
  ]);
  return { code, out, err };
}

describe("the tool in a project of one file", () => {
  test("what no test notices is named with its difference, a second run knows it, and the project stays", async () => {
    const folder = project("plain");
    const before = contents(folder);
    const [first, beside] = await Promise.all([
      ended(mutants(folder, ["packages/one", "--seed", "1", "--minutes", "2"])),
      ended(mutants(folder, ["packages/one", "--seed", "1", "--minutes", "2"])),
    ]);
    for (const run of [first, beside]) {
      expect(run.err).toBe("");
      expect(run.code).toBe(0);
      expect(run.out).toContain("lived  packages/one/src/limit.ts:1  bound moved");
      expect(run.out).toMatch(/- >\n +\+ >=/);
    }
    const again = await ended(mutants(folder, ["packages/one", "--seed", "2"]));
    expect(/(\d+) tried \((\d+) known/.exec(again.out)?.slice(1)).toEqual(["2", "2"]);
    expect(contents(folder)).toEqual(before);
    expect(readdirSync(dir.at("tmp"))).toEqual([]);
  }, 120_000);

  test("interrupted it leaves nothing behind", async () => {
    const folder = project("interrupted");
    const before = contents(folder);
    const child = mutants(folder, ["packages/one"], dir.at("cache-2"));
    const reader = child.stdout.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toContain("2 mutants in 1 files");
    child.kill("SIGTERM");
    expect(await child.exited).toBe(130);
    expect(contents(folder)).toEqual(before);
    expect(readdirSync(dir.at("tmp"))).toEqual([]);
  }, 120_000);

  test("without git, without room for results and with wrong words it says so and tries nothing", async () => {
    const folder = project("wrong");
    expect(await ended(mutants(folder, ["--changed"]))).toMatchObject({
      code: 2,
      err: expect.stringContaining("--changed asks git, which does not answer"),
    });
    for (const args of [["--seed", "x"], ["--minutes", "0"], ["--none"]])
      expect(await ended(mutants(folder, args))).toMatchObject({ code: 2, err: expect.stringContaining("usage: ") });
    expect(await ended(mutants(folder, ["packages/two"]))).toMatchObject({ code: 2, out: "" });
    writeFileSync(dir.at("taken"), "");
    chmodSync(dir.at("taken"), 0o400);
    const full = await ended(mutants(folder, ["packages/one"], dir.at("taken")));
    expect([full.code, full.err.includes("stopped: ")]).toEqual([2, true]);
    expect(readdirSync(dir.at("tmp"))).toEqual([]);
  }, 120_000);
});

test("with its switch on a place is changed, and without it the file is what it was", async () => {
  const source = `export function save(list: string[], size: number) {
  if (size > 3 && list.length < 2) list.push("much");
  try { list.push(String(size ?? 1)); } catch (error) { list.push("failed"); }
  return list;
}\n`;
  const made = mutantsOf("a.ts", source, Math.random);
  dir.write({ "switched.ts": withSwitches(source, made, dir.at("marks")) });
  const scope = globalThis as { __mutant?: string | undefined };
  const { save } = await import(dir.at("switched.ts"));
  const play = () => [save([], 4), save(["a"], 3), save(["a", "b"], 9)];
  const plain = JSON.stringify(play());
  expect(plain).toBe('[["much","4"],["a","3"],["a","b","9"]]');
  const seen = new Set<string>();
  for (const { path, id } of made) {
    scope.__mutant = `${path}#${id}`;
    seen.add(JSON.stringify(play()));
  }
  scope.__mutant = undefined;
  expect(JSON.stringify(play())).toBe(plain);
  expect(seen.size).toBeGreaterThan(4);
  const marks = readFileSync(dir.at("marks"), "utf8").trim().split("\n");
  expect(marks.filter((name) => !made.some(({ id }) => name === `a.ts#${id}`))).toEqual([]);
  expect(marks.length).toBeGreaterThan(4);
});

test("runs in a row are told by their place in the list", () => {
  const output =
    "a.test.ts: (run #1)\n\n## 0\n(pass) a\n\n## 1\n(fail) a [1ms]\n\n## 2\n# Unhandled error between tests\n";
  expect([...runsOf(output)]).toEqual([
    [0, "passed"],
    [1, "failed"],
    [2, "failed"],
  ]);
  expect(preloaded("/list")).toContain('"/list"');
});

// In a home directory pith's own files are below the project: they decide what runs and hold keys, and are not the
// project's.
import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { bundledRg } from "../../packages/host/src/exec/search/bundled-rg.ts";
import { rgPath } from "../../packages/host/src/exec/search/rg-path.ts";
import { pith, scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";

const key = "sk-of-another-conversation";

async function inHome(mode: string, calls: { tool: string; input: object }[]) {
  const dir = scratch();
  dir.write({ "home/.pith/models.yml": `# ${key}\n`, "home/.pith/agent.db": `${key}\n`, "home/notes/a.txt": "mine\n" });
  const turns = calls.map((call) => ({ calls: [call] }));
  const argv = ["-p", "go", "--mode", "json", "--cwd", dir.at("home"), "--approval", mode];
  const { out } = await pith(dir, [...argv, ...scripted(dir, ...turns, { text: "done" })]);
  const results = out
    .split("\n")
    .filter((line) => line.includes('"tool_execution_end"'))
    .map((line) => JSON.stringify(JSON.parse(line).result));
  return { dir, results };
}

test.each(["write", "auto"])("mode %s writes none of pith's own files where the home is the project", async (mode) => {
  const names = ["config.yml", "models.yml", "cache/rg-x", "skills/s/SKILL.md", "AGENTS.md"];
  const { dir, results } = await inHome(
    mode,
    [...names.map((name) => `.pith/${name}`), "notes/b.txt"].map((path) => ({
      tool: "write",
      input: { path, content: "approval: { mode: yolo }\n" },
    })),
  );
  using _ = dir;
  expect(results).toHaveLength(names.length + 1);
  for (const result of results.slice(0, -1)) expect(result).toContain("outside the project");
  for (const name of names.filter((name) => name !== "models.yml"))
    expect([name, existsSync(dir.at("home/.pith", name))]).toEqual([name, false]);
  expect(readFileSync(dir.at("home/.pith/models.yml"), "utf8")).toBe(`# ${key}\n`);
  expect(existsSync(dir.at("home/notes/b.txt"))).toBe(true);
});

test("nothing tells what pith's own files hold where the home is the project", async () => {
  const { dir, results } = await inHome("plan", [
    { tool: "read", input: { path: ".pith/agent.db" } },
    { tool: "search", input: { pattern: "sk-", paths: [".pith/models.yml"] } },
    { tool: "search", input: { pattern: "sk-of|mine", paths: ["."] } },
    { tool: "find", input: { paths: ["**/*.yml"] } },
  ]);
  using _ = dir;
  expect(results).toHaveLength(4);
  expect(results.join()).not.toContain(key);
  expect(results[2]).toContain("notes/a.txt");
  expect(results[3]).not.toContain("models.yml");
});

test("a program that was put where ripgrep is kept is not run, whatever its size", async () => {
  using dir = scratch();
  dir.write({ "cache/.keep": "" });
  const shipped = (await bundledRg()) ?? "";
  // As in a compiled pith, where what is shipped cannot be run from where it lies.
  const embedded = dir.at("embedded-rg");
  writeFileSync(embedded, readFileSync(shipped));
  const other = Buffer.alloc(readFileSync(shipped).length, "#");
  writeFileSync(dir.at("cache/embedded-rg"), other);
  chmodSync(dir.at("cache/embedded-rg"), 0o755);
  const chosen = await rgPath({ cacheDir: dir.at("cache"), shipped: embedded });
  expect(chosen).toEqual({ ok: true, value: dir.at("cache/embedded-rg") });
  expect(readFileSync(dir.at("cache/embedded-rg")).equals(other)).toBe(false);
  expect(readFileSync(dir.at("cache/embedded-rg")).equals(readFileSync(shipped))).toBe(true);
});

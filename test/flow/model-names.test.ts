// Names and places as models write them, through the real program.
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { need } from "../need.ts";
import { pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const tool = async (dir: Scratch, name: string, input: object) =>
  (await pith(dir, ["tool", name, JSON.stringify(input)])).out;

test("a name that is not UTF-8 is printed so that it can be given back", async () => {
  using dir = scratch();
  mkdirSync(dir.at("work"), { recursive: true });
  writeFileSync(Buffer.from(`${dir.at("work")}/inv\xff.txt`, "latin1"), "needle\n");
  const found = await tool(dir, "find", { paths: ["*.txt"] });
  const [name = ""] = found.split("\n");
  expect(name).toMatch(/^inv\\+xff\.txt$/);
  expect(await tool(dir, "search", { pattern: "needle" })).toStartWith(`[${name}#`);
  expect(await tool(dir, "read", { path: name })).toContain("1:needle");
  expect(await tool(dir, "search", { pattern: "needle", paths: [name] })).toContain("*1:needle");
});

test("addresses list what is below them, and what is unsaved has them too", async () => {
  using dir = scratch();
  dir.write({
    "home/.pith/skills/ship/SKILL.md": "steps",
    "home/.pith/skills/ship/scripts/go.py": "x",
  });
  expect((await tool(dir, "find", { paths: ["skill://ship"] })).trim().split("\n").sort()).toEqual([
    "skill://ship/SKILL.md",
    "skill://ship/scripts/go.py",
  ]);
  const model = scripted(
    dir,
    { calls: [{ tool: "write", input: { path: "local://note.md", content: "kept\n" } }] },
    { calls: [{ tool: "bash", input: { command: "seq 1 60000" } }] },
    { calls: [{ tool: "read", input: { path: "local://note.md" } }] },
    { calls: [{ tool: "find", input: { paths: ["local://"] } }] },
    { calls: [{ tool: "read", input: { path: "artifact://0:30000-30001" } }] },
    { text: "done" },
  );
  const { out } = await pith(dir, ["-p", "go", "--mode", "json", "--no-session", "--approval", "yolo", ...model]);
  for (const part of ["1:kept", "local://note.md", "30000:30000"]) expect(out).toContain(part);
  expect(out).not.toContain("unavailable");
  expect(readdirSync(dir.at("tmp")).filter((name) => name !== ".keep")).toEqual([]);
});

test("what could be several files names them, and a link to nowhere says where it leads", async () => {
  using dir = scratch();
  dir.write({ "work/a/same/x.ts": "1", "work/b/same/x.ts": "2" });
  symlinkSync("gone", dir.at("work", "dangling"));
  const several = await tool(dir, "read", { path: "same/x.ts" });
  expect(several).toContain("a/same/x.ts");
  expect(several).toContain("b/same/x.ts");
  expect(await tool(dir, "read", { path: "dangling" })).toContain("a link to gone");
});

test("a slash is the project, for every tool that looks", async () => {
  using dir = scratch();
  dir.write({ "work/only.ts": "const needle = 1;\n" });
  expect(await tool(dir, "search", { pattern: "needle", paths: ["/"] })).toContain("[only.ts#");
  expect(await tool(dir, "find", { paths: ["/"] })).toContain("only.ts");
  expect(await tool(dir, "ast_grep", { pat: "const $A = 1", paths: ["/"] })).toContain("[only.ts#");
  expect(await tool(dir, "read", { path: "/" })).toContain("only.ts");
});

test("letters beyond ASCII find files of an old encoding", async () => {
  using dir = scratch();
  dir.write({ "work/new.txt": "grüß\n" });
  writeFileSync(dir.at("work", "old.txt"), Buffer.from("x\ngr\xfc\xdf dich\n", "latin1"));
  const out = await tool(dir, "search", { pattern: "grüß" });
  expect(out).toContain("*2:grüß dich");
  expect(out).toContain("*1:grüß\n");
});

test("the project's own name in front of a path is understood", async () => {
  using dir = scratch();
  dir.write({ "work/README.md": "read me\n", "work/work/core.py": "core\n" });
  expect(await tool(dir, "read", { path: "work/README.md" })).toContain("1:read me");
});

const packers: [name: string, program: string, argv: string[]][] = [
  ["pack.tar.xz", "xz", ["tar", "-cJf"]],
  ["pack.tar.bz2", "bzip2", ["tar", "-cjf"]],
  ["pack.tar.zst", "zstd", ["tar", "--zstd", "-cf"]],
];

for (const [name, program, argv] of packers)
  test.skipIf(need(program) !== undefined)(`${name} is read like any archive`, async () => {
    using dir = scratch();
    dir.write({ "work/src/a.ts": "one\ntwo\nneedle\n" });
    expect(Bun.spawnSync([...argv, name, "src"], { cwd: dir.at("work") }).exitCode).toBe(0);
    expect(await tool(dir, "read", { path: `${name}:src` })).toContain("a.ts");
    expect(await tool(dir, "read", { path: `${name}:src/a.ts:2-2` })).toContain("2:two");
    expect(await tool(dir, "search", { pattern: "needle", paths: [name] })).toContain("*3:needle");
  });

test.skipIf(need("python3") !== undefined)("jars, wheels and packed files are looked into", async () => {
  using dir = scratch();
  dir.write({ "work/log.txt": "first\nsecond\n" });
  const make = `
import zipfile, gzip
for name in ("a.jar", "b.whl"):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as z: z.writestr("META/info.txt", "inside\\n")
with gzip.open("log.gz", "wb") as f: f.write(b"first\\nsecond\\n")
with zipfile.ZipFile("big.zip", "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("big.txt", "".join(f"line {i} {'x' * 40}\\n" for i in range(1, 1000001)))`;
  expect(Bun.spawnSync(["python3", "-c", make], { cwd: dir.at("work") }).exitCode).toBe(0);
  for (const name of ["a.jar", "b.whl"])
    expect(await tool(dir, "read", { path: `${name}:META/info.txt` })).toContain("1:inside");
  expect(await tool(dir, "read", { path: "log.gz" })).toContain("1:first\n2:second");
  expect(await tool(dir, "read", { path: "log.gz:2-2" })).toContain("2:second");
  expect(await tool(dir, "search", { pattern: "second", paths: ["log.gz"] })).toContain("*2:second");
  expect(await tool(dir, "read", { path: "big.zip:big.txt:900000-900001" })).toContain("\n900000:line 900000 xxx");
  Bun.spawnSync(["tar", "-czf", "big.tgz", "-C", join(dir.at("work")), "log.txt"], { cwd: dir.at("work") });
});

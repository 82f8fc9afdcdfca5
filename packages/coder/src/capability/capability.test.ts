import { afterAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { found, md, nobody, servers, skill, type Trusting } from "../test/found.ts";
import { CapabilityCache } from "./cache.ts";
import { Capabilities } from "./registry.ts";
import { sources } from "./sources.ts";

const dir = scratch(afterAll);

test("of two with one name the stronger source counts, and the project before the user", () => {
  using at = scratch();
  at.write({
    "home/.pith/skills/x/SKILL.md": skill("x"),
    "work/.pith/skills/x/SKILL.md": skill("x"),
    "work/.claude/skills/x/SKILL.md": skill("x"),
    "work/.omp/skills/x/SKILL.md": skill("x"),
  });
  const { all, winners } = found(at).of("skill");
  expect(all.map(({ source, level, state }) => `${source} ${level} ${state}`)).toEqual([
    "pith project active",
    "pith user shadowed",
    "omp project shadowed",
    "claude project shadowed",
  ]);
  expect(winners).toHaveLength(1);
});

test("folders on the way up are looked at: the nearest counts, skills are taken from all", () => {
  using at = scratch();
  at.write({
    "work/.pith/skills/far/SKILL.md": skill("far"),
    "work/pkg/.pith/skills/near/SKILL.md": skill("near"),
    "work/.pith/commands/far.md": "Far.",
    "work/pkg/.pith/commands/near.md": "Near.",
    "work/AGENTS.md": "Root.",
    "work/pkg/AGENTS.md": "Package.",
    ".pith/skills/outside/SKILL.md": skill("outside"),
  });
  const capabilities = found(at, "work/pkg/src");
  expect(capabilities.of("skill").winners.map(({ name }) => name)).toEqual(["near", "far"]);
  expect(capabilities.of("command").winners.map(({ name }) => name)).toEqual(["near"]);
  expect(capabilities.of("context").winners.map(({ data }) => data.text)).toEqual(["Package.", "Root."]);
});

test("what one person adds to a project counts beside what it tells all, and no rules of a user are hidden", () => {
  using at = scratch();
  at.write({
    "work/AGENTS.md": "All.",
    "work/CLAUDE.md": "Claude.",
    "work/GEMINI.md": "Gemini.",
    "work/CLAUDE.local.md": "Mine.",
    "work/.omp/RULES.md": md("globs: x/**", "Here."),
    "home/.pith/RULES.md": "Everywhere.",
  });
  const capabilities = found(at);
  const { all } = capabilities.of("context");
  expect(all.map(({ name, state }) => `${name} ${state}`)).toEqual([
    ...["AGENTS.md active", "CLAUDE.md shadowed", "CLAUDE.local.md active", "GEMINI.md shadowed"],
  ]);
  expect(capabilities.rules("told").winners.map(({ data }) => [data.text, data.always])).toEqual([
    ["Everywhere.", true],
    ["Here.", true],
  ]);
});

test("front matter as products write it is no fault; one that does not end, and a link to itself, are told", () => {
  using at = scratch();
  at.write({
    "work/.cursor/rules/a.mdc": md("description: x\nglobs: *.ts,**/*.{js,jsx}\nalwaysApply: false"),
    "work/.claude/rules/b.md": md("paths:\n  - **/*.go\n  - src/*"),
    "work/.claude/rules/c.md": "---\ndescription: open\npaths: x/**\n\nKeep to it.\n",
    "work/.claude/rules/d.md": "---\n\nA line above.\n",
  });
  mkdirSync(at.at("work/.claude/skills/loop"), { recursive: true });
  symlinkSync("SKILL.md", at.at("work/.claude/skills/loop/SKILL.md"));
  symlinkSync("self", at.at("work/.claude/skills/self"));
  const capabilities = found(at);
  const { winners, warnings } = capabilities.rules("told");
  expect(Object.fromEntries(winners.map(({ name, data }) => [name, [data.globs, data.text]]))).toEqual({
    a: [["*.ts", "**/*.{js,jsx}"], "Do it."],
    b: [["**/*.go", "src/*"], "Do it."],
    c: [["x/**"], "Keep to it."],
    d: [[], "---\n\nA line above."],
  });
  expect(warnings).toEqual([`Claude Code: ${at.at("work/.claude/rules/c.md")}:1: its front matter does not end`]);
  expect(capabilities.of("skill").warnings).toEqual(
    ["loop", "self"].map(
      (name) => `Claude Code: ${at.at("work/.claude/skills", name, "SKILL.md")}: is a link that leads to itself`,
    ),
  );
});

const long = 900_000;
test.each<[string, string, string]>([
  ["spaces in a broken head", "skills/x/SKILL.md", `---\nk: [\nd: x${" ".repeat(long)}y\n---\n`],
  ["blank lines in a broken head", "skills/x/SKILL.md", `---\nk: [\n${"\n".repeat(long)}x: : ]\n---\n`],
  [
    "a long line above a fault",
    "skills/x/SKILL.md",
    `---\nd: [ ${"a, ".repeat(long / 3)}\n${"  b,\n".repeat(390)}x: : ]\n---\n`,
  ],
  ["commas of globs", "rules/x.md", `---\npaths: "${"a,".repeat(long / 2)}"\n---\nx`],
  ["braces that never close", "commands/x.md", "!{".repeat(long / 2)],
  [
    "very many servers",
    "mcp.json",
    servers("x").replace('"x":', `${'"x":{"command":"x"},'.replaceAll("x", "y").repeat(40_000)}"x":`),
  ],
])("%s of a stranger's project hold nobody up", (_, path, text) => {
  using at = scratch();
  at.write({ [`work/.claude/${path}`]: text });
  const capabilities = found(at);
  const began = performance.now();
  for (const kind of ["skill", "rule", "command", "mcp"] as const) capabilities.of(kind);
  // It took minutes; on a busy machine this may take a while.
  expect(performance.now() - began).toBeLessThan(4000);
});

test("of very many servers in one file the first are read, and one line says so", () => {
  using at = scratch();
  const mcpServers = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`s${n}`, { command: "x" }]));
  at.write({ "work/.mcp.json": JSON.stringify({ mcpServers }) });
  const { all, warnings } = found(at).of("mcp");
  expect(all.filter(({ state }) => state === "untrusted")).toHaveLength(500);
  expect(warnings).toEqual([expect.stringContaining("it holds more than 500; the rest is not read")]);
});

test("one real file counts once, whatever leads to it", () => {
  using at = scratch();
  at.write({ "work/AGENTS.md": "Same.", "work/.claude/skills/x/SKILL.md": skill("x") });
  symlinkSync("AGENTS.md", at.at("work/CLAUDE.md"));
  symlinkSync("skills", at.at("work/.claude/skills2"));
  mkdirSync(at.at("work/.agents"));
  symlinkSync("../.claude/skills", at.at("work/.agents/skills"));
  const capabilities = found(at);
  expect(capabilities.of("context").all.map(({ file }) => file)).toEqual([at.at("work/AGENTS.md")]);
  expect(capabilities.of("skill")).toMatchObject({ all: [{ source: "claude" }], warnings: [] });
});

test("what a project brings that executes waits for a yes to these very bytes", () => {
  using at = scratch();
  at.write({
    "work/.mcp.json": servers("a"),
    "work/.pith/tools/t.ts": "one",
    "work/.claude/commands/c.md": "See !`ls`",
  });
  const yes = new Set<string>();
  const trust: Trusting = {
    ask: ({ kind, name }, bytes) => ({ is: yes.has(`${kind} ${name} ${bytes.length}`) ? "trusted" : "untrusted" }),
  };
  const capabilities = found(at, "work", trust);
  expect((["mcp", "tool", "command"] as const).map((kind) => capabilities.of(kind).all[0]?.state)).toEqual([
    "untrusted",
    "untrusted",
    "untrusted",
  ]);
  yes.add("tool .pith/tools/t.ts 3");
  expect(capabilities.of("tool").all[0]?.state).toBe("active");
  at.write({ "work/.pith/tools/t.ts": "other" });
  expect(capabilities.of("tool").all[0]?.state).toBe("untrusted");
});

test("hostile and broken files are told with file and line, and everything else is found", () => {
  using at = scratch();
  at.write({
    "work/.pith/skills/good/SKILL.md": skill("good"),
    "work/.pith/skills/odd/SKILL.md": md("name: odd\ndescription: an a: b", "x"),
    "work/.pith/skills/none/SKILL.md": "---\nname: none\n---\n",
    "work/.pith/skills/binary/SKILL.md": `---\nname: b\ndescription: x\n---\n\0`,
    "work/.mcp.json": '{\n  "mcpServers": {\n    "a": {"command": "x"}\n    "b": {}\n  }\n}',
    "work/.codex/config.toml": "[mcp_servers.c]\ncommand = \n",
    "secret/SKILL.md": skill("secret"),
    "secret/in/SKILL.md": skill("in"),
  });
  for (const name of ["pipe", "big", "out", "loop"]) mkdirSync(at.at("work/.pith/skills", name));
  Bun.spawnSync(["mkfifo", at.at("work/.pith/skills/pipe/SKILL.md")]);
  writeFileSync(at.at("work/.pith/skills/big/SKILL.md"), Buffer.alloc(50 * 1024 * 1024, "x"));
  symlinkSync(at.at("secret/SKILL.md"), at.at("work/.pith/skills/out/SKILL.md"));
  symlinkSync("SKILL.md", at.at("work/.pith/skills/loop/SKILL.md"));
  symlinkSync(at.at("secret"), at.at("work/.pith/skills-out"));
  mkdirSync(at.at("work/.claude"));
  symlinkSync(at.at("secret"), at.at("work/.claude/skills"));
  symlinkSync(".", at.at("work/.pith/skills/self"));
  const capabilities = found(at);
  const skills = capabilities.of("skill");
  expect(skills.winners.map(({ name }) => name).sort()).toEqual(["good", "odd"]);
  const told = skills.warnings.map((text) => text.replaceAll(at.path, "")).join("\n");
  // Who tells it is pith, and says so: a second name before it would be another's.
  expect(told.split("\n")).toContainEqual(
    expect.stringMatching(/^\/work\/\.pith\/skills\/odd\/SKILL\.md:3: its front matter is not YAML/),
  );
  expect(told).toContain("/work/.pith/skills/pipe/SKILL.md: is not a file");
  expect(told).toContain("/work/.pith/skills/big/SKILL.md: is too large");
  expect(told).toContain("/work/.pith/skills/binary/SKILL.md: is not text");
  expect(told).toContain("/work/.pith/skills/out/SKILL.md: leads out of");
  expect(told).toContain("Claude Code: /work/.claude/skills: leads out of");
  expect(told).toContain("/work/.pith/skills/none/SKILL.md: it has no description");
  expect(told).not.toContain("secret/");
  expect(capabilities.of("mcp").warnings.map((text) => text.replaceAll(at.path, ""))).toEqual([
    "Codex: /work/.codex/config.toml:2: it is not TOML",
    ".mcp.json: /work/.mcp.json:4: it is not JSON",
  ]);
});

test("a file is read again when its time or size changed, and a source that breaks harms no other", () => {
  using at = scratch();
  at.write({ "work/.pith/commands/a.md": "One." });
  const capabilities = found(at);
  capabilities.add({
    name: "broken",
    title: "Broken",
    priority: 1000,
    finds: {
      command() {
        throw new Error("no");
      },
    },
  });
  const read = () => capabilities.of("command").winners[0]?.data.body;
  expect(read()).toBe("One.");
  at.write({ "work/.pith/commands/a.md": "Two." });
  utimesSync(at.at("work/.pith/commands/a.md"), 1, 2);
  expect(read()).toBe("Two.");
  expect(capabilities.of("command").warnings).toEqual(["Broken: could not be read: no"]);
});

test("no file takes the place of what is built in", () => {
  using at = scratch();
  at.write({ "work/.pith/commands/undo.md": "Delete it all.", "work/.pith/commands/mine.md": "Mine." });
  const capabilities = found(at);
  capabilities.reserve("command", () => ["undo"]);
  const { all, winners } = capabilities.of("command");
  expect(winners.map(({ name }) => name)).toEqual(["mine"]);
  expect(all.find(({ name }) => name === "undo")).toMatchObject({ state: "shadowed", why: "undo is built in" });
});

test("the list of sources begins empty", () => {
  const place = { cwd: dir.path, root: dir.path, home: dir.path, userHome: dir.path, env: {} };
  expect(new Capabilities({ place, trust: nobody }).sources).toEqual([]);
});

test("what was read is kept for the next start, and a changed file or a broken cache costs only time", () => {
  using at = scratch();
  at.write({ "work/.pith/skills/x/SKILL.md": skill("x"), "work/.pith/rules/r.md": "Rule." });
  const place = { cwd: at.at("work"), root: at.at("work"), home: at.at("home"), userHome: at.at("user"), env: {} };
  const start = (root = place.root) => {
    const cache = new CapabilityCache(place.home);
    const capabilities = new Capabilities({ place: { ...place, root }, trust: nobody, cache });
    capabilities.add(...sources.filter((source) => source.brings === undefined));
    const names = (["skill", "rule"] as const).flatMap((kind) => capabilities.of(kind).winners.map(({ name }) => name));
    cache.save();
    return names;
  };
  expect(start()).toEqual(["x", "r"]);
  const file = at.at("home/cache/capabilities.json");
  // As it was kept, it is told; so the file itself was not opened.
  writeFileSync(file, readFileSync(file, "utf8").replaceAll('"name":"x"', '"name":"kept"'));
  expect(start()).toEqual(["kept", "r"]);
  at.write({ "work/.pith/skills/x/SKILL.md": skill("other") });
  expect(start()).toEqual(["other", "r"]);
  writeFileSync(file, "{broken");
  expect(start()).toEqual(["other", "r"]);
});

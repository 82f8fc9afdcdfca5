// Prompt and configuration, seen through the program itself.
import { expect, test } from "bun:test";
import { pith, scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";

const skill = "---\nname: deploy\ndescription: how to deploy\n---\nPush.\n";

test("pith prompt prints what would be sent, with bytes and tokens of every part and file", async () => {
  using dir = scratch();
  dir.write({ "work/AGENTS.md": "Use tabs.", "home/.claude/skills/deploy/SKILL.md": skill });
  const plain = await pith(dir, ["prompt"]);
  expect(plain).toMatchObject({ code: 0, err: "" });
  expect(plain.out).toContain("── context AGENTS.md (");
  expect(plain.out).toContain("- deploy: how to deploy");
  const { out } = await pith(dir, ["prompt", "--json"]);
  const report = JSON.parse(out);
  for (const { text, bytes, tokens } of report.parts) {
    expect(bytes).toBe(Buffer.byteLength(text));
    expect(tokens).toBeGreaterThan(bytes / 10);
    expect(tokens).toBeLessThan(bytes);
  }
  expect(report.parts.map(({ part }: { part: string }) => part)).toEqual([
    "system",
    "skills",
    "environment",
    "tree",
    "context",
  ]);
  expect(report.bytes).toBeLessThan(14_000);
});

test("words of one's own stand in the place of the system prompt, or behind it", async () => {
  using dir = scratch();
  dir.write({ "work/mine.md": "I am mine." });
  const said = async (...argv: string[]) => (await pith(dir, ["prompt", ...argv])).out;
  expect(await said("--system-prompt", "mine.md")).toContain("I am mine.");
  expect(await said("--append-system-prompt", "Also this.")).toMatch(/You are pith[\s\S]*Also this\./);
  expect(await pith(dir, ["prompt", "--system-prompt", "gone.md"])).toMatchObject({ code: 2 });
  const none = await pith(dir, ["prompt"], { env: { NULL_PROMPT: "true" } });
  expect(none.out).not.toContain("You are pith");
});

test("pith doctor has a section on sources, with every item, its state and what was not understood", async () => {
  using dir = scratch();
  dir.write({
    "work/.mcp.json": '{"mcpServers":{"db":{"command":"x","odd":1}}}',
    "work/.pith/commands/help.md": "Mine.",
    "work/.pith/tools/read.ts": "export {}",
    "work/.pith/skills/bad/SKILL.md": "---\nname: bad\ndescription: a: b\n---\nx",
  });
  const { out } = await pith(dir, ["doctor", "--json"]);
  const { sources } = JSON.parse(out);
  expect(sources.items).toContainEqual(
    expect.objectContaining({ kind: "mcp", name: "db", source: "mcp-json", state: "unused", unmapped: ["odd"] }),
  );
  const states = sources.items.map(({ kind, name, why }: Record<string, string>) => `${kind} ${name} ${why}`);
  expect(states).toContain("command help help is built in");
  expect(states).toContain("tool read read is built in");
  expect(sources.warnings).toEqual([expect.stringContaining("SKILL.md:3: its front matter is not YAML")]);
  const { out: page } = await pith(dir, ["doctor"]);
  expect(page).not.toContain("wait for pith trust");
  expect(sources.unused).toContainEqual({ kind: "mcp", items: 1 });
  expect((await pith(dir, ["-p", "/sources mcp", "--model", "faux/echo"])).out).toStartWith(
    "MCP servers (found, and not used by pith):\n  db  mcp-json",
  );
});

test("what pith does not use is neither offered for trust nor called active, and one line names it", async () => {
  using dir = scratch();
  const settings = {
    hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "exit 2" }] }] },
    permissions: { deny: ["Bash(git push:*)", "Read(./.env)"], ask: ["WebFetch"], defaultMode: "plan" },
  };
  dir.write({
    "work/.mcp.json": '{"mcpServers":{"db":{"command":"x"}}}',
    "work/.claude/settings.json": JSON.stringify(settings),
    "work/opencode.json": JSON.stringify({ permission: { edit: "ask", bash: { "git push *": "deny" } } }),
    "work/.pith/config.yml": "model: faux/echo\n",
  });
  for (const argv of [["trust", "--show"], ["trust"]]) {
    const { out } = await pith(dir, argv);
    expect(out).toContain(".pith/config.yml (settings)");
    expect(out).toContain("exit 2 (hook; runs outside the sandbox, with your rights");
    expect(out).not.toMatch(/\((?:mcp|permission)/);
    expect(out).toContain(
      "for other agents, and pith does not use: permissions (5, in .claude/settings.json, opencode.json); " +
        "MCP servers (1, in .mcp.json). Rules for pith stand in policy.rules",
    );
  }
  const sources = await pith(dir, ["-p", "/sources", "--model", "faux/echo"]);
  expect(sources.out).toContain("deny: Bash(git push:*)  claude, project");
  expect(sources.out).toContain("(unused)");
  expect(sources.out).toMatch(/PreToolUse:Bash:exit 2.*\(active/);
  expect(sources.out).not.toMatch(/db.*\(active/);
  using plain = scratch();
  plain.write({ "work/a.txt": "a\n" });
  expect((await pith(plain, ["trust"])).out).toBe("This project brings nothing that needs to be trusted.\n");
});

test("a command of a file has one answer in print, and a file named by @ comes along", async () => {
  using dir = scratch();
  dir.write({ "work/.pith/commands/fix.md": "Fix $1.", "work/a.ts": "const a = 1;\n" });
  const told = await pith(dir, ["-p", "/fix bug", ...scripted(dir, { expect: { user: "Fix bug." }, text: "Done." })]);
  expect(told).toMatchObject({ code: 0, out: "Done.\n" });
  const named = await pith(dir, ["-p", "look", "@a.ts", "--mode", "json", ...scripted(dir, { text: "Seen." })]);
  expect(named.out).toContain("Contents of a.ts (already provided");
  expect(named.out).toContain("[a.ts#");
  expect(await pith(dir, ["-p", "look", "@gone.ts", ...scripted(dir, { text: "." })])).toMatchObject({ code: 2 });
});

test("config edit opens the file in the editor and tells what is wrong after it; import writes what maps", async () => {
  using dir = scratch();
  dir.write({
    "good.sh": '#!/bin/sh\necho "bash: { timeout: 60 }" > "$1"\n',
    "bad.sh": '#!/bin/sh\necho "bash: [" > "$1"\n',
    "home/.omp/agent/config.yml": "skills:\n  ignoredSkills: [a, b]\nbash:\n  timeout: 12\ntheme: x\n",
  });
  const brought = await pith(dir, ["config", "import", "omp"]);
  expect(brought.out).toContain('skills.ignore: ["a","b"]');
  expect((await pith(dir, ["config", "set", "skills.ignore", "c, d"])).code).toBe(0);
  expect((await pith(dir, ["config", "get", "skills.ignore"])).out).toContain('"d"');
  expect((await pith(dir, ["config", "set", "skills.ignore", "[1]"])).code).toBe(2);
  const edit = (editor: string) => pith(dir, ["config", "edit"], { env: { EDITOR: editor, VISUAL: "" } });
  expect(await edit(`sh ${dir.at("good.sh")}`)).toMatchObject({ code: 0 });
  expect((await pith(dir, ["config", "get", "bash.timeout"])).out).toBe("60\n");
  expect(await edit("false")).toMatchObject({ code: 1, err: expect.stringContaining("did not end well") });
  const broken = await edit(`sh ${dir.at("bad.sh")}`);
  expect(broken).toMatchObject({ code: 2, err: expect.stringContaining("config.yml:") });
});

// Hooks of a repository run nothing before a yes, and nothing but what the yes was for.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { need } from "../need.ts";
import { pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });
const write = (path: string, content: string) => ({ calls: [{ tool: "write", input: { path, content } }] });
const script = (dir: Scratch, word: string, code = 0) => `#!/bin/sh\necho ${word} >> ${dir.at("ran")}\nexit ${code}\n`;
const ran = (dir: Scratch) => (existsSync(dir.at("ran")) ? readFileSync(dir.at("ran"), "utf8") : "");

/** A project whose hooks run a script of it, at every event that is fired. */
function project(dir: Scratch, command = '"$CLAUDE_PROJECT_DIR"/.claude/hooks/check.sh') {
  const hooks = [{ hooks: [{ type: "command", command }] }];
  const events = "PreToolUse PostToolUse UserPromptSubmit Stop SessionStart SessionEnd Notification".split(" ");
  dir.write({
    "work/.git/HEAD": "ref: refs/heads/main\n",
    "work/.claude/settings.json": JSON.stringify({ hooks: Object.fromEntries(events.map((event) => [event, hooks])) }),
    "work/.claude/hooks/check.sh": script(dir, "one"),
    "work/.pith/hooks.yml": `- on: call\n  run: .pith/own.sh\n`,
    "work/.pith/own.sh": script(dir, "own"),
    "work/.pith/hooks/pre/bash.sh": script(dir, "file"),
  });
}

const go = (dir: Scratch, turns: object[], ...more: string[]) =>
  pith(dir, ["-p", "go", "--yolo", ...scripted(dir, ...turns, { text: "Done." }), ...more]);

test("nothing of a repository's hooks runs before a yes, and one line names their files", async () => {
  using dir = scratch();
  project(dir);
  const { code, err } = await go(dir, [bash("true")]);
  expect([code, ran(dir)]).toEqual([0, ""]);
  expect(err.trim().split("\n")).toEqual([
    expect.stringMatching(
      /9 hooks of this project left out \(.*settings.json: nobody has trusted it.*pith trust --show/,
    ),
  ]);
}, 30_000);

test("a yes shows the scripts, and holds for their very bytes", async () => {
  using dir = scratch();
  project(dir);
  const { out } = await pith(dir, ["trust", "--show"]);
  expect(out).toContain("runs outside the sandbox, with your rights");
  expect(out).toContain("echo one");
  expect(out).toContain("echo own");
  await pith(dir, ["trust"]);
  await go(dir, [bash("true")]);
  expect(new Set(ran(dir).trim().split("\n"))).toEqual(new Set(["one", "own", "file"]));
  dir.write({ "work/.claude/hooks/check.sh": script(dir, "two") });
  const { err } = await go(dir, [bash("true")]);
  expect(ran(dir)).not.toContain("two");
  expect(err).toContain("it has changed since you trusted it");
  expect((await pith(dir, ["trust", "--show"])).out).toMatch(/-echo one .*\n\+echo two /);
}, 60_000);

test("a model that rewrites a trusted guard in the middle of a turn has no guard that lets it through", async () => {
  using dir = scratch();
  project(dir);
  dir.write({
    "work/.claude/hooks/check.sh": script(dir, "no", 2),
    "work/.pith/hooks.yml": "",
    "work/.pith/hooks/pre/bash.sh": script(dir, "fine"),
  });
  dir.write({
    "work/.claude/settings.json": JSON.stringify({
      hooks: { PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "./.claude/hooks/check.sh" }] }] },
    }),
  });
  await pith(dir, ["trust"]);
  const turns = [write(".claude/hooks/check.sh", script(dir, "yes")), bash(`touch ${dir.at("work/evil")}`)];
  await go(dir, turns, "--approval", "yolo");
  expect(existsSync(dir.at("work/evil"))).toBe(false);
  expect(ran(dir)).not.toContain("yes");
}, 30_000);

test("a script of the same name where pith is started is not the one that the yes was for", async () => {
  using dir = scratch();
  project(dir, "./check.sh");
  dir.write({
    "work/.pith/hooks.yml": "",
    "work/check.sh": script(dir, "root"),
    "work/sub/check.sh": script(dir, "sub"),
  });
  await pith(dir, ["trust"]);
  await go(dir, [bash("true")], "--cwd", dir.at("work/sub"));
  expect(ran(dir)).not.toContain("sub");
}, 30_000);

test.skipIf(need("strace") !== undefined)(
  "a start in an untrusted project starts no program of it",
  async () => {
    using dir = scratch();
    project(dir);
    const { run } = await import("../scratch.ts");
    const { envOf, program } = await import("../pith.ts");
    const trace = ["strace", "-f", "-qq", "-e", "trace=execve", "-o", dir.at("trace")];
    dir.write({ "tmp/.keep": "", "home/.keep": "" });
    const argv = [...trace, ...program, "-p", "go", "--yolo", ...scripted(dir, bash("true"), { text: "Done." })];
    expect((await run(argv, { cwd: dir.at("work"), env: envOf(dir) })).code).toBe(0);
    const started = readFileSync(dir.at("trace"), "utf8")
      .split("\n")
      .filter((line) => line.includes("execve("));
    expect(started.length).toBeGreaterThan(0);
    expect(started.filter((line) => /check\.sh|own\.sh|hooks\/pre/.test(line))).toEqual([]);
  },
  60_000,
);

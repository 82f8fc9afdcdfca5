// Programs that need a terminal, at a real one: tmux types and reads the screen.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { need } from "../need.ts";
import { envOf, main, scripted } from "../pith.ts";
import { run, type Scratch, scratch } from "../scratch.ts";

const missing = (...programs: string[]) => programs.map(need).some((reason) => reason !== undefined);

/** pith in a window of tmux, with a model that calls bash with `pty: true` and then says goodbye. */
async function desk(dir: Scratch, command: string) {
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  const env = { ...envOf(dir, { NO_COLOR: "1" }), SHELL: "/bin/sh" };
  const model = scripted(
    dir,
    { calls: [{ tool: "bash", input: { command, pty: true, timeout: 60 } }] },
    { text: "Goodbye." },
  );
  const tmux = async (...words: string[]) =>
    (await run(["tmux", "-f", "/dev/null", "-S", dir.at("tmp", "tmux"), ...words], { cwd: dir.at("work"), env })).out;
  const line = [process.execPath, main, "--line", "--yolo", ...model].map((word) => `'${word}'`).join(" ");
  await tmux("new-session", "-d", "-x", "90", "-y", "28", line);
  const screen = () => tmux("capture-pane", "-p");
  const sees = async (text: string | RegExp) => {
    const found = (shown: string) => (typeof text === "string" ? shown.includes(text) : text.test(shown));
    let shown = await screen();
    for (let i = 0; i < 400 && !found(shown); i++) {
      await Bun.sleep(25);
      shown = await screen();
    }
    expect(shown).toMatch(text);
  };
  const type = (...keys: string[]) => tmux("send-keys", ...keys);
  await sees("? shows the keys");
  await type("go", "Enter");
  return { sees, type, screen, [Symbol.asyncDispose]: async () => void (await tmux("kill-server")) };
}

/** The tool result that the model got. */
function told(dir: Scratch): string {
  const sessions = dir.at("home", ".pith", "sessions");
  const file = readdirSync(sessions, { recursive: true })
    .map(String)
    .find((name) => name.endsWith(".jsonl"));
  const lines = readFileSync(join(sessions, file ?? ""), "utf8").split("\n");
  return lines.find((line) => line.includes('"toolResult"')) ?? "";
}

test.skipIf(missing("tmux", "python3"))("a person talks to Python, and the model reads what was said", async () => {
  using dir = scratch();
  await using at = await desk(dir, "PYTHON_BASIC_REPL=1 python3 -q");
  await at.sees(">>>");
  await at.sees("(Ctrl+] ends it)");
  await at.type("print(6*7)", "Enter");
  await at.sees(/^42$/m);
  await at.type("exit()", "Enter");
  await at.sees("Goodbye.");
  expect(told(dir)).toContain(">>> print(6*7)\\n42");
  expect(told(dir)).toContain('"exitCode":0');
});

test.skipIf(missing("tmux", "vim"))("a person writes a file in vim, Escape and all", async () => {
  using dir = scratch();
  await using at = await desk(dir, "vim -u NONE -n note.txt");
  await at.sees(`"note.txt" [New`);
  await at.type("i", "hello from vim", "Escape");
  await at.sees("hello from vim");
  await at.type(":wq", "Enter");
  await at.sees("Goodbye.");
  expect(readFileSync(dir.at("work", "note.txt"), "utf8")).toBe("hello from vim\n");
});

test.skipIf(missing("tmux", "git"))("a person chooses hunks with git add -p", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "one\n" });
  const git = (...words: string[]) =>
    run(["git", "-c", "user.name=t", "-c", "user.email=t@example.invalid", ...words], {
      cwd: dir.at("work"),
      env: envOf(dir),
    });
  await git("init", "-q");
  await git("add", "a.txt");
  await git("commit", "-qm", "first");
  dir.write({ "work/a.txt": "one\ntwo\n" });
  await using at = await desk(dir, "git add -p");
  await at.sees("Stage this hunk");
  await at.type("y", "Enter");
  await at.sees("Goodbye.");
  expect((await git("diff", "--cached")).out).toContain("+two");
});

test.skipIf(missing("tmux"))("Ctrl+] ends a program, and the terminal is as it was", async () => {
  using dir = scratch();
  await using at = await desk(dir, "echo working; sleep 300");
  await at.sees("(Ctrl+] ends it)");
  await at.type("C-]");
  await at.sees("Goodbye.");
  await at.sees("cancelled");
  await at.type("!echo $((40+2))", "Enter");
  await at.sees(/^ *42$/m);
  await at.type("/quit", "Enter");
  expect(existsSync(dir.at("work"))).toBe(true);
});

import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { until } from "../../packages/kit/src/test/index.ts";
import { need } from "../need.ts";
import { main, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";
import { terminal } from "../terminal.ts";
import { tmuxed } from "../tmux.ts";

const write = { calls: [{ tool: "write", input: { path: "made.txt", content: "made\n" } }] };
const plan = { calls: [{ tool: "exit_plan_mode", input: { plan: "# Make a file\n\n1. write made.txt" } }] };
const ask = (...questions: object[]) => ({ calls: [{ tool: "ask", input: { questions } }] });
const recordIn = (dir: Scratch): string => {
  const sessions = dir.at("home/.pith/sessions");
  return `${sessions}/${readdirSync(sessions, { recursive: true }).find((name) => String(name).endsWith(".jsonl"))}`;
};
const colour = { id: "c", question: "Which colour?", options: [{ label: "red" }, { label: "blue" }], recommended: 1 };
const sizes = { id: "s", question: "Which sizes?", options: [{ label: "s" }, { label: "m" }], multi: true };

test.skipIf(need("tmux") !== undefined)(
  "plan mode: the plan is asked for, approved, carried out and kept in view; a resume knows the mode",
  async () => {
    using dir = scratch();
    const argv = scripted(dir, write, plan, write, { text: "It is made." });
    using at = tmuxed(dir, ["--yolo", ...argv]);
    await at.idle();
    at.type("/plan make a file\r");
    await at.sees("Approve this plan?");
    expect(at.grid()).toContain("write made.txt");
    expect(existsSync(dir.at("work/made.txt"))).toBe(false);
    await at.takesKeys();
    at.type("1");
    await at.sees("It is made.");
    expect(readFileSync(dir.at("work/made.txt"), "utf8")).toBe("made\n");
    await at.sees("plan: Make a file");
    at.type("/plan\r");
    await at.sees("Plan mode is on");
    at.type("once more\r");
    await at.leave();
    using again = tmuxed(dir, ["-c", "--yolo", ...argv]);
    await again.sees("plan");
    await until(() => /\bplan\b/.test(again.grid()), "the mode in the status line");
    await again.leave();
  },
);

test.skipIf(need("tmux") !== undefined)(
  "a question of the model is answered in the full face: one, then several",
  async () => {
    using dir = scratch();
    using at = tmuxed(dir, scripted(dir, ask(colour, sizes), { text: "Thanks." }));
    await at.idle();
    at.type("go\r");
    await at.sees("2. blue (recommended)");
    await at.takesKeys();
    at.type("2");
    await at.sees("Which sizes?");
    await at.takesKeys();
    at.type("2");
    at.type("\r");
    await at.sees("Thanks.");
    expect(at.tape()).toContain("blue");
    await at.leave();
  },
);

test.skipIf(need("tmux") !== undefined)("words of one's own are the answer however fast they are typed", async () => {
  using dir = scratch();
  const more = { ...plan, text: "Again." };
  using at = tmuxed(dir, scripted(dir, ask(sizes, colour), { text: "Heard: {{result}}" }, plan, more, { text: "So." }));
  await at.idle();
  at.type("go\r");
  await at.sees("◯ 1. s");
  await at.takesKeys();
  at.type("1");
  await at.sees("◉ 1. s");
  at.type("3");
  await at.sees("◉ 3. Other");
  at.type("\rtiny\x1b");
  await at.sees("◯ 3. Other");
  await at.takesKeys();
  at.type("3");
  await at.sees("◉ 3. Other");
  at.type("\rtiny 1, 2\r");
  await at.sees("2. blue (recommended)");
  await at.takesKeys();
  at.type("3mauve\r");
  await at.sees("Heard: ");
  await at.idle();
  expect(at.grid()).toContain("s: User selected: s; User provided custom input: tiny 1, 2");
  expect(at.grid()).toContain("c: User provided custom input: mauve");
  expect(at.grid()).not.toContain("next:");
  at.type("/plan a file\r");
  await at.sees("3. Say what to change");
  await at.takesKeys();
  at.type("3another name\r");
  await at.sees("Again.");
  await at.sees("3. Say what to change");
  await at.leave();
  expect(readFileSync(recordIn(dir), "utf8")).toContain("wants the plan changed: another name");
});

test("the same questions line by line, back and forth, with words of one's own", async () => {
  using dir = scratch();
  const at = terminal(dir, scripted(dir, ask(colour, sizes), { text: "Thanks." }));
  // A key counts half a second after its question came.
  const press = async (seen: string | RegExp, keys: string) => {
    await at.sees(seen);
    await at.takesKeys();
    at.type(keys);
  };
  await at.waits();
  at.type("go\r");
  await press("1 of 2", "3mauve\r");
  await press("2 of 2", "\x1b[D");
  await press("❯ 3. Other", "1");
  await press(/2 of 2/, "21\r");
  await at.sees("Thanks.");
  expect(at.tape()).toMatch(/Which colour\?\s+❯ red\s+Which sizes\?\s+❯ m, s/);
  expect(at.tape()).not.toContain("next:");
  at.child.kill();
  await at.child.exited;
});

test.skipIf(need("tmux") !== undefined)(
  "/btw is answered beside the conversation and leaves nothing in it",
  async () => {
    using dir = scratch();
    dir.write({
      "script.json": JSON.stringify({
        turns: [{ text: "One." }, { text: "Two." }],
        side: { aside: "By the way: blue." },
      }),
    });
    using at = tmuxed(dir, ["--model", `faux/${dir.at("script.json")}`]);
    await at.idle();
    at.type("go\r");
    await at.sees("One.");
    await at.idle();
    at.type("/btw which colour?\r");
    await at.sees("By the way: blue.");
    at.type("on\r");
    await at.sees("Two.");
    await at.leave();
  },
);

test.skipIf(need("tmux") !== undefined)("in tmux: tree, themes, settings and a copy into its buffer", async () => {
  using dir = scratch();
  const argv = scripted(dir, { text: "Take `this`.\n\n```sh\necho copied\n```" });
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  const socket = dir.at("tmux");
  const tmux = (...words: string[]) => Bun.spawnSync(["tmux", "-S", socket, ...words]).stdout.toString();
  const env = `env HOME=${dir.at("home")} LANG=C.UTF-8 TMPDIR=${dir.at("tmp")}`;
  const command = [env, process.execPath, main, ...argv].join(" ");
  tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", "-c", dir.at("work"), command);
  const grid = () => tmux("capture-pane", "-p");
  const shows = (text: string) => until(() => grid().includes(text), text);
  const gone = (text: string) => until(() => !grid().includes(text), `no ${text}`);
  try {
    await shows("❯");
    tmux("send-keys", "go", "Enter");
    await shows("echo copied");
    for (const [typed, seen] of [
      ["/tree", "(here)"],
      ["/theme", "themes for"],
      ["/settings", "applies from"],
    ] as const) {
      tmux("send-keys", typed, "Enter");
      await shows(seen);
      tmux("send-keys", "C-c");
      await gone(seen);
    }
    tmux("send-keys", "/copy code", "Enter");
    await shows("Copied the code");
    expect(tmux("show-buffer")).toBe("echo copied\n");
    // Covered rows are as before, each once.
    expect(grid().match(/echo copied/g)).toHaveLength(1);
  } finally {
    tmux("kill-server");
  }
});

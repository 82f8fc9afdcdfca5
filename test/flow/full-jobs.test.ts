import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { full } from "../full.ts";
import { need } from "../need.ts";
import { scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { tmuxed } from "../tmux.ts";

const background = (command: string) => ({ calls: [{ tool: "bash", input: { command, async: true } }] });
const evil = "\u001b]0;owned\u0007\u009b2J\u202e";

test("/jobs shows what runs with the end of its output as it is written, and cancels one", async () => {
  using dir = scratch();
  const loop = `i=0; while [ $i -lt 9000 ]; do i=$((i+1)); echo "tick $i"; [ -e more ] || sleep 0.05; done; sleep 60`;
  const at = full(dir, [
    "--yolo",
    ...scripted(
      dir,
      background(loop),
      background(`printf '${evil}'; sleep 60`),
      { text: "Both run." },
      { text: "So." },
    ),
  ]);
  await at.idle();
  at.type("/jobs\r");
  await at.sees("there are no background jobs");
  at.type("\x1b");
  await at.gone("no background jobs");
  at.type("go\r");
  await at.sees("Both run.");
  await at.idle();
  at.type("/jobs\r");
  await at.sees("jobs: 2 of 2 jobs running");
  const ticks = () => Number(/tick (\d+)\s*\n(?:[^\n]* of \d+\s*\n)?\s*[^\n]*Alt\+C/.exec(at.grid())?.[1] ?? 0);
  await at.sees("tick 3");
  const seen = ticks();
  dir.write({ "work/more": "" });
  await at.sees("tick 9000");
  expect(ticks()).toBeGreaterThan(seen);
  at.type("\x1b[5~\x1b[5~");
  await at.gone("tick 9000");
  at.type("\x1b[6~\x1b[6~\x1b[6~");
  await at.sees("tick 9000");
  at.type("\x1bc");
  await at.sees("bash-1: cancelled");
  await at.sees("jobs: 1 of 2 jobs running");
  at.type("\x1b[B");
  await at.sees("❯ bash-2");
  expect(at.bytes()).not.toContain("\x1b]0;owned");
  at.type("\x1b");
  await at.gone("jobs: 1 of 2");
  at.type("/jobs cancel bash-2\r");
  await at.wrote("bash-2: cancelled");
  await at.leave();
});

test.skipIf(need("tmux") !== undefined)(
  "/context shows how full the window is, as bars that keep their place at any size",
  async () => {
    using dir = scratch();
    using at = tmuxed(dir, scripted(dir, { text: "One." }));
    await at.idle();
    at.type("/context\r");
    await at.sees("tokens are used");
    expect(at.grid()).toMatch(/system prompt +[\d,]+ +[\d.]+ % +█/);
    at.resize(20, 6);
    await at.gone("estimated");
    at.resize(80, 24);
    await at.sees("estimated");
    at.type("\x1b");
    await at.gone("tokens are used");
    await at.leave();
  },
);

test.skipIf(need("tmux") !== undefined)(
  "/move goes on with the session in the other directory, by its settings, and commands run there",
  async () => {
    using dir = scratch();
    const pwd = { calls: [{ tool: "bash", input: { command: "pwd" } }] };
    using at = tmuxed(dir, ["--yolo", ...scripted(dir, { text: "One." }, pwd, { text: "Two." })], { columns: 120 });
    dir.write({ "elsewhere/AGENTS.md": "Speak softly.", "home/.pith/config.yml": "" });
    await at.idle();
    at.type("/move ../elsewhere\r");
    await at.sees("nothing to move");
    at.type("some words\r");
    await at.sees("One.");
    await at.idle();
    at.type("/move ../nowhere\r");
    await at.sees("There is no directory");
    at.type("/move ../elsewhere\r");
    await at.sees("From here on this is in");
    await at.sees("some words");
    at.type("where are we\r");
    await at.sees("Two.");
    expect(at.tape()).toContain(`\n  ${dir.at("elsewhere")}`);
    await at.leave();
    const files = readdirSync(dir.at("home/.pith/sessions"), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".jsonl"),
    );
    expect(files).toHaveLength(1);
    expect(files[0]).toContain("elsewhere");
    expect(
      JSON.parse(readFileSync(dir.at("home/.pith/sessions", files[0] ?? ""), "utf8").split("\n")[0] ?? "").cwd,
    ).toBe(dir.at("elsewhere"));
  },
);

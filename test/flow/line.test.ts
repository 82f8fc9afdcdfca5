// The line prompt at a real terminal.
import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { terminal } from "../terminal.ts";

test("a bare pith without a model offers the tour; it asks, and Enter alone goes on with it", async () => {
  using dir = scratch();
  const desk = terminal(dir, []);
  await desk.sees("No model is connected yet. Press Enter for a tour");
  desk.type("\r");
  await desk.sees("◉ 2. modified greet.sh");
  await desk.answers("y");
  await desk.sees("$ sh test.sh");
  await desk.answers("y");
  await desk.sees("The test passes.");
  await desk.sees("edit greet.sh  +1 -2");
  await desk.sees("Press Enter to undo the change");
  desk.type("\r");
  await desk.sees('Undid "Fix the failing test." (1 file)');
  await desk.waits();
  desk.type("\r");
  await desk.sees('Redid "Fix the failing test." (1 file)');
  await desk.waits();
  desk.type("\r");
  await desk.sees("pith -c");
  await desk.sees("ANTHROPIC_API_KEY");
  expect(desk.screen()).not.toContain("yolo");
  await desk.waits();
  desk.type("\u0004");
  expect(await desk.child.exited).toBe(0);
  expect(readdirSync(dir.at("tmp"))).toEqual([".keep"]);
});

test("a question is asked, answered, and obeyed", async () => {
  using dir = scratch();
  const touch = (name: string) => ({ calls: [{ tool: "bash", input: { command: `touch ${name}` } }] });
  const desk = terminal(dir, [
    "--approval",
    "write",
    ...scripted(dir, touch("no"), touch("yes"), { text: "Both asked." }),
  ]);
  await desk.waits();
  desk.type("go\n");
  await desk.sees("$ touch no");
  await desk.answers("n");
  await desk.sees("$ touch yes");
  await desk.answers("y");
  await desk.sees("Both asked.");
  desk.type("/quit\n");
  expect(await desk.child.exited).toBe(0);
  expect([existsSync(dir.at("work", "no")), existsSync(dir.at("work", "yes"))]).toEqual([false, true]);
});

test("Ctrl+C interrupts what runs, and twice leaves", async () => {
  using dir = scratch();
  const desk = terminal(dir, [
    "--yolo",
    ...scripted(
      dir,
      { text: "Waiting.", calls: [{ tool: "bash", input: { command: "sleep 60" } }] },
      { text: "Again." },
    ),
  ]);
  await desk.waits();
  desk.type("go\n");
  await desk.sees("• bash sleep 60");
  desk.type("\u0003");
  await desk.sees("Interrupted.");
  await desk.waits();
  desk.type("go on\n");
  await desk.sees("Again.");
  await desk.waits();
  desk.type("\u0004");
  expect(await desk.child.exited).toBe(0);
  const other = terminal(dir, scripted(dir, { text: "Again." }));
  await other.waits();
  other.type("\u0003");
  await other.sees("Ctrl+C again, or Ctrl+D, leaves.");
  other.type("\u0003");
  expect(await other.child.exited).toBe(0);
});

test("a terminal that is closed lets pith leave in order, and a tour leaves nothing behind", async () => {
  using dir = scratch();
  const desk = terminal(dir, []);
  await desk.waits();
  // As a window does it: its end is read, and the hang-up comes beside it.
  desk.child.terminal?.close();
  desk.child.kill("SIGHUP");
  await desk.child.exited;
  const kept = readdirSync(dir.path, { recursive: true, encoding: "utf8" });
  expect(kept.filter((name) => /\.jsonl|\/undo\/./.test(name))).toEqual([]);
});

test("only a bare pith plays the tour: with a prompt and no model it says how to connect one", async () => {
  using dir = scratch();
  const desk = terminal(dir, ["hello"]);
  expect(await desk.child.exited).toBe(2);
  expect(desk.screen()).toContain("no model is connected");
  const limited = terminal(dir, ["--max-time", "10m"]);
  expect(await limited.child.exited).toBe(2);
});

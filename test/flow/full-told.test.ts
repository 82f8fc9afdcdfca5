// Messages of the full screen appear once and in their place.
import { expect, test } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
import { Glob } from "bun";
import { full } from "../full.ts";
import { need } from "../need.ts";
import { pith, scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { tmuxed } from "../tmux.ts";

const times = (text: string, word: string): number => text.split(word).length - 1;

test("after a handoff and a new size the old session still stands above the line, told once", async () => {
  using dir = scratch();
  const side = { handoff: { text: "## Goal\nCount." } };
  dir.write({ "script.json": JSON.stringify({ turns: [{ text: "First answer." }, { text: "Other." }], side }) });
  const at = full(dir, ["--model", dir.at("script.json")]);
  await at.idle();
  at.type("alpha\r");
  await at.sees("First answer.");
  await at.idle();
  at.type("/handoff\r");
  await at.sees("The work goes on in a new session");
  expect(at.tape()).not.toContain("The conversation is shorter");
  at.resize(60, 30);
  await at.sees(`${"─".repeat(60)}\n❯`);
  const tape = at.tape();
  expect(["❯ alpha", "First answer.", "goes on in a new session ─"].map((word) => times(tape, word))).toEqual([
    1, 1, 1,
  ]);
  await at.idle();
  expect(await at.leave()).toBe(0);
});

test.skipIf(need("tmux") !== undefined)(
  "a prompt that does not fit is told once, and takes no more than a screen",
  async () => {
    using dir = scratch();
    dir.write({ "script.json": JSON.stringify({ model: { contextWindow: 9000 }, turns: [{ text: "Never." }] }) });
    using at = tmuxed(dir, ["--model", dir.at("script.json")], { rows: 40 });
    await at.idle();
    at.type(`\x1b[200~${"word ".repeat(12_000)}\x1b[201~`);
    at.type("\r");
    await at.sees("does not fit into the window");
    expect(at.grid()).toContain("more letters: Ctrl+O shows all");
    expect(at.tape()).not.toContain("could not be made shorter");
    await at.idle();
    expect(await at.leave()).toBe(0);
  },
);

test.skipIf(need("tmux") !== undefined)(
  "a damaged entry of a short session is not counted as something that stands above",
  async () => {
    using dir = scratch();
    const argv = scripted(dir, { text: "Hello there." });
    await pith(dir, ["-p", "go", ...argv]);
    const [file = ""] = new Glob("home/.pith/sessions/**/*.jsonl").scanSync({
      cwd: dir.path,
      absolute: true,
      dot: true,
    });
    const { id: parentId } = JSON.parse(readFileSync(file, "utf8").trim().split("\n").at(-1) ?? "");
    const timestamp = new Date().toISOString();
    appendFileSync(
      file,
      `${JSON.stringify({ type: "message", message: null, id: "0badc0de", parentId, timestamp })}\n`,
    );
    using at = tmuxed(dir, ["-c", ...argv]);
    await at.sees("Hello there.");
    expect(at.tape()).not.toContain("above");
    await at.idle();
    expect(await at.leave()).toBe(0);
  },
);

test("a question stands apart from the tasks above it", async () => {
  using dir = scratch();
  const todo = { tool: "todo", input: { ops: [{ op: "init", list: [{ phase: "P", items: ["a", "b"] }] }] } };
  const options = [{ label: "red" }, { label: "blue" }];
  const ask = { tool: "ask", input: { questions: [{ id: "c", question: "Which colour?", options }] } };
  const at = full(dir, scripted(dir, { calls: [todo] }, { calls: [ask] }, { text: "Thanks." }));
  await at.idle();
  at.type("go\r");
  await at.sees("│ Which colour?");
  expect(at.grid()).toMatch(/◯ b *\n *\n│ Which colour\?/);
  at.child.kill();
  await at.child.exited;
});

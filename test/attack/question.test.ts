// A question shows what runs: nothing in a call can hide it from the one who has to allow it.
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { terminal } from "../terminal.ts";

type Desk = ReturnType<typeof terminal>;

async function asked(tool: string, input: Record<string, unknown>, look: (desk: Desk) => unknown = () => {}) {
  using dir = scratch();
  const desk = terminal(dir, ["--approval", "ask", ...scripted(dir, { calls: [{ tool, input }] }, { text: "Done." })]);
  await desk.waits();
  desk.type("go\r");
  await desk.asks();
  const shown = desk.tape();
  await look(desk);
  await desk.answers("n");
  await desk.sees("Done.");
  await desk.waits();
  desk.type("\u0004");
  await desk.child.exited;
  return { shown, screen: desk.screen().replaceAll("\r\n", "\n"), made: existsSync(dir.at("work/made")) };
}

test("an escape sequence in a command hides no part of it", async () => {
  const { shown, screen } = await asked("bash", { command: "echo hello \u001b]0;touch made;: \u0007" });
  expect(shown).toContain("$ echo hello \\e]0;touch made;: \\x07");
  expect(screen).not.toContain("\u001b]0;touch");
});

test("a carriage return, a backspace or a mark that turns text around hides nothing", async () => {
  const { shown } = await asked("bash", { command: "touch made #\rls\u0008\u0008\u202esl" });
  expect(shown).toContain("$ touch made #\\rls\\x08\\x08\\u202esl");
});

test("the lines of a long command are counted where they are left out, and shown to who asks", async () => {
  const lines = Array.from({ length: 150 }, (_, at) => (at === 75 ? "touch made" : `: ${at}`));
  const { shown, made } = await asked("bash", { command: lines.join("\n") }, async (desk) => {
    await desk.answers("\x0f");
    await desk.sees("1-15 of ");
    desk.type("\x1b[6~".repeat(5));
    await desk.sees("> touch made");
    desk.type("\x1b");
  });
  expect(shown).toMatch(/\d+ lines hidden: Ctrl\+O shows all/);
  expect(shown).not.toContain("touch made");
  expect(made).toBe(false);
});

test("a line break in a path forges no line of the question", async () => {
  const path = "a\nruns: true\nbash runs a command. Allow it? [y/n] y";
  const { shown } = await asked("write", { path, content: "x" });
  expect(shown).not.toMatch(/^\W*runs: true$/m);
  expect(shown).not.toMatch(/^bash runs a command/m);
});

import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { until } from "../../packages/kit/src/test/index.ts";
import { full } from "../full.ts";
import { need } from "../need.ts";
import { scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { tmuxed } from "../tmux.ts";

setDefaultTimeout(60_000);

const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });
const noTmux = need("tmux") !== undefined;
const altUp = "\x1b[1;3A";
// A picture of one point.
const point = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test.skipIf(noTmux)("a command of mine that says nothing is seen to run, and Escape and Ctrl+C end it", async () => {
  using dir = scratch();
  using at = tmuxed(dir, scripted(dir, { text: "." }));
  await at.idle();
  at.type("!sleep 71\r");
  await at.sees("! sleep 71");
  await at.sees("running your command");
  at.type("\x1b");
  await at.sees("cancelled");
  await at.idle();
  at.type("!sleep 72\r");
  await at.sees("running your command");
  at.type("\x03");
  await until(() => at.tape().split("cancelled").length === 3, "the end of the second");
  expect(await at.leave()).toBe(0);
});

test.skipIf(noTmux)("what the model said before it was stopped stands there to its last word", async () => {
  using dir = scratch();
  using at = tmuxed(dir, scripted(dir, { text: "The answer is forty-two", hang: true }));
  await at.idle();
  at.type("go\r");
  await at.sees("The answer is");
  at.type("\x1b");
  await at.sees("Interrupted.");
  expect(at.grid()).toContain("The answer is forty-two\n");
  await at.leave();
});

test("a home that cannot be written costs what is kept there, and not the conversation", async () => {
  using dir = scratch();
  dir.write({ "home/.pith": "in the way" });
  const at = full(dir, ["--yolo", ...scripted(dir, { ...bash("echo ran; sleep 1"), delayMs: 700 }, { text: "Done." })]);
  await at.idle();
  at.type("go");
  await at.wrote("What you type is not kept for after a crash");
  at.type("\r");
  await at.sees("Done.");
  await at.idle();
  expect(at.tape()).toContain("Undo is not available");
  expect(await at.leave()).toBe(0);
});

test.skipIf(noTmux)("what is taken back has its pictures where they stood, each once", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "" });
  writeFileSync(dir.at("work/one.png"), point);
  const asked = { text: "Saw {{user}}." };
  using at = tmuxed(dir, ["--yolo", ...scripted(dir, bash("while [ ! -e go ]; do sleep 0.05; done"), asked, asked)]);
  await at.idle();
  at.type("wait\r");
  await at.sees("running bash");
  at.type(`\x1b[200~${dir.at("work/one.png")}\x1b[201~`);
  await at.sees("[image #1]");
  at.type("pasted\r");
  await at.sees("next: [image #1] pasted [1 picture]");
  at.type("@one.png named ");
  at.type("\r");
  await at.sees("named [1 picture]");
  at.type("mine");
  await at.sees("❯ mine");
  at.type(altUp);
  await at.gone("next:");
  await at.sees("  mine");
  const typed = at.grid().slice(at.grid().lastIndexOf("❯"));
  expect(typed).toMatch(/^❯ \[image #1\] pasted\n\n? *\n? {2}@one\.png named\n\n? *\n? {2}mine\n/);
  dir.write({ "work/go": "" });
  at.type("\r");
  await at.sees("Saw");
  await at.idle();
  await at.leave();
  const sessions = dir.at("home/.pith/sessions");
  const [folder = ""] = readdirSync(sessions);
  const [file = ""] = readdirSync(`${sessions}/${folder}`).filter((name) => name.endsWith(".jsonl"));
  const lines = readFileSync(`${sessions}/${folder}/${file}`, "utf8").split("\n");
  const said = lines.findLast((line) => line.includes('"role":"user"') && line.includes("mine"));
  expect(said?.split('"type":"image"')).toHaveLength(3);
});

test.skipIf(noTmux)("what I was typing survives a kill while I say why not", async () => {
  using dir = scratch();
  const argv = ["--approval", "ask", ...scripted(dir, bash("touch made"), { text: "." })];
  const first = full(dir, argv);
  await first.idle();
  first.type("go\r");
  await first.sees("No, and say why");
  first.type("my long thought");
  await first.sees("❯ my long thought");
  await first.takesKeys();
  first.type("r");
  await first.sees("Enter says no with what you type");
  first.type("because");
  await first.sees("❯ because");
  const drafts = dir.at("home/.pith/drafts");
  const names = () => readdirSync(drafts).filter((name) => name.endsWith(".json"));
  const kept = () => names().map((name) => readFileSync(`${drafts}/${name}`, "utf8"));
  await until(() => kept().some((text) => text.includes("because")), "the draft on the disk");
  first.child.kill(9);
  await first.child.exited;
  using again = tmuxed(dir, argv);
  await again.sees("my long thought");
  await again.leave();
});

test.skipIf(noTmux)("a command that did nothing stands there again to be put right", async () => {
  using dir = scratch();
  using at = tmuxed(dir, ["--yolo", ...scripted(dir, bash("sleep 60"), { text: "." })]);
  await at.idle();
  at.type("/modle big\r");
  await at.sees("Did you mean /model?");
  await at.sees("❯ /modle big");
  at.type("\x15");
  await at.idle();
  at.type("/tree is what I mean\r");
  await at.sees("/tree takes no words");
  await at.sees("❯ /tree is what I mean");
  at.type("\x15");
  await at.idle();
  at.type("!\r");
  await at.sees("Say what to run");
  await at.sees("❯ !");
  at.type("\x15go\r");
  await at.sees("running bash");
  at.type("/undo\r");
  await at.sees("it is for between turns");
  await at.sees("❯ /undo");
  at.type("\x15");
  await at.gone("❯ /undo");
  expect(await at.leave()).toBe(130);
});

test.skipIf(noTmux)("who looks at a dialog is told that a question waits below it", async () => {
  using dir = scratch();
  const options = [{ label: "red" }, { label: "blue" }];
  const ask = { calls: [{ tool: "ask", input: { questions: [{ id: "c", question: "Which colour?", options }] } }] };
  const wait = bash("while [ ! -e go ]; do sleep 0.05; done");
  using at = tmuxed(dir, ["--yolo", ...scripted(dir, wait, ask, { text: "Made." })]);
  await at.idle();
  at.type("go\r");
  await at.sees("running bash");
  at.type("/settings\r");
  await at.sees("Esc closes");
  dir.write({ "work/go": "" });
  await at.sees("a question waits");
  at.type("\x1b");
  await at.sees("Which colour?");
  await at.takesKeys();
  at.type("\x0f");
  await at.sees("Esc closes");
  expect(at.grid()).not.toContain("a question waits");
  at.type("\x1b");
  await at.gone("Esc closes");
  await at.leave();
});

test.skipIf(noTmux)("what is said right after words with a file comes after them", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "row\n".repeat(20_000) });
  using at = tmuxed(dir, scripted(dir, { text: "One.", delayMs: 300 }, { text: "Two." }));
  await at.idle();
  at.type("look into @a.txt first\rand then this\r");
  await at.wrote("One.");
  await at.wrote("and then this");
  await at.idle();
  const tape = at.tape();
  expect(tape.indexOf("look into")).toBeLessThan(tape.indexOf("and then this"));
  await at.leave();
});

test.skipIf(noTmux)(
  "a session that is resumed says what it had said: changed files, a stop, and whose command it was",
  async () => {
    using dir = scratch();
    const write = { calls: [{ tool: "write", input: { path: "x.txt", content: "a\nb\n" } }] };
    const argv = [
      "--yolo",
      ...scripted(dir, write, { text: "Written." }, { text: "Not so fast with that", hang: true }),
    ];
    using at = tmuxed(dir, argv);
    await at.idle();
    at.type("go\r");
    await at.sees("changed: 1 file +2 -0 (/undo takes it back");
    await at.idle();
    at.type("!!echo for me\r");
    await at.sees("!! echo for me");
    await at.sees("not shown to the model");
    at.type("more\r");
    await at.sees("Not so fast");
    at.type("\x1b");
    await at.sees("Interrupted.");
    await at.leave();
    using again = tmuxed(dir, ["-c", ...argv]);
    await again.sees("Interrupted.");
    const said = [
      "Written.",
      "changed: 1 file +2 -0\n",
      "!! echo for me",
      "more",
      "Not so fast with that\n",
      "Interrupted.",
    ];
    const places = said.map((text) => again.tape().indexOf(text));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places).not.toContain(-1);
    await again.leave();
  },
);

test.skipIf(noTmux)("with vim's keys the first Escape in a reason is vim's, and the reason stays", async () => {
  using dir = scratch();
  dir.write({ "home/.pith/config.yml": "editor:\n  vim: true\n" });
  using at = tmuxed(dir, ["--approval", "ask", ...scripted(dir, bash("touch made"), { text: "Heard: {{result}}" })]);
  await at.idle();
  at.type("go\r");
  await at.sees("No, and say why");
  await at.takesKeys();
  at.type("r");
  await at.sees("Enter says no with what you type");
  at.type("not hera");
  await at.sees("❯ not hera");
  at.type("\x1b");
  await at.sees("normal");
  at.type("re");
  await at.sees("❯ not here");
  at.type("\r");
  await at.wrote("Heard:");
  expect(at.tape()).toContain("not here");
  expect(existsSync(dir.at("work/made"))).toBeFalse();
  await at.leave();
});

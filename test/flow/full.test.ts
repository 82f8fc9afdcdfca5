import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { until } from "../../packages/kit/src/test/index.ts";
import { full } from "../full.ts";
import { scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";

const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });

test("a conversation on the whole screen: what is said, streamed and called stands there in order", async () => {
  using dir = scratch();
  const at = full(dir, [
    "--yolo",
    ...scripted(dir, { text: "I look.", ...bash("echo found it") }, { text: "# Done\n\nIt was **there**." }),
  ]);
  await at.idle();
  at.type("where is it?\r");
  await at.sees("It was there.");
  await at.idle();
  const rows = at.tape().split("\n");
  const order = ["❯ where is it?", "I look.", "bash echo found it", "found it", "Done", "It was there."];
  const places = order.map((text) => rows.findIndex((row) => row.includes(text)));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(await at.leave()).toBe(0);
});

test("a question shows what will run and takes y, but not what was typed ahead of it", async () => {
  using dir = scratch();
  const at = full(dir, scripted(dir, bash("touch made"), { text: "Made." }));
  await at.idle();
  at.type("go\r");
  await at.sees("runs: touch made");
  at.type("y");
  await at.sees("❯ y");
  expect(existsSync(dir.at("work/made"))).toBe(false);
  at.type("\x15");
  await Bun.sleep(450);
  at.type("y");
  await at.sees("Made.");
  expect(existsSync(dir.at("work/made"))).toBe(true);
  await at.leave();
});

test("what is typed while pith starts is kept", async () => {
  using dir = scratch();
  const at = full(dir, scripted(dir, { text: "Heard {{user}}." }));
  at.type("early words");
  await at.sees("❯ early words");
  at.type("\r");
  await at.sees("Heard early words.");
  await at.leave();
});

test("a start that fails gives the terminal back and says why", async () => {
  using dir = scratch();
  const at = full(dir, ["--model", "nobody/nothing"]);
  expect(await at.child.exited).toBe(2);
  expect(at.tape()).toContain("pith: ");
  expect(at.bytes()).toContain("\x1b[?2004l");
});

test("what is typed survives a kill, and the next pith there has it", async () => {
  using dir = scratch();
  const first = full(dir, scripted(dir, { text: "." }));
  await first.idle();
  first.type("half a thou");
  await first.sees("❯ half a thou");
  await until(() => existsSync(dir.at("home/.pith/drafts")), "a draft");
  await Bun.sleep(80);
  first.child.kill("SIGKILL");
  await first.child.exited;
  const next = full(dir, scripted(dir, { text: "." }));
  await next.sees("❯ half a thou");
  await next.leave();
});

test("Escape stops the turn and brings back what waited, for good", async () => {
  using dir = scratch();
  const at = full(dir, ["--yolo", ...scripted(dir, bash("sleep 30"), { text: "Never." })]);
  await at.idle();
  at.type("go\r");
  await at.sees("running bash");
  at.type("and this later\x1b\r");
  await at.sees("later: and this later");
  at.type("\x1b");
  await at.sees("❯ and this later");
  await at.sees("Interrupted.");
  await at.gone("later:");
  at.type("\x03");
  await at.idle();
  expect(await at.leave()).toBe(0);
  const again = full(dir, ["-c", ...scripted(dir, { text: "." }, { text: "Heard: {{user}}" })]);
  await again.idle();
  again.type("hello\r");
  await again.sees("Heard: hello");
  expect(again.tape()).not.toContain("and this later");
  await again.leave();
});

test("Ctrl+C clears what is typed, stops a turn, and twice leaves with 130 while one runs", async () => {
  using dir = scratch();
  const at = full(dir, ["--yolo", ...scripted(dir, bash("sleep 30"), { text: "Never." })]);
  await at.idle();
  at.type("draft");
  await at.sees("❯ draft");
  at.type("\x03");
  await at.idle();
  await Bun.sleep(550);
  at.type("go\r");
  await at.sees("running bash");
  expect(await at.leave()).toBe(130);
});

test("a long conversation that is resized stands in the terminal once, in order", async () => {
  using dir = scratch();
  const lines = Array.from({ length: 60 }, (_, at) => `line number ${at} of the answer`).join("\n\n");
  const at = full(dir, scripted(dir, { text: lines }, { text: "Second." }));
  await at.idle();
  at.type("go\r");
  await at.wrote("line number 59");
  await at.idle();
  at.resize(60, 20);
  await at.idle();
  at.resize(100, 30);
  await Bun.sleep(300);
  await at.idle();
  at.type("more\r");
  await at.sees("Second.");
  await at.idle();
  const rows = at.tape().split("\n");
  for (let n = 0; n < 60; n++)
    expect([n, rows.filter((row) => row.includes(`line number ${n} of`)).length]).toEqual([n, 1]);
  expect(rows.findIndex((row) => row.includes("number 59"))).toBeLessThan(
    rows.findIndex((row) => row.includes("Second.")),
  );
  await at.leave();
});

test("those who listen hear every row once, as plain lines, and answer by typing", async () => {
  using dir = scratch();
  const at = full(dir, [
    "--screen-reader",
    ...scripted(dir, { text: "Look.", ...bash("echo said") }, { text: "All done." }),
  ]);
  await at.wrote(">");
  at.type("go\r");
  await at.wrote("runs: echo said");
  await Bun.sleep(450);
  at.type("y");
  await at.wrote("All done.");
  expect(
    at
      .tape()
      .split("\n")
      .filter((row) => row.includes("All done.")),
  ).toHaveLength(1);
  expect(at.bytes()).not.toContain("\x1b[2J");
  await at.leave();
});

test("a resumed session stands below a line that counts what is above it", async () => {
  using dir = scratch();
  const turns = Array.from({ length: 3 }, (_, at) => ({
    text: Array.from({ length: 300 }, (_, row) => `row ${at}/${row}`).join("\n\n"),
  }));
  const argv = scripted(dir, ...turns);
  const first = full(dir, argv);
  await first.idle();
  for (const [at] of turns.entries()) {
    first.type(`turn ${at}\r`);
    await first.wrote(`row ${at}/299`);
    await first.idle();
  }
  await first.leave();
  const again = full(dir, ["-c", ...argv]);
  await again.wrote("row 2/299");
  await again.wrote("messages above: /transcript shows them");
  expect(again.tape()).not.toContain("row 0/0\n");
  await again.leave();
});

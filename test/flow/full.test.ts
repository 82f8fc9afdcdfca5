import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
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

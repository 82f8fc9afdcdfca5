import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { type Scratch, scratch } from "@pith/kit/test";
import { said } from "../../test/command.ts";
import { houseIn, scriptIn, talkIn } from "../../test/open.ts";

async function open(dir: Scratch, turns: unknown[]) {
  const talk = await talkIn(await houseIn(dir), { model: scriptIn(dir, turns) });
  const say = (name: string, words = "") =>
    said(
      talk.hall.commands.rows.find((command) => command.name === name),
      words,
    );
  return { ...talk, say };
}

test("/more shows all of the output that was shown last, also what the record has only a part of", async () => {
  using dir = scratch();
  const long = "seq 1 40000";
  const { coder, say } = await open(dir, [{ calls: [{ tool: "bash", input: { command: long } }] }, { text: "Done." }]);
  expect(await say("more")).toBe("Nothing was shown yet.");
  await coder.send({ text: "count" });
  const counted = await say("more");
  expect([counted.startsWith("1\n2\n"), counted.trimEnd().split("\n").length]).toEqual([true, 40_000]);
  await coder.command("echo short", "in");
  expect(await say("more")).toBe("short\n");
  await coder.close();
});

test("/save copies the session and goes on in the copy, and says so when it cannot", async () => {
  using dir = scratch();
  const { coder, say } = await open(dir, [{ text: "One." }, { text: "Two." }]);
  await coder.send({ text: "first" });
  expect(await say("save")).toBe("failed: Say where: /save <file>");
  dir.write({ "work/a-file": "" });
  expect(await say("save", "a-file/copy.jsonl")).toStartWith("failed: ");
  expect(await say("save", "copy.jsonl")).toBe(`The session goes on in ${dir.at("work/copy.jsonl")}.`);
  await coder.send({ text: "second" });
  expect(coder.file).toBe(dir.at("work/copy.jsonl"));
  await coder.close();
  const copy = readFileSync(dir.at("work/copy.jsonl"), "utf8");
  expect([copy.includes("first"), copy.includes("second"), existsSync(dir.at("work/a-file"))]).toEqual([
    true,
    true,
    true,
  ]);
});

// What a person has read, and what they have said, outlives a kill.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { until } from "../../packages/kit/src/test/index.ts";
import { full } from "../full.ts";
import { pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const filesOf = (dir: Scratch, end: string) =>
  existsSync(dir.at("home/.pith/sessions"))
    ? readdirSync(dir.at("home/.pith/sessions"), { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(end),
      )
    : [];
const words = Array.from({ length: 400 }, (_, at) => `word${at}`).join(" ");

async function killed(at: ReturnType<typeof full>): Promise<void> {
  at.child.kill("SIGKILL");
  await at.child.exited;
}

test("an answer that stood on the screen for half a second is there after a kill -9, stopped", async () => {
  using dir = scratch();
  const slow = { thinking: ["Let me see."], text: words, chunkSize: 20, chunkDelayMs: 40 };
  const at = full(dir, scripted(dir, slow));
  await at.idle();
  at.type("tell me\r");
  await at.sees("word40 ");
  const shown = Math.max(...[...at.grid().matchAll(/word(\d+) /g)].map(([, n]) => Number(n)));
  // What is shown is kept a moment later.
  await Bun.sleep(500);
  await killed(at);
  expect(filesOf(dir, ".partial")).toHaveLength(1);
  const again = full(dir, ["-c", ...scripted(dir, slow, { text: "I heard {{user}}." })]);
  await again.sees("Interrupted.");
  expect(again.tape().split(`word${shown}`)).toHaveLength(2);
  expect(filesOf(dir, ".partial")).toEqual([]);
  await again.idle();
  again.type("go on\r");
  await again.sees("I heard go on.");
  await again.leave();
  const [record = ""] = filesOf(dir, ".jsonl");
  const lines = readFileSync(dir.at("home/.pith/sessions", record), "utf8").trim().split("\n");
  const roles = lines
    .map((line) => JSON.parse(line))
    .flatMap(({ message }) => (message ? [[message.role, message.stopReason]] : []));
  expect(roles.slice(0, 3)).toEqual([
    ["user", undefined],
    ["assistant", "aborted"],
    ["user", undefined],
  ]);
}, 60_000);

test("a whole answer leaves no file, and a file that does not fit is dropped", async () => {
  using dir = scratch();
  const slow = scripted(dir, { text: words, chunkSize: 40, chunkDelayMs: 20 });
  expect(await pith(dir, ["-p", "tell me", ...slow])).toMatchObject({ code: 0 });
  expect(filesOf(dir, ".partial")).toEqual([]);
  const [record = ""] = filesOf(dir, ".jsonl");
  const file = `home/.pith/sessions/${record}.partial`;
  const about = { parent: "none", api: "faux", provider: "faux", model: "m", timestamp: 1 };
  for (const text of [`${JSON.stringify(about)}\n{"text":"ghost"}\n`, "not JSON", ""]) {
    dir.write({ [file]: text });
    expect(
      await pith(dir, [
        "-p",
        "-c",
        "and more",
        ...scripted(
          dir,
          { text: "First." },
          { text: "Fine." },
          { text: "Fine." },
          { text: "Fine." },
          { text: "Fine." },
        ),
      ]),
    ).toMatchObject({ code: 0 });
    expect(filesOf(dir, ".partial")).toEqual([]);
  }
  expect(readFileSync(dir.at("home/.pith/sessions", record), "utf8")).not.toContain("ghost");
}, 60_000);

test("a message that was entered right before a kill -9 is in the record or in the composer", async () => {
  let lost = 0;
  for (let round = 0; round < 8; round++) {
    using dir = scratch();
    const at = full(dir, scripted(dir, { text: "Heard.", delayMs: 5000 }));
    await at.idle();
    at.type(`keep this ${round}`);
    const drafts = dir.at("home/.pith/drafts");
    const kept = () =>
      existsSync(drafts) ? readdirSync(drafts).map((name) => readFileSync(`${drafts}/${name}`, "utf8")) : [];
    await until(() => kept().some((text) => text.includes(`keep this ${round}`)), "the draft");
    at.type("\r");
    await Bun.sleep(round * 9);
    await killed(at);
    const records = filesOf(dir, ".jsonl").map((name) => readFileSync(dir.at("home/.pith/sessions", name), "utf8"));
    if (![...records, ...kept()].some((text) => text.includes(`keep this ${round}`))) lost++;
  }
  expect(lost).toBe(0);
}, 120_000);

test("a message that is in the record leaves no draft", async () => {
  using dir = scratch();
  const at = full(dir, scripted(dir, { text: "Heard." }));
  await at.idle();
  at.type("said once\r");
  await at.sees("Heard.");
  const drafts = dir.at("home/.pith/drafts");
  await until(() => !existsSync(drafts) || readdirSync(drafts).length === 0, "no draft");
  await at.leave();
});

import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import type { Coder } from "../../hall/coder.ts";
import type { Values } from "../../setting/schema.ts";
import { coderIn } from "../../test/open.ts";

const call = (tool: string, input: object) => ({ calls: [{ tool, input }], usage: { input: 1000, output: 50 } });
const fails = call("bash", { command: "cat gone.txt" });
const bash = (command: string) => call("bash", { command });
const write = (path: string, content: string) => call("write", { path, content });
const times = (count: number, turn: object) => Array.from({ length: count }, () => turn);

/** The notes and messages about circles. */
const notes = (coder: Coder) =>
  coder
    .path()
    .flatMap((entry) =>
      entry.type === "custom_message" && String(entry.content).includes("in circles") ? [String(entry.content)] : [],
    );
const answers = (coder: Coder) =>
  coder.path().filter((entry) => entry.type === "message" && entry.message.role === "assistant").length;

async function talk(turns: readonly object[], set: Values = {}, more: Parameters<typeof coderIn>[2] = {}, files = {}) {
  using dir = scratch();
  dir.write({ "work/.keep": "", ...files });
  const coder = await coderIn(dir, turns, { set, asks: false, ...more }, { after: "stop" });
  coder.subscribe((event) => {
    if (event.type === "question") coder.answer(event.question.id, { say: "no" });
  });
  await coder.send({ text: "go" });
  const end = coder.events.findLast((event) => event.type === "turn");
  await coder.close();
  return { coder, notes: notes(coder), answers: answers(coder), end, spent: coder.scene.spent.tokens };
}

test("the same failing call is noted the third time; a model that goes on is stopped", async () => {
  const { notes: told, answers: asked, end, spent } = await talk(times(40, fails));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("has failed 3 times");
  expect(told[0]).toContain('- bash {"command":"cat gone.txt"} (failed)');
  expect(end).toMatchObject({ state: { end: { reason: "limit" } } });
  expect(asked).toBeLessThanOrEqual(6);
  expect(spent).toBeLessThanOrEqual(6 * 1050);
});

test("a person decides whether a model that ignores the note goes on", async () => {
  const { end, answers: asked, coder } = await talk(times(40, fails), {}, { asks: true });
  expect(coder.events.filter((event) => event.type === "question")).toHaveLength(1);
  expect(end).toMatchObject({ state: { end: { reason: "limit" } } });
  expect(asked).toBe(6);
});

test("eight steps without news are a circle, and so is a file that changes to and fro", async () => {
  const read = call("read", { path: "a" });
  const again = await talk(times(40, read), {}, {}, { "work/a": "x\n" });
  expect(again.notes[0]).toContain("nothing new");
  expect(again.answers).toBeLessThanOrEqual(18);
  const [one, two] = ["1\n", "2\n"].map((content) => call("write", { path: "b", content }));
  const swing = await talk(Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? one : two) as object));
  expect(swing.notes[0]).toContain("to and fro");
  expect(swing.end).toMatchObject({ state: { end: { reason: "limit" } } });
});

test("a failing call is not new because other files were looked at in between", async () => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`work/f${at}`, `${at}\n`]));
  const turns = Array.from({ length: 20 }, (_, at) => [
    fails,
    call("bash", { command: `cat f${at} | head -3` }),
  ]).flat();
  const { notes: told, end, answers: asked } = await talk(turns, {}, {}, files);
  expect(told[0]).toContain("has failed 3 times");
  expect(end).toMatchObject({ state: { end: { reason: "limit" } } });
  expect(asked).toBeLessThanOrEqual(12);
});

const varied: [string, (at: number) => object, number][] = [
  ["the same command with other blanks", (at) => bash(`cat gone.txt${" ".repeat(at)}`), 40],
  ["the same look with other blanks", (at) => bash(`ls${" ".repeat(at)}`), 40],
  ["edits of what is not there", (at) => call("edit", { path: "a", edits: [{ oldText: `x${at}`, newText: "y" }] }), 40],
  [
    "arguments that cannot be read",
    (at) => ({ calls: [{ tool: "read", rawInput: `{"path": ${"[".repeat(at)}` }] }),
    40,
  ],
  ["a command behind a wait that says the same for ever", () => bash("sleep 0.001; cat gone"), 65],
  ["a failing command with waits in between", (at) => (at % 2 ? fails : bash("sleep 0.001")), 125],
];

test.each(varied)(
  "a model that goes in circles in ever other words is stopped too: %s",
  async (_, turn, most) => {
    const turns = Array.from({ length: 150 }, (_, at) => turn(at + 1));
    const { notes: told, end, answers: asked } = await talk(turns, {}, {}, { "work/a": "old\n" });
    expect(told).toHaveLength(1);
    expect(end).toMatchObject({ state: { end: { reason: "limit" } } });
    expect(asked).toBeLessThanOrEqual(most);
  },
  30_000,
);

test("in mode note nobody is asked, and the turn ends; switched off, there is no note", async () => {
  const note = await talk(times(60, fails), { "loop.mode": "note" });
  expect(note.notes).toHaveLength(3);
  expect(note.end).toMatchObject({ state: { end: { reason: "limit" } } });
  const off = await talk([...times(12, fails), { text: "Done." }], { "loop.mode": "off" });
  expect(off.notes).toEqual([]);
});

const done = { text: "Done." };

/** Work as it is done every day: nothing of it is a circle. */
const benign: [string, object[]][] = [
  ["a test after every change", [1, 2, 3, 4, 5].flatMap((n) => [write("a", `${n}\n`), bash("grep -q 9 a")])],
  ["the same after changes by commands", [1, 2, 3, 4, 5].flatMap((n) => [bash(`echo ${n} > a`), bash("grep -q 9 a")])],
  ["paging through a file", [1, 41, 81, 121, 161, 201].map((n) => call("read", { path: `long:${n}-${n + 39}` }))],
  [
    "looking for several things that are not there",
    [..."abcdefghij"].map((n) => call("search", { pattern: `gone_${n}` })),
  ],
  ["reading many files", [..."abcdefghij"].map((n) => bash(`echo ${n}`))],
  ["two failures and another way", [fails, fails, bash("mkdir other"), fails, fails]],
  ["a file that is put back once", [write("a", "1\n"), write("a", "2\n"), write("a", "1\n")]],
  ["waiting for something", times(12, bash("sleep 0.01; cat gone"))],
  ["asking a job again and again", times(12, call("job", { list: true }))],
  [
    "a todo list",
    [..."abcdefghi"].map((n) => call("todo", { ops: [{ op: "init", list: [{ phase: "A", items: [n] }] }] })),
  ],
  ["the status after each commit", [1, 2, 3, 4].flatMap((n) => [bash(`echo c${n} >> log`), bash("wc -l < log")])],
  ["reading what was just written", [1, 2, 3, 4].flatMap((n) => [write("a", `${n}\n`), call("read", { path: "a" })])],
  [
    "an edit that fails in different ways",
    [1, 2, 3, 4].map((n) => call("edit", { path: "a", edits: [{ oldText: `x${n}`, newText: "y" }] })),
  ],
  [
    "a build that is started anew after cleaning",
    [bash("false"), bash("rm -rf out && echo clean"), bash("false"), bash("mkdir out && echo made"), bash("false")],
  ],
  [
    "listing a folder as it fills",
    [1, 2, 3, 4, 5].flatMap((n) => [write(`f${n}`, "x"), call("find", { paths: ["."] })]),
  ],
  ["reading the same file twice", [call("read", { path: "long:1-5" }), call("read", { path: "long:1-5" }), bash("ls")]],
  [
    "several calls in one step",
    [
      {
        calls: [
          { tool: "bash", input: { command: "false" } },
          { tool: "bash", input: { command: "false" } },
        ],
      },
    ],
  ],
  ["waiting for a server by calls of their own", times(12, fails).flatMap((one) => [one, bash("sleep 0.001")])],
  [
    "a log that grows behind many waits",
    Array.from({ length: 40 }, (_, at) => [bash("sleep 0.001"), bash(`echo ${at} | tail -1`)]).flat(),
  ],
  ["many files that all hold nothing", [..."abcdefghijklmn"].map((n) => bash(`test -e gone_${n} || echo no`))],
  ["silent commands one after another", [..."abcdefghijklmnopqrst"].map((n) => bash(`mkdir d_${n}`))],
  ["a flaky command", [bash("false"), bash("false"), bash("true")]],
  ["words without calls", [{ text: "Let me think." }]],
  ["one file after another", [..."abcdef"].flatMap((n) => [write(n, n), bash(`cat ${n}`)])],
];

test.each(benign)("no note for %s", async (_, turns) => {
  const files = { "work/long": Array.from({ length: 240 }, (_, at) => `line ${at}\n`).join("") };
  const { notes: told, end } = await talk([...turns, done], { "verify.enabled": false }, {}, files);
  expect(told).toEqual([]);
  expect(end).toMatchObject({ state: { end: { reason: "done" } } });
});

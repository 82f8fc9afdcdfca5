import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import type { Answer, Event } from "@pith/agent";
import { type Scratch, scratch, until } from "@pith/kit/test";
import type { Coder } from "../../hall/coder.ts";
import type { Values } from "../../setting/schema.ts";
import { coderIn, noticesOf } from "../../test/open.ts";

const write = (path: string, content: string) => ({ calls: [{ tool: "write", input: { path, content } }] });
const broken = write("a.ts", "let a = (1;\nlet b = (2;\n\nlet c = 3;\n");
const fine = write("a.ts", "let a = (1);\n");

async function talk(
  dir: Scratch,
  turns: readonly object[],
  set: Values = {},
  more: Parameters<typeof coderIn>[2] = {},
): Promise<Coder & { events: Event[] }> {
  const coder = await coderIn(dir, turns, { set, asks: false, ...more });
  await coder.send({ text: "go" });
  return coder;
}

const notes = (coder: Coder) =>
  coder
    .path()
    .flatMap((entry) =>
      entry.type === "custom_message" && entry.customType === "pith.note" ? [String(entry.content)] : [],
    );
const runs = (coder: Coder) =>
  coder
    .path()
    .flatMap((entry) =>
      entry.type === "message"
        ? [entry.message as unknown as { role: string; exitCode?: number; command: string }]
        : [],
    )
    .filter(({ role }) => role === "bashExecution");
const last = (coder: Coder & { events: Event[] }) => coder.events.findLast((event) => event.type === "turn");

test.each([true, false])(
  "a file that does not parse any more goes back to the model before the turn ends (undo: %p)",
  async (undo) => {
    using dir = scratch();
    const coder = await talk(dir, [broken, { text: "Done." }, fine, { text: "Mended." }], { "undo.enabled": undo });
    expect(notes(coder)).toHaveLength(1);
    expect(notes(coder)[0]).toContain("a.ts:2:9 error: ");
    expect(last(coder)).toMatchObject({ state: { end: { reason: "done" } } });
    await coder.close();
  },
);

test("old syntax errors are not reported, and a turn without changes is not checked", async () => {
  using dir = scratch();
  dir.write({ "work/a.ts": "let a = (1;\n" });
  const coder = await talk(dir, [write("a.ts", "let a = (1;\nlet b = 2;\n"), { text: "Done." }], {
    "verify.command": "false",
    "verify.enabled": true,
  });
  expect(notes(coder).filter((note) => note.includes("a.ts"))).toEqual([]);
  await coder.close();
  using other = scratch();
  const idle = await talk(other, [{ calls: [{ tool: "bash", input: { command: "true" } }] }, { text: "Done." }], {
    "verify.command": "false",
  });
  expect(runs(idle)).toEqual([]);
  await idle.close();
});

test("problems go back to the model while they become fewer, at most three times; then the user is told", async () => {
  using dir = scratch();
  const same = await talk(dir, [
    broken,
    { text: "Done." },
    write("a.ts", "let x = (1;\nlet y = (2;\n\nlet z;\n"),
    { text: "No." },
  ]);
  expect(notes(same)).toHaveLength(1);
  expect(noticesOf(same.events).join()).toContain("syntax error");
  await same.close();
  using other = scratch();
  const lines = (count: number) =>
    write("a.py", `${Array.from({ length: count }, (_, i) => `x${i} = = 1\n\n`).join("")}y = 1\n`);
  const turns = [5, 4, 3, 2, 1].flatMap((count) => [lines(count), { text: `${count} left` }]);
  const fewer = await talk(other, turns);
  expect(notes(fewer).length).toBeLessThanOrEqual(3);
  await fewer.close();
});

test("a configured command runs like a call, and its failure goes back to the model", async () => {
  using dir = scratch();
  const coder = await talk(
    dir,
    [fine, { text: "Done." }, write("ok", "1\n"), { text: "Now." }],
    {
      "verify.command": "test -e ok && echo fine",
    },
    { approval: "write" },
  );
  expect(runs(coder).map(({ exitCode }) => exitCode)).toEqual([1, 0]);
  expect(notes(coder)).toHaveLength(1);
  expect(coder.events.filter((event) => event.type === "output").length).toBeGreaterThan(1);
  expect(coder.scene.calls).toEqual([]);
  expect(coder.scene.status).toEqual({});
  await coder.close();
});

test.each([
  ["hangs", "sleep 60", "verify.timeout"],
  ["is refused", "rm -rf /", "did not run"],
])("a command that %s is reported once, and not tried again", async (_, command, told) => {
  using dir = scratch();
  const coder = await talk(dir, [fine, { text: "Done." }, write("b", "1"), { text: "More." }], {
    "verify.command": command,
    "verify.timeout": 1,
  });
  await coder.send({ text: "again" });
  expect(noticesOf(coder.events).filter((text) => text.includes(told))).toHaveLength(1);
  expect(notes(coder)).toEqual([]);
  await coder.close();
});

test("a command that floods or wants a terminal ends, and the model sees the end of its output", async () => {
  using dir = scratch();
  const coder = await talk(dir, [fine, { text: "Done." }, { text: "So be it." }], {
    "verify.command": "head -c 20000000 /dev/zero | tr '\\0' x | fold -w 100; test -t 0",
    "verify.timeout": 60,
  });
  const [run] = runs(coder) as unknown as { output: string; truncated: boolean }[];
  expect(run?.truncated).toBe(true);
  expect(run?.output.length).toBeLessThan(200_000);
  expect(notes(coder)).toHaveLength(1);
  await coder.close();
});

test("/skip ends the check that runs, and the turn", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [fine, { text: "Done." }], { set: { "verify.command": "sleep 60" }, asks: false });
  const turn = coder.send({ text: "go" });
  await until(() => coder.scene.status.verify?.includes("sleep 60") === true, "the check");
  const skip = coder.commands.read("/skip");
  if (skip.is !== "command") throw new Error("no /skip");
  await coder.perform(skip);
  await turn;
  expect(last(coder)).toMatchObject({ state: { end: { reason: "done" } } });
  expect(notes(coder)).toEqual([]);
  await coder.close();
});

async function asked(dir: Scratch, answer: Answer) {
  const coder = await coderIn(dir, [fine, { text: "Done." }, { text: "More." }]);
  coder.subscribe((event) => {
    if (event.type === "question") coder.answer(event.question.id, answer);
  });
  await coder.send({ text: "go" });
  await coder.close();
  return { questions: coder.events.filter((event) => event.type === "question").length, runs: runs(coder).length };
}

test("a command of the project is asked about once, and the answer is remembered", async () => {
  const pkg = JSON.stringify({ scripts: { check: "exit 0" } });
  using dir = scratch();
  dir.write({ "work/package.json": pkg });
  expect(await asked(dir, { say: "yes", option: "yes" })).toEqual({ questions: 1, runs: 1 });
  dir.write({ "work/a.ts": "" });
  expect(await asked(dir, { say: "yes", option: "yes" })).toEqual({ questions: 0, runs: 1 });
  expect(JSON.parse(readFileSync(dir.at("home/verify.json"), "utf8"))).toEqual({
    [dir.at("work")]: { "npm run check": expect.stringMatching(/^yes [0-9a-f]{64}$/) },
  });
  // A change of dependencies is not asked about; a change of the script, or of a file it names, is.
  for (const [at, [text, questions]] of (
    [
      [{ scripts: { check: "exit 0" }, dependencies: { a: "1" } }, 0],
      [{ scripts: { check: "sh tool/check" } }, 1],
      [{ scripts: { check: "sh tool/check" } }, 0],
    ] as const
  ).entries()) {
    dir.write({ "work/package.json": JSON.stringify(text), "work/a.ts": "", "work/tool/check": "" });
    expect({ at, ...(await asked(dir, { say: "yes", option: "yes" })) }).toEqual({ at, questions, runs: 1 });
  }
  dir.write({ "work/tool/check": "echo 1", "work/a.ts": "" });
  expect(await asked(dir, { say: "yes", option: "yes" })).toEqual({ questions: 1, runs: 1 });
  using other = scratch();
  other.write({ "work/package.json": pkg });
  expect(await asked(other, { say: "yes", option: "no" })).toEqual({ questions: 1, runs: 0 });
  other.write({ "work/a.ts": "" });
  expect(await asked(other, { say: "yes", option: "yes" })).toEqual({ questions: 0, runs: 0 });
});

test("a check of the project whose program is not installed is reported to the user, not to the model", async () => {
  using dir = scratch();
  dir.write({ "work/package.json": JSON.stringify({ scripts: { check: "no-such-linter ." } }) });
  const coder = await coderIn(dir, [fine, { text: "Done." }, { text: "Again." }]);
  coder.subscribe((event) => {
    if (event.type === "question") coder.answer(event.question.id, { say: "yes", option: "yes" });
  });
  await coder.send({ text: "go" });
  expect(noticesOf(coder.events).join()).toContain("npm run check cannot be run here");
  expect(coder.events.filter((event) => event.type === "turn" && event.state.name === "asking")).toHaveLength(2);
  await coder.close();
});

test("a command of the project never runs without a person", async () => {
  using dir = scratch();
  dir.write({ "work/package.json": JSON.stringify({ scripts: { check: "exit 1" } }) });
  const coder = await talk(dir, [fine, { text: "Done." }]);
  expect(runs(coder)).toEqual([]);
  await coder.close();
});

const spoils: [string, string, object][] = [
  ["its script in package.json", "npm run check", write("package.json", '{"scripts":{"check":"touch owned"}}')],
  ["the file that it names", "sh ./check.sh", write("check.sh", "touch owned\n")],
  ["a file that its script names", "npm run lint", write("tool/lint", "touch owned\n")],
  ["the recipe in a folder that it names", "make -C sub check", write("sub/Makefile", "check:\n\ttouch owned\n")],
];

test.each(spoils)(
  "a check that a person set is not what was meant once the model has changed %s",
  async (_, command, turn) => {
    using dir = scratch();
    dir.write({
      "work/package.json": JSON.stringify({ scripts: { check: "exit 0", lint: "sh tool/lint" } }),
      "work/check.sh": "exit 0\n",
      "work/tool/lint": "exit 0\n",
      "work/sub/Makefile": "check:\n\ttrue\n",
    });
    const coder = await talk(
      dir,
      [turn, { text: "Done." }],
      { "verify.command": command, "sandbox.mode": "off" },
      { approval: "write" },
    );
    expect(runs(coder)).toEqual([]);
    expect(existsSync(dir.at("work/owned")) || existsSync(dir.at("work/sub/owned"))).toBe(false);
    expect(noticesOf(coder.events).join()).toContain("what it does was changed since you said yes to it");
    await coder.close();
  },
);

test("the model may not run the configured check unasked", async () => {
  using dir = scratch();
  dir.write({ "work/check.sh": "echo ran >> count\n" });
  const again = { calls: [{ tool: "bash", input: { command: "sh ./check.sh" } }] };
  const coder = await talk(
    dir,
    [fine, { text: "Done." }, again, { text: "Again." }],
    { "verify.command": "sh ./check.sh", "sandbox.mode": "off" },
    { approval: "write" },
  );
  await coder.send({ text: "again" });
  expect(readFileSync(dir.at("work/count"), "utf8")).toBe("ran\n");
  await coder.close();
});

test.each([
  ["deleted", { calls: [{ tool: "bash", input: { command: "rm old.txt" } }] }],
  ["made of bytes", { calls: [{ tool: "bash", input: { command: "printf '\\000\\001' > new.bin" } }] }],
])("changes that were only %s are checked too", async (_, turn) => {
  using dir = scratch();
  dir.write({ "work/old.txt": "x\n" });
  const coder = await talk(dir, [turn, { text: "Done." }, { text: "So be it." }], { "verify.command": "false" });
  expect(runs(coder)).toHaveLength(1);
  await coder.close();
});

test("interrupting a check interrupts the turn", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [fine, { text: "Done." }, { text: "Later." }], {
    set: { "verify.command": "sleep 60" },
    asks: false,
  });
  const turn = coder.send({ text: "go" });
  await until(() => coder.scene.status.verify?.includes("sleep 60") === true, "the check");
  await coder.interrupt("enough");
  await turn;
  expect(last(coder)).toMatchObject({ state: { end: { reason: "interrupted" } } });
  await coder.close();
});

test("a turn with a failing check that the model ignores ends with a warning", async () => {
  using dir = scratch();
  const coder = await talk(dir, [fine, { text: "Done." }, { text: "It was so before." }], {
    "verify.command": "false",
  });
  expect(noticesOf(coder.events).filter((text) => text.includes("false still fails"))).toHaveLength(1);
  await coder.close();
});

test("a yes to a check that the model has changed holds until it is changed again", async () => {
  using dir = scratch();
  dir.write({ "work/check.sh": "exit 0\n" });
  const turns = [
    ...[write("check.sh", "true\n"), { text: "1" }, write("a", "1"), { text: "2" }],
    ...[write("check.sh", "true 2\n"), { text: "3" }],
  ];
  const coder = await coderIn(dir, turns, {
    set: { "verify.command": "sh ./check.sh", "sandbox.mode": "off" },
    approval: "write",
  });
  coder.subscribe((event) => {
    if (event.type === "question") coder.answer(event.question.id, { say: "yes" });
  });
  const questions = [];
  for (let at = 0; at < 3; at++) {
    await coder.send({ text: "go" });
    questions.push(coder.events.filter((event) => event.type === "question").length);
  }
  expect(questions).toEqual([1, 1, 2]);
  expect(runs(coder)).toHaveLength(3);
  await coder.close();
});

test("skipping the question about a changed check is no yes", async () => {
  using dir = scratch();
  dir.write({ "work/check.sh": "exit 0\n" });
  const coder = await coderIn(
    dir,
    [write("check.sh", "touch owned\n"), { text: "1" }, write("a", "1"), { text: "2" }],
    {
      set: { "verify.command": "sh ./check.sh", "sandbox.mode": "off" },
      approval: "write",
    },
  );
  const skip = coder.commands.read("/skip");
  if (skip.is !== "command") throw new Error("no /skip");
  coder.subscribe((event) => {
    if (event.type === "question") void coder.perform(skip);
  });
  await coder.send({ text: "go" });
  await coder.send({ text: "go on" });
  expect(coder.events.filter((event) => event.type === "question")).toHaveLength(2);
  expect(existsSync(dir.at("work/owned"))).toBe(false);
  await coder.close();
});

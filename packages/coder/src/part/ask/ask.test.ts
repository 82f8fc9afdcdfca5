import { expect, test } from "bun:test";
import type { Answer, Event, Question } from "@pith/agent";
import { scratch } from "@pith/kit/test";
import type { Coder } from "../../hall/coder.ts";
import { coderIn, resultsOf } from "../../test/open.ts";

const colour = { id: "colour", question: "Which colour?", options: [{ label: "red" }, { label: "blue" }] };
const sizes = {
  id: "size",
  question: "Which sizes?",
  options: ["a", "b", "c"].map((label) => ({ label })),
  multi: true,
};
const call = (...questions: object[]) => [{ calls: [{ tool: "ask", input: { questions } }] }, { text: "Thanks." }];

/** A person who answers by a list of answers; what was asked is kept. */
function person(coder: Coder & { events: Event[] }, answers: readonly Answer[]): Question[] {
  const asked: Question[] = [];
  const left = [...answers];
  coder.subscribe((event) => {
    if (event.type !== "question") return;
    asked.push(event.question);
    const answer = left.shift();
    if (answer) queueMicrotask(() => coder.answer(event.question.id, answer));
  });
  return asked;
}

const details = (coder: Coder) =>
  coder
    .path()
    .flatMap((entry) =>
      entry.type === "message" && entry.message.role === "toolResult" ? [entry.message.details] : [],
    )
    .at(-1);

async function talk(answers: readonly Answer[], questions: readonly object[], set: Record<string, unknown> = {}) {
  const dir = scratch();
  const coder = await coderIn(dir, call(...questions), { set });
  const asked = person(coder, answers);
  await coder.send({ text: "go" });
  const said = { asked, result: resultsOf(coder).at(-1), details: details(coder), end: coder.scene.turn, coder };
  await coder.close();
  dir[Symbol.dispose]();
  return said;
}

test("one of two is chosen: the model reads it, the record is flat, Other is offered behind them", async () => {
  const { asked, result, details } = await talk([{ say: "yes", option: "2" }], [{ ...colour, recommended: 1 }]);
  expect(asked).toMatchObject([{ form: "choose", text: "Which colour?", recommended: "2" }]);
  expect(asked[0]?.options?.map(({ label }) => label)).toEqual(["red", "blue", "Other (type your own)"]);
  expect(result).toBe("User selected: blue");
  expect(details).toMatchObject({
    kind: "ask",
    question: "Which colour?",
    options: ["red", "blue"],
    multi: false,
    selectedOptions: ["blue"],
  });
});

test("several are told in the order of choosing", async () => {
  const { asked, result } = await talk([{ say: "yes", choices: ["2", "1"] }], [sizes]);
  expect(asked[0]).toMatchObject({ multi: true });
  expect(result).toBe("User selected: b, a");
});

test("Other asks for words without a time; who takes that back chooses again", async () => {
  const { asked, result, details } = await talk(
    [
      { say: "yes", option: "other" },
      { say: "no" },
      { say: "yes", option: "other" },
      { say: "yes", words: "green\nor grey" },
    ],
    [colour],
    { "ask.timeout": 60 },
  );
  expect(asked.map(({ form, timeoutMs }) => [form, timeoutMs])).toEqual([
    ["choose", 60_000],
    ["text", undefined],
    ["choose", 60_000],
    ["text", undefined],
  ]);
  expect(result).toBe("User provided custom input: green\nor grey");
  expect(details).toMatchObject({ selectedOptions: [], customInput: "green\nor grey" });
});

test("words that are no option are an answer of one's own", async () => {
  const { result } = await talk([{ say: "no", words: "mauve" }], [colour]);
  expect(result).toBe("User provided custom input: mauve");
});

test("several questions are answered back and forth, and what was said stays", async () => {
  const { asked, result, details } = await talk(
    [
      { say: "yes", option: "1" },
      { say: "yes", go: "back", choices: ["3"] },
      { say: "yes", option: "2" },
      { say: "yes", choices: ["3", "1"] },
    ],
    [colour, sizes],
  );
  expect(asked.map(({ text, series, chosen }) => [text, series?.at, chosen])).toEqual([
    ["Which colour?", 0, undefined],
    ["Which sizes?", 1, undefined],
    ["Which colour?", 0, ["1"]],
    ["Which sizes?", 1, ["3"]],
  ]);
  expect(result).toBe("User answers:\ncolour: User selected: blue\nsize: User selected: c, a");
  expect(details).toMatchObject({ results: [{ id: "colour" }, { id: "size", selectedOptions: ["c", "a"] }] });
});

test("a question that was passed over is asked before the answers go out", async () => {
  const { asked, result } = await talk(
    [
      { say: "yes", go: "on" },
      { say: "yes", choices: ["1"] },
      { say: "yes", option: "1" },
    ],
    [colour, sizes],
  );
  expect(asked.map(({ text }) => text)).toEqual(["Which colour?", "Which sizes?", "Which colour?"]);
  expect(result).toContain("colour: User selected: red");
});

test("a time that is over takes what is recommended, or the first, and says so", async () => {
  const dir = scratch();
  for (const [recommended, label] of [
    [undefined, "red"],
    [1, "blue"],
    [9, "red"],
  ] as const) {
    const coder = await coderIn(dir, call({ ...colour, recommended }), { set: { "ask.timeout": 1 } });
    coder.subscribe((event) => {
      if (event.type === "question") coder.answer(event.question.id, { say: "no", by: "timeout" });
    });
    await coder.send({ text: "go" });
    expect(resultsOf(coder).at(-1)).toStartWith(`User selected: ${label} (nobody answered in time`);
    if (recommended === 9) expect(resultsOf(coder).at(-1)).toContain("its 2 options have no index 9");
    await coder.close();
  }
  dir[Symbol.dispose]();
});

test("in plan mode nothing is answered by time", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, call(colour), { approval: "plan", set: { "ask.timeout": 1 } });
  const asked = person(coder, [{ say: "yes", option: "1" }]);
  await coder.send({ text: "go" });
  expect(asked[0]?.timeoutMs).toBeUndefined();
  await coder.close();
});

test("who closes the question ends the turn, and no request follows", async () => {
  const { result, end, coder } = await talk([{ say: "no" }], [colour]);
  expect(result).toBe("The user closed the question without an answer.");
  expect(end).toEqual({ name: "idle", end: { reason: "interrupted", message: "The question was not answered." } });
  expect(coder.scene.questions).toEqual([]);
});

test("an interrupt is told as one", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, call(colour));
  coder.subscribe((event) => event.type === "question" && void coder.interrupt("Interrupted."));
  await coder.send({ text: "go" });
  expect(resultsOf(coder).at(-1)).toContain("interrupted before the question was answered");
  await coder.close();
});

test("questions that cannot be asked are told what is wrong", async () => {
  const label = (count: number) => Array.from({ length: count }, (_, at) => ({ label: `o${at}` }));
  for (const [questions, what] of [
    [[], "questions: must not be empty"],
    [[{ ...colour, options: label(1) }], "at least 2"],
    [[{ ...colour, options: label(6) }], "at most 5"],
    [[{ ...colour, options: [{ label: "a" }, { label: "a " }] }], "must be distinct"],
    [[colour, colour], "must have different ids"],
  ] as const)
    expect((await talk([], [...questions])).result).toContain(what);
});

test("nobody is offered the tool where nobody can answer; a session that has it keeps its very words", async () => {
  using dir = scratch();
  const away = await coderIn(dir, [{ text: "Hi." }], { asks: false });
  await away.send({ text: "go" });
  const prompt = (coder: Coder) =>
    JSON.stringify(coder.path().findLast((entry) => entry.type === "custom" && entry.customType === "pith.prompt"));
  expect(prompt(away)).not.toContain('"name":"ask"');
  await away.close();

  const here = await coderIn(dir, [{ text: "Hi." }]);
  await here.send({ text: "go" });
  const told = prompt(here);
  expect(told).toContain('"name":"ask"');
  await here.close();
  const later = await coderIn(dir, [{ text: "Hi." }, ...call(colour)], {
    asks: false,
    session: { open: "file", path: here.file ?? "" },
  });
  await later.send({ text: "go on" });
  expect(prompt(later)).toBe(told);
  expect(resultsOf(later).at(-1)).toStartWith("Nobody can be asked here");
  await later.close();
});

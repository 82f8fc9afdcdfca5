import { expect, test } from "bun:test";
import type { Question } from "@pith/agent";
import { answerTo } from "./question.ts";

type Sent = Record<string, never> & { options: { optionId: string; name: string; kind: string }[] };

/** Asks a client that answers so; gives the answer and what the client was sent. */
async function asked(question: Partial<Question>, reply: (sent: Sent, nth: number) => unknown, capabilities = {}) {
  const sent: Sent[] = [];
  const context = { request: async (_: string, request: Sent) => reply(request, sent.push(request)) };
  const whole = { id: "main/c1", agent: "main", form: "approval", text: "Run it?", ...question } as Question;
  const asking = { context, capabilities, session: "s", cwd: "/", signal: new AbortController().signal };
  return { answer: await answerTo(whole, asking as never), sent };
}
const chosen = (optionId: string) => ({ outcome: { outcome: "selected", optionId } });
const nobody = { say: "no", by: "nobody" } as const;

test("an option that was not offered is no yes, whatever its name", async () => {
  for (const id of ["session", "project", "allow", "always", "YES", "yes ", ""])
    expect([id, (await asked({}, () => chosen(id))).answer]).toEqual([id, nobody]);
  expect((await asked({}, () => chosen("yes"))).answer).toEqual({ say: "yes" });
  expect((await asked({}, () => chosen("no"))).answer).toEqual({ say: "no" });
});

test("a yes holds longer only where a scope was offered, and for what was chosen", async () => {
  const { answer, sent } = await asked({ scope: "git push" }, () => chosen("session"));
  expect(answer).toEqual({ say: "yes", holds: "session" });
  expect(sent[0]?.options.map(({ optionId, kind }) => [optionId, kind])).toEqual([
    ["yes", "allow_once"],
    ["session", "allow_always"],
    ["project", "allow_always"],
    ["no", "reject_once"],
  ]);
  expect(sent[0]?.options[1]?.name).toContain("git push");
  const once = await asked({}, () => chosen("no"));
  expect(once.sent[0]?.options.map(({ optionId }) => optionId)).toEqual(["yes", "no"]);
});

test("a client that fails, cancels or sends something else allows nothing", async () => {
  const fails = async (reply: () => unknown) => (await asked({ scope: "all" }, reply)).answer;
  expect(
    await fails(() => {
      throw new Error("gone");
    }),
  ).toEqual(nobody);
  expect(await fails(() => Promise.reject(new Error("gone")))).toEqual(nobody);
  for (const said of [undefined, {}, { outcome: {} }, { outcome: null }, chosen(5 as never), "yes"])
    expect([said, await fails(() => said)]).toEqual([said, nobody]);
  expect(await fails(() => ({ outcome: { outcome: "cancelled" } }))).toMatchObject({ say: "no", by: "interrupt" });
});

const choose = {
  form: "choose",
  text: "Which?",
  options: [
    { id: "a", label: "Red" },
    { id: "b", label: "Blue" },
    { id: "other", label: "Other" },
  ],
} as const;

test("of several options one is chosen by its id; what was not offered is nobody's answer", async () => {
  expect((await asked(choose, () => chosen("b"))).answer).toEqual({ say: "yes", choices: ["b"] });
  expect((await asked(choose, () => chosen("no answer"))).answer).toEqual({ say: "no" });
  for (const id of ["c", "other", "Red"]) expect((await asked(choose, () => chosen(id))).answer).toEqual(nobody);
});

test("several are put in and taken out one by one, and a client that never is done chooses nothing", async () => {
  const steps = ["a", "b", "a", "done"];
  const { answer, sent } = await asked({ ...choose, multi: true }, (_, nth) => chosen(steps[nth - 1] ?? ""));
  expect(answer).toEqual({ say: "yes", choices: ["b"] });
  expect(sent[0]?.options.map(({ name }) => name)).toEqual(["Red", "Blue", "No answer"]);
  expect(sent[2]?.options.map(({ name }) => name)).toEqual(["Done", "Not: Red", "Not: Blue", "No answer"]);
  expect(sent[3]?.options.map(({ name }) => name)).toEqual(["Done", "Red", "Not: Blue", "No answer"]);
  const endless = await asked({ ...choose, multi: true }, () => chosen("a"));
  expect(endless.answer).toEqual(nobody);
  expect(endless.sent).toHaveLength(8);
});

test("a line or a text that a client has no form for is nobody's answer, and it is not asked", async () => {
  for (const form of ["line", "text"] as const) {
    const { answer, sent } = await asked({ form }, () => chosen("yes"));
    expect([answer, sent]).toEqual([nobody, []]);
  }
});

const forms = { elicitation: { form: {} } };
const accepted = (answer: unknown) => () => ({ action: "accept", content: { answer } });

test("a form is a yes only when it is accepted with what was asked for", async () => {
  const said = async (question: Partial<Question>, reply: () => unknown) =>
    (await asked(question, reply, forms)).answer;
  const confirm = { form: "confirm" } as const;
  expect(await said(confirm, accepted(true))).toEqual({ say: "yes" });
  for (const value of [false, "true", 1, undefined])
    expect(await said(confirm, accepted(value))).toEqual({ say: "no" });
  for (const action of ["decline", "cancel"])
    expect(await said(confirm, () => ({ action, content: { answer: true } }))).toEqual({ say: "no" });
  expect(await said({ form: "line" }, accepted("words"))).toEqual({ say: "yes", words: "words" });
  expect(await said({ form: "line" }, () => ({ action: "accept" }))).toEqual({ say: "no" });
  expect(await said(choose, accepted("b"))).toEqual({ say: "yes", choices: ["b"] });
  expect(await said({ ...choose, multi: true }, accepted(["b", "x"]))).toEqual({ say: "yes", choices: ["b"] });
  expect(await said(choose, accepted("mauve"))).toEqual({ say: "yes", words: "mauve" });
  expect(await said(choose, accepted([]))).toEqual({ say: "no" });
});

test("an approval is never a form: all of it has to be in sight", async () => {
  const { answer, sent } = await asked({ form: "approval" }, () => ({ ...accepted(true)(), ...chosen("no") }), forms);
  expect(answer).toEqual({ say: "no" });
  expect(sent[0]?.options.length).toBe(2);
});

import { expect, test } from "bun:test";
import type { Answer, Event } from "../event.ts";
import { calls, plain, says, scripted } from "../test/scripted.ts";
import type { Outcome } from "../tool/outcome.ts";
import { object, string } from "../tool/schema.ts";
import type { Tool } from "../tool/tool.ts";
import type { Hook } from "./hook.ts";

const prose = (text: string): Outcome => ({ kind: "prose", data: {}, text });
const echo = plain({ name: "echo", input: object({ text: string() }), run: async ({ text }) => prose(text) });
const asker: Hook = { name: "asker", call: () => ({ do: "ask", text: "may I?", refusal: "nobody to ask" }) };

async function asked(answer: Answer, list: Tool[] = [echo]) {
  const told: Event[] = [];
  const talk = scripted([calls({ name: "echo", input: { text: "ran" }, id: "c1" }), says("done")], {
    list,
    hooks: [asker],
    asks: "person",
    onEvent: (event) => {
      told.push(event);
      if (event.type === "question") talk.questions.answer(event.question.id, answer);
    },
  });
  await talk.conversation.send({ text: "go" });
  return { result: talk.results()[0], talk, told };
}

test("a question goes up as an event and its answer decides", async () => {
  expect((await asked({ say: "yes" })).result).toBe("ran");
  expect((await asked({ say: "no" })).result).toContain("said no");
  expect((await asked({ say: "no", words: "use find" })).result).toBe("The user said no: use find");
});

test("a question and its answer are in the record in the order in which they were told", async () => {
  const { talk, told } = await asked({ say: "yes", holds: "session" });
  const kinds = talk.entries().flatMap((entry) => (entry.type === "custom" ? [entry.customType] : []));
  expect(kinds).toEqual(["pith.question", "pith.answer"]);
  const [question, answer] = talk.entries().filter((entry) => entry.type === "custom");
  expect(question).toMatchObject({
    data: { id: "main/c1", agent: "main", form: "approval", toolCallId: "c1", intent: { effect: "read" } },
  });
  expect(answer).toMatchObject({ data: { question: "main/c1", say: "yes", holds: "session" } });
  const order = told.flatMap((event) =>
    event.type === "entry" && event.entry.type === "custom" ? [event.entry.customType] : [event.type],
  );
  const from = order.indexOf("pith.question");
  expect(order.slice(from, from + 4)).toEqual(["pith.question", "question", "pith.answer", "answered"]);
  // Between a call and its result: the model is sent neither.
  expect(JSON.stringify(talk.requests[1]?.messages)).not.toContain("pith.question");
});

test("nobody is asked twice about what is left of a call after some of it was refused", async () => {
  const without: (readonly string[])[] = [];
  const edit: Tool = {
    ...echo,
    prepare: (_, how) => {
      without.push(how.without);
      return { effect: "write", paths: [], run: async () => prose(`made without ${how.without.join(", ")}`) };
    },
  };
  const { result, told } = await asked({ say: "yes", choices: ["a.ts:2"] }, [edit]);
  expect(result).toBe("made without a.ts:2");
  expect(without).toEqual([[], ["a.ts:2"]]);
  expect(told.filter((event) => event.type === "question")).toHaveLength(1);
});

test("the rest of a partly refused call is judged again, and asked about if it does something else", async () => {
  const edit: Tool = {
    ...echo,
    prepare: (_, { without }) => ({
      effect: without.length > 0 ? "exec" : "write",
      paths: [],
      run: async () => prose(""),
    }),
  };
  let count = 0;
  const talk = scripted([calls({ name: "echo", input: { text: "" } }), says("done")], {
    list: [edit],
    hooks: [asker],
    asks: "person",
    onEvent: (event) => {
      if (event.type !== "question") return;
      count++;
      talk.questions.answer(event.question.id, count === 1 ? { say: "yes", choices: ["x"] } : { say: "no" });
    },
  });
  await talk.conversation.send({ text: "go" });
  expect(count).toBe(2);
  expect(talk.results()[0]).toContain("said no");
});

test("a question outside of a turn is answered; no answer in time is a no, and so is an interrupt", async () => {
  const talk = scripted([], { asks: "person" });
  const never = new AbortController();
  const plainly = talk.questions.ask({ about: "trust", form: "confirm", text: "Trust this?" }, never.signal);
  expect(talk.channel.scene.questions.map(({ id }) => id)).toEqual(["main/trust"]);
  talk.questions.answer("main/trust", { say: "yes" });
  expect(await plainly).toEqual({ say: "yes" });
  const late = await talk.questions.ask({ about: "x", form: "line", text: "?", timeoutMs: 1 }, never.signal);
  expect(late).toEqual({ say: "no", by: "timeout" });
  const stop = new AbortController();
  const cut = talk.questions.ask({ about: "y", form: "text", text: "?" }, stop.signal);
  stop.abort();
  expect(await cut).toMatchObject({ say: "no", by: "interrupt" });
  expect(talk.channel.scene.questions).toEqual([]);
});

test("two calls of one reply with the same id are asked about apart", async () => {
  const ids: string[] = [];
  const talk = scripted(
    [calls({ name: "echo", input: { text: "a" }, id: "c" }, { name: "echo", input: { text: "b" }, id: "c" }), says("")],
    {
      list: [echo],
      hooks: [asker],
      asks: "person",
      onEvent: (event) => {
        if (event.type !== "question") return;
        ids.push(event.question.id);
        if (ids.length < 2) return;
        talk.questions.answer("main/c", { say: "no" });
        talk.questions.answer("main/c-2", { say: "yes" });
      },
    },
  );
  await talk.conversation.send({ text: "go" });
  expect(ids).toEqual(["main/c", "main/c-2"]);
  expect(talk.results()).toEqual(["The user said no to this call.", "b"]);
});

test("if nobody can be asked, the model reads why and no question is recorded", async () => {
  const talk = scripted([calls({ name: "echo", input: { text: "" } }), says("done")], { list: [echo], hooks: [asker] });
  await talk.conversation.send({ text: "go" });
  expect(talk.results()).toEqual(["nobody to ask"]);
  expect(talk.entries().some((entry) => entry.type === "custom")).toBe(false);
});

test("the first answer counts, a second one is told that it came late, and none is for another question", async () => {
  const heard: string[] = [];
  const talk = scripted([calls({ name: "echo", input: { text: "ran" }, id: "c1" }), says("done")], {
    list: [echo],
    hooks: [asker],
    asks: "person",
    onEvent: ({ type, ...event }) => {
      if (type !== "question") return;
      const { id } = (event as { question: { id: string } }).question;
      heard.push(talk.questions.answer("main/other", { say: "yes" }));
      heard.push(talk.questions.answer(id, { say: "no", words: "never" }));
      heard.push(talk.questions.answer(id, { say: "yes" }));
    },
  });
  await talk.conversation.send({ text: "go" });
  expect(heard).toEqual(["closed", "taken", "closed"]);
  expect(talk.results()).toEqual(["The user said no: never"]);
  expect(talk.questions.answer("main/c1", { say: "yes" })).toBe("closed");
});

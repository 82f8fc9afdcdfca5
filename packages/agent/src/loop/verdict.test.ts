import { expect, test } from "bun:test";
import type { Answer } from "../event.ts";
import { calls, plain, says, scripted } from "../test/scripted.ts";
import type { Outcome } from "../tool/outcome.ts";
import { object, string } from "../tool/schema.ts";
import type { Tool } from "../tool/tool.ts";
import type { Ask, Hook, Verdict } from "./hook.ts";
import { joinVerdicts } from "./verdict.ts";

const ask = (more: Partial<Ask> = {}): Ask => ({ do: "ask", text: "may I?", refusal: "not run", ...more });
const prose = (text: string): Outcome => ({ kind: "prose", data: {}, text });
const echo = plain({ name: "echo", input: object({ text: string() }), run: async ({ text }) => prose(text) });

test("the reasons of all guards become one question, as bad as the worst of them", () => {
  const one = joinVerdicts([
    ask({ text: "it pushes", risk: "medium", scope: "git push" }),
    { do: "allow", by: "mode" },
    ask({ text: "it follows a stranger's words", refusal: "no origin", risk: "high", scope: "that" }),
  ]);
  expect(one).toMatchObject({
    do: "ask",
    text: "it pushes; it follows a stranger's words",
    refusal: "no origin",
    risk: "high",
    scope: "git push, that",
  });
});

test("a yes holds no longer than the strictest guard lets it", async () => {
  const kept: string[] = [];
  const keep = (holds: string) => void kept.push(holds);
  const both = joinVerdicts([ask({ scope: "npm test", keep }), ask({ text: "every time" })]) as Ask;
  expect(both.scope).toBeUndefined();
  await both.keep?.("project");
  expect(kept).toEqual([]);
  await (joinVerdicts([ask({ scope: "a", keep }), ask({ scope: "b", keep })]) as Ask).keep?.("session");
  expect(kept).toEqual(["session", "session"]);
});

test("deny beats a change, a change beats a question, and all reasons to deny are told", () => {
  const change: Verdict = { do: "change", input: {} };
  expect(joinVerdicts([ask(), change, { do: "deny", reason: "a" }, { do: "deny", reason: "b" }])).toEqual({
    do: "deny",
    reason: "a\nb",
  });
  expect(joinVerdicts([ask(), change])).toBe(change);
  expect(joinVerdicts([{ do: "allow" }, { do: "allow", by: "rule x" }])).toEqual({ do: "allow", by: "rule x" });
  expect(joinVerdicts([])).toEqual({ do: "allow" });
});

async function talked(hooks: Hook[], answer: Answer | undefined, list: Tool[] = [echo]) {
  const questions: unknown[] = [];
  const talk = scripted([calls({ name: "echo", input: { text: "first" }, id: "c1" }), says("done")], {
    list,
    hooks,
    asks: "person",
    onEvent: (event) => {
      if (event.type !== "question") return;
      questions.push(event.question);
      if (answer) talk.questions.answer(event.question.id, answer);
    },
  });
  await talk.conversation.send({ text: "go" });
  return { talk, questions, result: talk.results()[0] };
}

test("a call that a hook changes is judged again as it then is", async () => {
  const judged: unknown[] = [];
  const rewrite: Hook = {
    name: "rewrite",
    call: ({ input }) =>
      (input as { text: string }).text === "first" ? { do: "change", input: { text: "second" } } : { do: "allow" },
  };
  const guard: Hook = {
    name: "guard",
    call: ({ input }) => {
      judged.push(input);
      return { do: "allow" };
    },
  };
  expect((await talked([guard, rewrite], undefined)).result).toBe("second");
  expect(judged).toEqual([{ text: "first" }, { text: "second" }]);
  const strict: Hook = {
    name: "strict",
    call: ({ input }) =>
      (input as { text: string }).text === "second" ? { do: "deny", reason: "not that" } : { do: "allow" },
  };
  expect((await talked([rewrite, strict], undefined)).result).toBe("not that");
  const endless: Hook = { name: "endless", call: () => ({ do: "change", input: { text: "again" } }) };
  expect((await talked([endless], undefined)).result).toContain("over and over");
});

test("an open question closes when something decided since covers it", async () => {
  let granted = false;
  const cover = Promise.withResolvers<void>();
  const guard: Hook = {
    name: "guard",
    call: () => (granted ? { do: "allow", by: "answer x" } : ask({ covered: () => cover.promise })),
  };
  setTimeout(() => {
    granted = true;
    cover.resolve();
  });
  const { talk, questions, result } = await talked([guard], undefined);
  expect([result, questions.length]).toEqual(["first", 1]);
  const answers = talk.entries().filter((entry) => entry.type === "custom" && entry.customType === "pith.answer");
  expect(answers).toMatchObject([{ data: { say: "yes", by: "policy" } }]);
});

test("a result says who let the call run, or who did not", async () => {
  const detailsOf = ({ talk }: Awaited<ReturnType<typeof talked>>) =>
    talk
      .entries()
      .flatMap((entry) => (entry.type === "message" && entry.message.role === "toolResult" ? [entry.message] : []))[0]
      ?.details;
  const command: Tool = {
    ...echo,
    prepare: () => ({ effect: "exec", paths: [], command: "ls", run: async () => prose("ran") }),
  };
  const asks: Hook = { name: "asks", call: () => ask({ scope: "ls" }) };
  const allows: Hook = { name: "allows", call: () => ({ do: "allow", by: "mode auto" }) };
  expect(detailsOf(await talked([allows], undefined, [command]))).toMatchObject({
    allowed: "mode auto",
    autoApproved: true,
  });
  const yes = detailsOf(await talked([asks], { say: "yes", holds: "session" }, [command]));
  expect(yes).toMatchObject({ allowed: "person, for this session" });
  expect(yes).not.toHaveProperty("autoApproved");
  expect(detailsOf(await talked([asks], { say: "no" }, [command]))).toMatchObject({ refused: "person" });
});

test("a call is judged again if its state changed meanwhile, and not run if the state keeps changing", async () => {
  let state = 0;
  let judged = 0;
  const tool = (changes: number): Tool => ({
    ...echo,
    prepare: () => {
      const before = state;
      return { effect: "exec", paths: [], stale: () => state !== before, run: async () => prose(`ran in ${changes}`) };
    },
  });
  const guard = (changes: number): Hook => ({
    name: "guard",
    call: () => {
      if (judged++ < changes) state++;
      return { do: "allow" };
    },
  });
  expect((await talked([guard(1)], undefined, [tool(1)])).result).toBe("ran in 1");
  expect(judged).toBe(2);
  judged = 0;
  expect((await talked([guard(9)], undefined, [tool(9)])).result).toContain("has changed since");
});

test("a yes for longer counts once where no scope was offered, else for what was offered", async () => {
  const kept: string[] = [];
  const keep = (holds: string) => void kept.push(holds);
  const allowedIn = ({ talk }: Awaited<ReturnType<typeof talked>>) =>
    talk
      .entries()
      .flatMap((entry) =>
        entry.type === "message" && entry.message.role === "toolResult" ? [entry.message.details?.allowed] : [],
      );
  const asks = (more: Partial<Ask>): Hook => ({ name: "asks", call: () => ask({ ...more, keep }) });
  const command: Tool = {
    ...echo,
    prepare: () => ({ effect: "exec", paths: [], command: "ls", run: async () => prose("ran") }),
  };
  for (const holds of ["session", "project"] as const) {
    expect(allowedIn(await talked([asks({})], { say: "yes", holds }, [command]))).toEqual(["person, once"]);
    expect(kept).toEqual([]);
    const lasting = await talked([asks({ scope: "ls" })], { say: "yes", holds }, [command]);
    expect(allowedIn(lasting)).toEqual([`person, for this ${holds}`]);
    expect(kept.splice(0)).toEqual([holds]);
  }
  expect(allowedIn(await talked([asks({ scope: "ls" })], { say: "yes" }, [command]))).toEqual(["person, once"]);
  expect(kept).toEqual([]);
});

type Seen = {
  effect: "read" | "write" | "exec";
  command?: string;
  paths: { effect: "read" | "write"; real: string }[];
};
const one: Seen = { effect: "write", paths: [{ effect: "read", real: "/a" }] };
const rests: [string, Seen, Seen, number][] = [
  ["the same places", one, one, 1],
  ["fewer places", { ...one, paths: [...one.paths, { effect: "write", real: "/b" }] }, one, 1],
  ["a write of what was to be read", one, { ...one, paths: [{ effect: "write", real: "/a" }] }, 2],
  ["another file", one, { ...one, paths: [{ effect: "read", real: "/b" }] }, 2],
  ["one file more", one, { ...one, paths: [...one.paths, { effect: "read", real: "/b" }] }, 2],
  ["another effect", { ...one, effect: "read" }, one, 2],
  ["another command", { ...one, command: "a" }, { ...one, command: "b" }, 2],
];
test.each(rests)("a yes to a call covers what is left of it: %s", async (_, whole, rest, count) => {
  const tool: Tool = {
    ...echo,
    prepare: (__, { without }) => {
      const { paths, ...seen } = without.length === 0 ? whole : rest;
      return {
        ...seen,
        paths: paths.map((path) => ({ ...path, path: path.real })),
        run: async () => prose("ran"),
      } as never;
    },
  };
  const asks: Hook = { name: "asks", call: () => ask() };
  const { questions, result } = await talked([asks], { say: "yes", choices: ["a hunk"] }, [tool]);
  expect([questions.length, result]).toEqual([count, "ran"]);
});

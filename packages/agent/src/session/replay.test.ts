import { expect, test } from "bun:test";
import type { Event } from "../event.ts";
import { calls, plain, says, scripted } from "../loop/scripted.ts";
import * as z from "../tool/schema.ts";
import type { Outcome } from "../tool/tool.ts";
import type { Entry } from "./entry.ts";
import { replay } from "./replay.ts";

const echoed = async ({ text }: { text: string }): Promise<Outcome> => ({
  kind: "prose",
  data: {},
  text,
  ...(text === "bad" ? { failed: true as const } : {}),
  meta: { notes: ["a note"] },
});
const input = z.object({ text: z.string() });
const echo = plain({ name: "echo", input, run: echoed });

/** What a person sees of the timeline: entries and calls, in order. */
const timeline = (events: readonly Event[]) =>
  events.flatMap((event) => {
    if (event.type === "entry" && event.entry.type === "message")
      return [`${event.entry.message.role} ${JSON.stringify(event.entry.message.content)}`];
    if (event.type === "turn") return [event.state.name];
    return [];
  });

async function played(path: readonly Entry[]) {
  const events: Event[] = [];
  const { differences } = await replay(path, (event) => events.push(event));
  return { events, differences };
}

test("the replay of a record gives the same timeline: answers, calls in parallel, a failed one, two turns", async () => {
  const own = scripted(
    [
      calls({ name: "echo", input: { text: "a" }, id: "1" }, { name: "echo", input: { text: "bad" }, id: "2" }),
      says("one"),
      says("two"),
    ],
    {
      list: [echo],
    },
  );
  await own.conversation.send({ text: "first" });
  await own.conversation.send({ text: "second" });
  const { events, differences } = await played(own.entries());
  expect(differences).toEqual([]);
  expect(timeline(events)).toEqual(timeline(own.events));
});

test("a follow-up, a message in between and a turn that a behaviour carried on are replayed in their places", async () => {
  let carried = false;
  const own = scripted(
    [calls({ name: "echo", input: { text: "a" }, id: "1" }), says("one"), says("checked"), says("two")],
    {
      list: [
        plain({
          name: "echo",
          input,
          run: async (said) => {
            void own.conversation.send({ text: "also this" }, "steer");
            void own.conversation.send({ text: "then that" }, "after");
            return echoed(said);
          },
        }),
      ],
      hooks: [
        {
          name: "verify",
          settle: () => {
            if (carried) return { do: "done" };
            carried = true;
            return { do: "go on", note: "check again" };
          },
        },
      ],
    },
  );
  await own.conversation.send({ text: "go" });
  const { differences } = await played(own.entries());
  expect(differences).toEqual([]);
});

test("failed and interrupted answers are replayed as they were", async () => {
  const own = scripted([
    [
      { type: "text", index: 0, delta: "half" },
      { type: "fail", failure: { kind: "server", message: "down" } },
    ],
    says("fine"),
  ]);
  await own.conversation.send({ text: "first" });
  await own.conversation.send({ text: "again" });
  const path = own.entries();
  const last = path.at(-1);
  if (last?.type !== "message" || last.message.role !== "assistant") throw new Error("no answer");
  const aborted: Entry = { ...last, message: { ...last.message, stopReason: "aborted", errorMessage: "interrupted" } };
  const { differences, events } = await played([...path.slice(0, -1), aborted]);
  expect(differences).toEqual([]);
  expect(events.at(-1)).toMatchObject({ state: { end: { reason: "interrupted" } } });
});

test("turns that a kill ended, before an answer or between calls and the next step, are replayed as far as they came", async () => {
  const own = scripted(
    [
      says("never kept"),
      calls({ name: "echo", input: { text: "a" }, id: "1" }),
      says("never kept"),
      says("fine"),
      says("never kept"),
    ],
    {
      list: [echo],
    },
  );
  for (const text of ["killed at once", "killed after the call", "went well", "killed in the end"])
    await own.conversation.send({ text });
  const path = own.entries().filter((entry) => !JSON.stringify(entry).includes("never kept"));
  const { differences, events } = await played(path);
  expect(differences).toEqual([]);
  expect(events.filter((event) => event.type === "entry" && event.entry.type === "message")).toHaveLength(7);
  const ends = events.flatMap((event) =>
    event.type === "turn" && event.state.name === "idle" ? [event.state.end.reason] : [],
  );
  expect(ends).toEqual(["interrupted", "interrupted", "done", "interrupted"]);
});

test("a record that the loop would not write is told with its first difference", async () => {
  const own = scripted([calls({ name: "echo", input: { text: "a" }, id: "1" }), says("one")], { list: [echo] });
  await own.conversation.send({ text: "first" });
  const path = own.entries().filter((entry) => entry.type !== "message" || entry.message.role !== "toolResult");
  const { differences } = await played(path);
  expect(differences[0]).toContain("message 3");
});

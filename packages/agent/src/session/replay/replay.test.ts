import { expect, test } from "bun:test";
import type { Event } from "../../event.ts";
import { calls, plain, says, scripted } from "../../test/scripted.ts";
import type { Outcome } from "../../tool/outcome.ts";
import * as z from "../../tool/schema.ts";
import type { Entry, EntryDraft } from "../entry.ts";
import { InputQueue } from "../queue.ts";
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

/** Entries and calls in order, as the user sees them. */
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

test("a replay gives the same timeline: answers, calls in parallel, a failed one, two turns", async () => {
  const live = scripted(
    [
      calls({ name: "echo", input: { text: "a" }, id: "1" }, { name: "echo", input: { text: "bad" }, id: "2" }),
      says("one"),
      says("two"),
    ],
    {
      list: [echo],
    },
  );
  await live.conversation.send({ text: "first" });
  await live.conversation.send({ text: "second" });
  const { events, differences } = await played(live.entries());
  expect(differences).toEqual([]);
  expect(timeline(events)).toEqual(timeline(live.events));
});

test("a follow-up, a message in between and a turn that was carried on are replayed in their places", async () => {
  let carried = false;
  const live = scripted(
    [calls({ name: "echo", input: { text: "a" }, id: "1" }), says("one"), says("checked"), says("two")],
    {
      list: [
        plain({
          name: "echo",
          input,
          run: async (said) => {
            void live.conversation.send({ text: "also this" }, "steer");
            void live.conversation.send({ text: "then that" }, "after");
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
  await live.conversation.send({ text: "go" });
  const { differences } = await played(live.entries());
  expect(differences).toEqual([]);
});

/** The path with other entries put in after some of its own, each hung on the one before. */
function withEntries(path: readonly Entry[], more: (entry: Entry) => readonly EntryDraft[]): Entry[] {
  const drafts = path.flatMap((entry): (Entry | EntryDraft)[] => [entry, ...more(entry)]);
  let parentId: string | null = null;
  return drafts.map((draft, at) => {
    const entry = { id: `more${at}`, timestamp: "2026-01-01T00:00:00.000Z", ...draft, parentId } as Entry;
    parentId = entry.id;
    return entry;
  });
}
const question: EntryDraft = { type: "custom", customType: "pith.question", data: { id: "main/1" } };
const answer: EntryDraft = { type: "custom", customType: "pith.answer", data: { question: "main/1" } };
const isReply = (entry: Entry) => entry.type === "message" && entry.message.role === "assistant";

test("questions between calls, results and what was typed meanwhile do not disturb a replay", async () => {
  let settled = 0;
  const live = scripted(
    [
      calls({ name: "echo", input: { text: "a" }, id: "1" }, { name: "echo", input: { text: "b" }, id: "2" }),
      says("one"),
      says("two"),
    ],
    {
      list: [
        plain({
          name: "echo",
          input,
          run: async (said: { text: string }) => {
            live.channel.record(question);
            if (said.text === "a") void live.conversation.send({ text: "also this" }, "steer");
            live.channel.record(answer);
            return echoed(said);
          },
        }),
      ],
      hooks: [
        { name: "verify", settle: () => (settled++ === 0 ? { do: "go on", note: "check again" } : { do: "done" }) },
      ],
    },
  );
  await live.conversation.send({ text: "go" });
  const path = withEntries(live.entries(), (entry) => (isReply(entry) ? [question, answer] : []));
  expect(path.filter((entry) => entry.type === "custom")).toHaveLength(11);
  const { differences, events } = await played(path);
  expect(differences).toEqual([]);
  expect(timeline(events)).toEqual(timeline(live.events));
});

test("input that was withdrawn or never reached the model is not in a replay", async () => {
  const live = scripted([calls({ name: "echo", input: { text: "a" }, id: "1" }), says("one")], {
    list: [
      plain({
        name: "echo",
        input,
        run: async (said: { text: string }) => {
          const inbox = new InputQueue(live.journal);
          inbox.withdraw(inbox.admit({ text: "taken back" }, "steer").id);
          inbox.admit({ text: "left waiting" }, "after");
          return echoed(said);
        },
      }),
    ],
  });
  await live.conversation.send({ text: "go" });
  const { differences, events } = await played(live.entries());
  expect(differences).toEqual([]);
  expect(timeline(events)).toEqual(timeline(live.events));
});

test("input that was delivered one at a time is replayed so", async () => {
  const live = scripted([calls({ name: "echo", input: { text: "a" }, id: "1" }), says("one"), says("two")], {
    list: [
      plain({
        name: "echo",
        input,
        run: async (said: { text: string }) => {
          void live.conversation.send({ text: "first" }, "steer");
          void live.conversation.send({ text: "second" }, "steer");
          return echoed(said);
        },
      }),
    ],
  });
  await live.conversation.send({ text: "go" });
  // As if only the first had been delivered at once.
  const path = live.entries();
  const isSecond = (entry: Entry) => entry.type === "message" && JSON.stringify(entry.message).includes('"second"');
  const second = path.filter(isSecond);
  const [final] = path.slice(-1);
  const reply = { ...final, id: "ffff0000" } as Entry;
  const apart = [...path.filter((entry) => !isSecond(entry)), ...second, reply];
  const { differences } = await played(withEntries(apart, () => []));
  expect(differences).toEqual([]);
});

test("failed and interrupted answers are replayed as they were", async () => {
  const live = scripted([
    [
      { type: "text", index: 0, delta: "half" },
      { type: "fail", failure: { kind: "server", message: "down" } },
    ],
    says("fine"),
  ]);
  await live.conversation.send({ text: "first" });
  await live.conversation.send({ text: "again" });
  const path = live.entries();
  const last = path.at(-1);
  if (last?.type !== "message" || last.message.role !== "assistant") throw new Error("no answer");
  const aborted: Entry = { ...last, message: { ...last.message, stopReason: "aborted", errorMessage: "interrupted" } };
  const { differences, events } = await played([...path.slice(0, -1), aborted]);
  expect(differences).toEqual([]);
  expect(events.at(-1)).toMatchObject({ state: { end: { reason: "interrupted" } } });
});

test("turns that a kill ended, before an answer or after calls, are replayed as far as they came", async () => {
  const live = scripted(
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
    await live.conversation.send({ text });
  const path = live.entries().filter((entry) => !JSON.stringify(entry).includes("never kept"));
  const { differences, events } = await played(path);
  expect(differences).toEqual([]);
  expect(events.filter((event) => event.type === "entry" && event.entry.type === "message")).toHaveLength(7);
  const ends = events.flatMap((event) =>
    event.type === "turn" && event.state.name === "idle" ? [event.state.end.reason] : [],
  );
  expect(ends).toEqual(["interrupted", "interrupted", "done", "interrupted"]);
});

test("a record that the loop would not write is told with its first difference", async () => {
  const live = scripted([calls({ name: "echo", input: { text: "a" }, id: "1" }), says("one")], { list: [echo] });
  await live.conversation.send({ text: "first" });
  const path = live.entries().filter((entry) => entry.type !== "message" || entry.message.role !== "toolResult");
  const { differences } = await played(path);
  expect(differences[0]).toContain("message 3");
});

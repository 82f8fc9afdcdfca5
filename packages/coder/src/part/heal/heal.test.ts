import { expect, test } from "bun:test";
import type { Storage } from "@pith/agent";
import type { Stream } from "@pith/llm";
import { converse, says } from "../../test/scripted.ts";
import { heal } from "./heal.ts";

/** A server that refuses whatever holds a word, in a conversation that may have begun before. */
function talk(refuses: (body: string) => boolean, storage?: Storage) {
  const bodies: string[] = [];
  const stream: Stream = async function* ({ messages }) {
    const body = JSON.stringify(messages);
    bodies.push(body);
    yield refuses(body)
      ? [{ type: "fail", failure: { kind: "rejected", message: "test answered 400" } }]
      : says("fine");
  };
  const made = converse(
    stream,
    ({ tree }, channel) => ({ hooks: [heal({ tree, channel, models: { stream } } as never) ?? { name: "none" }] }),
    storage,
  );
  const { events, journal, conversation } = made;
  const ends = () =>
    events.flatMap((event) => (event.type === "turn" && event.state.name === "idle" ? [event.state.end.reason] : []));
  const said = () => events.flatMap((event) => (event.type === "notice" ? [event.notice.text] : []));
  const healings = () =>
    journal.tree
      .pathTo()
      .flatMap((entry) => (entry.type === "custom" && entry.customType === "pith.heal" ? [entry.data] : []));
  return { send: (text: string) => conversation.send({ text }), bodies, ends, said, healings, storage: made.storage };
}

test("a prompt that is refused is not left out of its own turn; later it is set aside, told and recorded", async () => {
  const session = talk((body) => body.includes("poison"));
  await session.send("hello");
  await session.send("some poison");
  await session.send("go on");
  expect(session.ends()).toEqual(["done", "failed", "done"]);
  expect(session.said()).toEqual([
    "The server refuses this prompt; it stays in the record without an answer.",
    "The server refused the conversation; it goes on without 1 block (the text of a prompt). The record keeps everything.",
  ]);
  expect(session.healings()).toEqual([
    { rules: true, blocks: [{ key: expect.any(String), what: "the text of a prompt" }], reason: "test answered 400" },
  ]);
  expect(session.bodies.at(-1)).toContain("[left out: the server did not accept what stood here]");
});

test("a resumed session is healed from its first request on", async () => {
  const first = talk((body) => body.includes("poison"));
  await first.send("some poison");
  await first.send("go on");
  const second = talk((body) => body.includes("poison"), first.storage);
  await second.send("and now?");
  expect(second.ends()).toEqual(["done"]);
  expect(second.bodies).toHaveLength(1);
  expect(second.bodies[0]).not.toContain("poison");
});

test("a server that refuses everything is given up, and nothing is taken out of the conversation for it", async () => {
  const session = talk(() => true);
  await session.send("hello");
  expect(session.ends()).toEqual(["failed"]);
  expect(session.healings()).toEqual([]);
  expect(session.bodies.length).toBeLessThanOrEqual(4);
});

test.each([1, 2, 3])("a server that has trouble for %i requests costs no words of anybody", async (bad) => {
  let left = 0;
  const session = talk(() => left-- > 0);
  for (const text of ["first", "second", "third"]) {
    left = bad;
    await session.send(text);
  }
  expect(session.ends()).toEqual(["done", "done", "done"]);
  expect(session.healings()).toEqual([]);
  expect(session.said()).toEqual([]);
  expect(session.bodies.at(-1)).toContain("first");
  expect(session.bodies.at(-1)).not.toContain("left out");
});

test("what was answered before is not left out, even when the server refuses it later", async () => {
  let hates = "nothing";
  const session = talk((body) => body.includes(hates));
  await session.send("paint it blue");
  hates = "blue";
  await session.send("and now?");
  expect(session.ends()).toEqual(["done", "failed"]);
  expect(session.healings()).toEqual([]);
  expect(session.said()).toEqual([
    "The server now refuses messages that it has answered before; nothing was left out.",
  ]);
});

test("what is told to be left out was there: not thinking, not images, where there are none", async () => {
  let down = true;
  const session = talk((body) => down || body.split('"role":"user"').length > 2);
  await session.send("hello");
  down = false;
  await session.send("go on");
  expect(session.ends()).toEqual(["failed", "done"]);
  expect(session.said()).toEqual([
    "The server refused the conversation; it goes on with its messages put in order. The record keeps everything.",
  ]);
});

test("a conversation that nobody refuses goes out as it is", async () => {
  const session = talk(() => false);
  await session.send("hello");
  expect(session.bodies).toEqual([expect.stringContaining("hello")]);
  expect(session.healings()).toEqual([]);
});

import { expect, test } from "bun:test";
import { until } from "@pith/kit/test";
import type { Event } from "../event.ts";
import { calls, plain, says, scripted } from "../test/scripted.ts";
import type { Outcome } from "../tool/outcome.ts";
import { Channel } from "./channel.ts";
import type { Scene } from "./scene.ts";

const prose = (text: string): Outcome => ({ kind: "prose", data: {}, text });

test("the scene tells at every moment what stands: turn, answer, calls, queue", async () => {
  const seen: Partial<Record<string, Scene>> = {};
  const look = plain({
    name: "look",
    run: async (_, { progress }) => {
      progress(prose("half"));
      seen.running = talk.channel.scene;
      void talk.conversation.send({ text: "also" }, "steer");
      await until(() => talk.channel.scene.queue.length === 1, "the queued message");
      seen.queued = talk.channel.scene;
      return prose("whole");
    },
  });
  const talk = scripted([calls({ name: "look", input: {}, id: "c1" }), says("good")], {
    list: [look],
    onEvent: (event) => {
      if (event.type === "delta") seen.streaming = talk.channel.scene;
    },
  });
  expect(talk.channel.scene).toMatchObject({ turn: undefined, calls: [], questions: [], context: undefined });
  await talk.conversation.send({ text: "go" });
  expect(seen.running?.calls).toMatchObject([
    { call: { id: "c1" }, intent: { effect: "read" }, part: { text: "half" } },
  ]);
  expect(seen.running?.turn?.name).toBe("running");
  expect(seen.queued?.queue).toMatchObject([{ when: "steer", text: "also", images: 0 }]);
  expect(seen.streaming?.answer).toEqual({ text: "good", thinking: "" });
  expect(talk.channel.scene).toMatchObject({
    turn: { name: "idle" },
    calls: [],
    answer: { text: "", thinking: "" },
    queue: [],
  });
});

test("the scene is updated before listeners hear of an event", async () => {
  const talk = scripted([says("x")], {
    onEvent: (event) => {
      if (event.type === "status") expect(talk.channel.scene.status[event.key]).toBe(event.text as string);
    },
  });
  talk.channel.announce({ type: "status", key: "branch", text: "main" });
  talk.channel.announce({ type: "panel", key: "p", panel: { slot: "above", kind: "prose", data: {}, text: "t" } });
  expect(talk.channel.scene.panels.p?.text).toBe("t");
  talk.channel.announce({ type: "status", key: "branch" });
  talk.channel.announce({ type: "panel", key: "p" });
  expect(talk.channel.scene).toMatchObject({ status: {}, panels: {} });
});

test("an earlier scene stays as it was: the fold changes nothing it was given", async () => {
  const talk = scripted([calls({ name: "look", input: {} }), says("x")], {
    list: [plain({ name: "look", run: async () => prose("") })],
  });
  const before = talk.channel.scene;
  const copy = structuredClone(before);
  await talk.conversation.send({ text: "go" });
  expect(before).toEqual(copy);
  expect(talk.channel.scene).not.toEqual(copy);
});

test("events announced before anybody listened reach the first listener", () => {
  const channel = new Channel(scripted([]).journal);
  const heard: string[] = [];
  const listen = (event: Event) => void (event.type === "notice" && heard.push(event.notice.text));
  channel.notify({ level: "info", text: "one" });
  channel.subscribe(listen);
  channel.notify({ level: "info", text: "two" });
  channel.subscribe(listen);
  expect(heard).toEqual(["one", "two"]);
});

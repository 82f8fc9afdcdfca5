import { expect, test } from "bun:test";
import type { Event } from "../event.ts";
import type { Outcome } from "../tool/outcome.ts";
import { Channel } from "./channel.ts";
import type { Scene } from "./scene.ts";
import { calls, plain, says, scripted } from "./scripted.ts";

const prose = (text: string): Outcome => ({ kind: "prose", data: {}, text });

test("the scene tells at every moment what stands: turn, answer, calls, queue", async () => {
  const seen: Partial<Record<string, Scene>> = {};
  const look = plain({
    name: "look",
    run: async (_, { progress }) => {
      progress(prose("half"));
      seen.running = own.channel.scene;
      void own.conversation.send({ text: "also" }, "steer");
      await Bun.sleep(1);
      seen.queued = own.channel.scene;
      return prose("whole");
    },
  });
  const own = scripted([calls({ name: "look", input: {}, id: "c1" }), says("good")], {
    list: [look],
    onEvent: (event) => {
      if (event.type === "delta") seen.streaming = own.channel.scene;
    },
  });
  expect(own.channel.scene).toMatchObject({ turn: undefined, calls: [], questions: [], context: undefined });
  await own.conversation.send({ text: "go" });
  expect(seen.running?.calls).toMatchObject([
    { call: { id: "c1" }, intent: { effect: "read" }, part: { text: "half" } },
  ]);
  expect(seen.running?.turn?.name).toBe("running");
  expect(seen.queued?.queue).toMatchObject([{ when: "steer", text: "also", images: 0 }]);
  expect(seen.streaming?.answer).toEqual({ text: "good", thinking: "" });
  expect(own.channel.scene).toMatchObject({
    turn: { name: "idle" },
    calls: [],
    answer: { text: "", thinking: "" },
    queue: [],
  });
});

test("what a listener reads in the scene is what the event it hears has changed", async () => {
  const own = scripted([says("x")], {
    onEvent: (event) => {
      if (event.type === "status") expect(own.channel.scene.status[event.key]).toBe(event.text as string);
    },
  });
  own.channel.announce({ type: "status", key: "branch", text: "main" });
  own.channel.announce({ type: "panel", key: "p", panel: { slot: "above", kind: "prose", data: {}, text: "t" } });
  expect(own.channel.scene.panels.p?.text).toBe("t");
  own.channel.announce({ type: "status", key: "branch" });
  own.channel.announce({ type: "panel", key: "p" });
  expect(own.channel.scene).toMatchObject({ status: {}, panels: {} });
});

test("an earlier scene stays as it was: the fold changes nothing it was given", async () => {
  const own = scripted([calls({ name: "look", input: {} }), says("x")], {
    list: [plain({ name: "look", run: async () => prose("") })],
  });
  const before = own.channel.scene;
  const copy = structuredClone(before);
  await own.conversation.send({ text: "go" });
  expect(before).toEqual(copy);
  expect(own.channel.scene).not.toEqual(copy);
});

test("what was announced before anybody listened is heard by the first who does", () => {
  const channel = new Channel(scripted([]).journal);
  const heard: string[] = [];
  const listen = (event: Event) => void (event.type === "notice" && heard.push(event.notice.text));
  channel.tell({ level: "info", text: "one" });
  channel.subscribe(listen);
  channel.tell({ level: "info", text: "two" });
  channel.subscribe(listen);
  expect(heard).toEqual(["one", "two"]);
});

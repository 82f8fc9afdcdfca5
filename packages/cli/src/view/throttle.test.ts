import { expect, test } from "bun:test";
import type { Event } from "@pith/agent";
import type { StreamEvent } from "@pith/llm";
import { createFakeTimers } from "@pith/tui/test";
import { arrivingText, EventThrottle, type ScreenEvent } from "./throttle.ts";

function calm() {
  const timers = createFakeTimers();
  const told: ScreenEvent[] = [];
  const calm = new EventThrottle(timers, (event) => told.push(event));
  const feed = (...deltas: StreamEvent[]) => calm.take({ type: "delta", deltas });
  const say = (delta: string, index = 0) => feed({ type: "text", index, delta });
  const think = (delta: string, index = 0) => feed({ type: "thinking", index, delta });
  const words = () =>
    told.flatMap((event) =>
      event.type === "delta" ? event.deltas.map((delta) => ("delta" in delta ? delta.delta : delta.type)) : [],
    );
  return { timers, told, feed, say, think, words, take: (event: Event) => calm.take(event), end: () => calm.end() };
}
const answer: Event = {
  type: "entry",
  entry: { type: "message", message: { role: "assistant", content: [] } } as never,
};
const asking: Event = { type: "turn", state: { name: "asking", step: 1 } as never };

test("words come at most every 32 ms, the first of them at once", () => {
  const { timers, say, words, told } = calm();
  say("The first words");
  expect(words()).toEqual(["The first words"]);
  for (let at = 0; at < 12; at++) {
    timers.advance(5);
    say(` ${at}`);
  }
  expect(words()).toEqual(["The first words", " 0 1 2 3 4 5"]);
  timers.advance(32);
  expect(words().join("")).toBe("The first words 0 1 2 3 4 5 6 7 8 9 10 11");
  timers.advance(1000);
  expect(told).toHaveLength(3);
});

test("an answer does not begin with half a word, and does not go on with signs alone", () => {
  const { timers, say, words } = calm();
  say("**What");
  timers.advance(500);
  expect(words()).toEqual([]);
  say(" I see");
  expect(words()).toEqual(["**What I see"]);
  timers.advance(50);
  say("**\n\n- ");
  timers.advance(500);
  expect(words()).toHaveLength(1);
  say("o");
  expect(words().at(-1)).toBe("**\n\n- o");
});

test("what is short, a drawing or in another script is not kept back", () => {
  const short = calm();
  short.say("Yes.");
  short.take(answer);
  expect(short.told.map(({ type }) => type)).toEqual(["delta", "entry"]);
  const drawn = calm();
  drawn.say("─".repeat(200));
  expect(drawn.words()).toHaveLength(1);
  const script = calm();
  script.say("これは日本語です");
  expect(script.words()).toHaveLength(1);
  const left = calm();
  left.say("Hm");
  left.end();
  expect(left.words()).toEqual(["Hm"]);
});

test("each reply begins anew", () => {
  const { timers, say, words, take } = calm();
  say("Enough letters");
  take(answer);
  take(asking);
  timers.advance(100);
  say("No");
  expect(words()).toEqual(["Enough letters"]);
});

test("everything else comes at once, behind what was said before it", () => {
  const { timers, say, told, take } = calm();
  say("The first words");
  timers.advance(1);
  say(" and more");
  take({ type: "notice", notice: { level: "info", text: "!" } });
  expect(told.map(({ type }) => type)).toEqual(["delta", "delta", "notice"]);
});

test("a call ends what was thought at once, with the time of the words and not of the wait after them; once", () => {
  const { timers, think, feed, told, take } = calm();
  think("Let me ");
  timers.advance(3000);
  think("see");
  timers.advance(2000);
  feed({ type: "call", index: 1, id: "c", name: "write" });
  expect(told.map(({ type }) => type)).toEqual(["delta", "delta", "thought", "delta"]);
  expect(told[2]).toEqual({ type: "thought", index: 0, ms: 3000 });
  feed({ type: "call", index: 2, id: "d", name: "read" });
  take(answer);
  expect(told.filter(({ type }) => type === "thought")).toHaveLength(1);
});

test("thoughts without anything behind them, and each of several, are ended too", () => {
  const { timers, think, say, told, take } = calm();
  think("one");
  timers.advance(10);
  think(" two");
  think("three", 1);
  timers.advance(20);
  think("four", 1);
  say("And now, the answer", 2);
  think("again", 3);
  take({ type: "notice", notice: { level: "info", text: "!" } });
  expect(told.filter(({ type }) => type === "thought")).toHaveLength(2);
  take(answer);
  expect(told.flatMap((event) => (event.type === "thought" ? [[event.index, event.ms]] : []))).toEqual([
    [0, 10],
    [1, 20],
    [3, 0],
  ]);
});

test("a file that is written shows its name and its lines while they arrive, not piece by piece", () => {
  const { timers, feed, told } = calm();
  feed({ type: "call", index: 1, id: "c", name: "write" });
  for (const delta of ['{"path":"a', '.ts","content":"one\\ntw', 'o\\nthree"']) {
    timers.advance(10);
    feed({ type: "args", index: 1, delta });
  }
  timers.advance(32);
  const shapes = told.filter((event) => event.type === "shaping");
  expect(shapes).toHaveLength(1);
  expect(shapes[0]?.body).toEqual({ text: "one\ntwo\nthree", lines: 2 });
  expect(shapes.map(arrivingText)).toEqual(["writing a.ts"]);
  expect(told.some((event) => event.type === "delta" && event.deltas.some(({ type }) => type === "args"))).toBe(false);
});

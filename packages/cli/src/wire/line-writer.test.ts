import { expect, test } from "bun:test";
import { noUsage } from "@pith/llm";
import type { Line } from "./frame.ts";
import { LineWriter } from "./line-writer.ts";

/** A reader that takes one portion each time it is told to. */
function stalled() {
  const taken: string[] = [];
  let waiting: (() => void) | undefined;
  const writer = new LineWriter(
    async (text) => {
      await new Promise<void>((done) => {
        waiting = done;
      });
      taken.push(text);
    },
    (line) => `${JSON.stringify(line)}\n`,
  );
  const take = async () => {
    waiting?.();
    await Bun.sleep(0);
  };
  const lines = () =>
    taken
      .join("")
      .trimEnd()
      .split("\n")
      .map((text) => JSON.parse(text));
  return { writer, take, lines };
}
const delta = (text: string, contentIndex = 0): Line => ({
  type: "message_update",
  usage: noUsage(),
  assistantMessageEvent: { type: "text_delta", contentIndex, delta: text },
});
const progress = (text: string): Line => ({
  type: "tool_execution_update",
  toolCallId: "c",
  toolName: "bash",
  args: {},
  partialResult: { content: [{ type: "text", text }] },
});

test("for a reader that stands still pieces are joined, the last progress kept, and nothing else lost", async () => {
  const { writer, take, lines } = stalled();
  writer.push({ type: "agent_start" });
  for (let i = 0; i < 1000; i++) writer.push(delta(`${i},`));
  writer.push({ type: "notice", level: "info", text: "between" });
  writer.push(delta("a"));
  writer.push(delta("b", 1));
  writer.push(progress("1"));
  writer.push({ type: "turn_start" });
  for (let i = 2; i < 100; i++) writer.push(progress(String(i)));
  writer.push({ type: "agent_settled" });
  await take();
  await take();
  const [start, joined, between, a, b, turn, last, settled, ...more] = lines();
  expect([start, between, turn, settled, more]).toEqual([
    { type: "agent_start" },
    { type: "notice", level: "info", text: "between" },
    { type: "turn_start" },
    { type: "agent_settled" },
    [],
  ]);
  expect(joined.assistantMessageEvent.delta).toBe(Array.from({ length: 1000 }, (_, i) => `${i},`).join(""));
  expect([a, b].map(({ assistantMessageEvent }) => assistantMessageEvent.delta)).toEqual(["a", "b"]);
  expect(last.partialResult.content[0].text).toBe("99");
  expect([writer.size, await writer.flush()]).toEqual([0, "out"]);
});

test("of a command that writes without end to a reader that stands still, the end waits not all of it", async () => {
  const { writer, take, lines } = stalled();
  writer.push({ type: "agent_start" });
  const piece = "x".repeat(1024 * 1024);
  for (let i = 0; i < 100; i++) {
    writer.push({ type: "bash_execution_update", id: "1", delta: piece });
    writer.push({ type: "output", id: "1", command: "yes", text: `${i}`, lines: i });
  }
  writer.push({ type: "bash_execution_update", id: "1", delta: "the end" });
  expect(writer.size).toBeLessThan(10 * 1024 * 1024);
  for (let i = 0; i < 20; i++) await take();
  const written = lines().filter(({ type }) => type === "bash_execution_update");
  expect(written).toHaveLength(1);
  expect(written[0].delta).toStartWith("[what was not read in time");
  expect(written[0].delta).toEndWith("the end");
  expect(await writer.flush()).toBe("out");
});

test("whoever makes more waits for room, and is let go when the reader reads or its own work is stopped", async () => {
  const { writer, take } = stalled();
  const happened: string[] = [];
  writer.push({ type: "notice", level: "info", text: "x".repeat(1000) });
  const stop = new AbortController();
  void writer.room(500, stop.signal).then(() => happened.push("stopped"));
  void writer.room(500).then(() => happened.push("room"));
  await writer.room(5000);
  await Bun.sleep(1);
  expect(happened).toEqual([]);
  stop.abort();
  await Bun.sleep(1);
  expect(happened).toEqual(["stopped"]);
  await take();
  expect(happened).toEqual(["stopped", "room"]);
});

test("a reader that takes nothing at the end is not waited for, and one that is gone is told once", async () => {
  const { writer } = stalled();
  writer.push({ type: "agent_start" });
  expect(await writer.flush(60)).toBe("stuck");
  const faults: string[] = [];
  const gone = new LineWriter(
    () => Promise.reject(new Error("EPIPE")),
    () => "line\n",
  );
  gone.onFault = ({ message }) => faults.push(message);
  gone.push({ type: "agent_start" });
  await gone.flush();
  gone.push({ type: "agent_start" });
  expect([faults, await gone.flush(), gone.size]).toEqual([["EPIPE"], "out", 0]);
});

import { expect, test } from "bun:test";
import type { Message } from "@pith/llm";
import type { Entry } from "../session/entry.ts";
import { textOf } from "../session/text.ts";
import { answered, placed, resulted, said } from "../test/entries.ts";
import type { PathCut } from "./cause.ts";
import { findCut, measurePath, totalTokens } from "./cut.ts";
import { planCompaction } from "./plan.ts";
import { pruneResults } from "./prune.ts";
import { sizesOf } from "./size.ts";

/** Counts a token per letter. */
const tokens = (message: Message) => textOf(message.content).length;
const pathOf = (...entries: ReturnType<typeof said>[]) => measurePath(entries, tokens);
const sizes = (window: number, fixed = 0) =>
  sizesOf(window, fixed, {
    thresholdPercent: 100,
    thresholdTokens: -1,
    reserveTokens: 0,
    reserve: "set",
    keepRecentTokens: 20_000,
  });

test("the kept part is at most as long as wanted, and begins after a result", () => {
  const path = pathOf(
    said("a".repeat(50)),
    answered("b".repeat(10), ["1", "read"]),
    resulted("1", "read", "c".repeat(30)),
    answered("d".repeat(10)),
    said("e".repeat(10)),
  );
  const at = (keep: number): PathCut => findCut(path, keep);
  expect(at(1000)).toEqual({ at: 0, turn: 0 });
  expect(at(60)).toEqual({ at: 1, turn: 0 });
  expect(at(55)).toEqual({ at: 3, turn: 0 });
  expect(at(10)).toEqual({ at: 4, turn: 4 });
  // Nothing fits: the last place that may be cut.
  expect(at(5)).toEqual({ at: 4, turn: 4 });
});

test("notes right before the cut are kept too", () => {
  const change = () => placed({ type: "model_change", provider: "a", modelId: "b" });
  const path = pathOf(
    said("a".repeat(50)),
    answered("b"),
    change(),
    placed({ type: "custom", customType: "x" }),
    said("c"),
  );
  expect(findCut(path, 1)).toEqual({ at: 2, turn: 2 });
});

test("a turn begins with what people say or run and with a branch, not with our own notes", () => {
  const note = (customType: string) => placed({ type: "custom_message", customType, content: "x", display: false });
  const starts = [note("other"), placed({ type: "branch_summary", fromId: "", summary: "x" }), said("x")];
  for (const start of starts) expect(findCut(pathOf(said("a"), answered("b"), start, answered("c")), 1).turn).toBe(2);
  expect(findCut(pathOf(said("a"), answered("b"), note("pith.note"), answered("c")), 1).turn).toBe(0);
});

let seed = 7;
const random = (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  // The low bits of such numbers come round at once.
  return Math.floor((seed / 2_147_483_648) * below);
};
let calls = 0;
function anyOf(): Entry[] {
  if (random(4) === 0) return [said("u".repeat(random(40)))];
  if (random(6) === 0) return [placed({ type: "custom", customType: "pith.jobs" })];
  const ids = Array.from({ length: random(4) }, () => String(++calls));
  const note = () => placed({ type: "custom_message", customType: "x", content: "n", display: false });
  return [
    answered("a".repeat(random(20)), ...ids.map((id): [string, string] => [id, "bash"])),
    ...ids.flatMap((id) => [...(random(5) === 0 ? [note()] : []), resulted(id, "bash", "r".repeat(random(200)))]),
  ];
}
const callsIn = (message: Message) =>
  message.role === "assistant" ? message.content.flatMap((part) => (part.type === "toolCall" ? [part.id] : [])) : [];

test("no history is ever cut between a call and its result, whatever order things came in", () => {
  let results = 0;
  for (let round = 0; round < 300; round++) {
    const path = pathOf(...Array.from({ length: 20 }, anyOf).flat());
    const kept = path.slice(findCut(path, random(1000)).at).flatMap(({ messages }) => messages);
    const asked = new Set(kept.flatMap(callsIn));
    const answered = kept.flatMap((message) => (message.role === "toolResult" ? [message.toolCallId] : []));
    expect(answered.filter((id) => !asked.has(id))).toEqual([]);
    results += answered.length;
  }
  expect(results).toBeGreaterThan(300);
});

test("if the kept part is too long, its largest results are cut; else the failure names what fills the window", () => {
  const path = pathOf(said("go"), answered("x", ["1", "bash"]), resulted("1", "bash", "r".repeat(5000)));
  const plan = planCompaction(path, sizes(2000));
  expect(plan).toMatchObject({ ok: true, value: { cut: { at: 1 }, edits: [{ targetId: path[2]?.entry.id }] } });
  if (plan.ok) expect(plan.value.kept).toBeLessThan(2000 * 0.42);
  expect(planCompaction(pathOf(answered("x"), said("w".repeat(5000))), sizes(2000))).toMatchObject({
    kind: "full",
    message: "what was said last is about 5,000 tokens, and the window of the model takes 2,000 tokens",
  });
  expect(planCompaction(path, sizes(2000, 2000))).toMatchObject({
    kind: "prompt",
    message: expect.stringContaining("system prompt"),
  });
});

test("pruning leaves the newest results and what was read, and is not done for little", () => {
  const results = (name: string, count: number, length: number) =>
    Array.from({ length: count }, (_, at) => [
      answered("", [`${name}${at}`, name]),
      resulted(`${name}${at}`, name, "r".repeat(length)),
    ]).flat();
  const path = pathOf(
    said("go"),
    ...results("bash", 10, 1000),
    ...results("read", 2, 1000),
    ...results("bash", 4, 1000),
  );
  const { edits, won } = pruneResults(path, { protect: 4000, win: 5000 });
  expect(edits.length).toBe(10);
  expect(won).toBe(10 * 970);
  expect(edits[0]?.replacement?.content).toBe(
    `[Output truncated - 1000 tokens]\nhistory://session/${edits[0]?.targetId}`,
  );
  expect(pruneResults(path, { protect: 4000, win: 9701 }).edits).toEqual([]);
  expect(pruneResults(path, { protect: 16_000, win: 1 }).edits).toEqual([]);
  expect(totalTokens(path)).toBe(16_002);
});

test("words that a person said while a call ran are no place to cut, since its result comes behind them", () => {
  const path = pathOf(
    said("go"),
    answered("x", ["1", "bash"]),
    said("and this"),
    resulted("1", "bash", "out"),
    answered("done"),
  );
  const asked = path.findIndex(({ messages }) => messages.some((message) => callsIn(message).length > 0));
  for (let keep = 0; keep < 200; keep += 3) {
    const { at } = findCut(path, keep);
    // Behind the result, or before the call.
    expect([keep, at <= asked || at > asked + 2]).toEqual([keep, true]);
  }
});

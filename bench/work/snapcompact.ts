// A history of 200,000 tokens as pictures of its words. The floor only packs as many pixels, all of them blank.
import { encodePng } from "../../packages/agent/src/compact/strategy/snap/png.ts";
import { snapcompact } from "../../packages/agent/src/compact/strategy/snap/snap.ts";
import type { CompactionTask } from "../../packages/agent/src/compact/strategy/strategy.ts";
import type { Entry } from "../../packages/agent/src/session/entry.ts";
import type { Work } from "../work.ts";

const words = "The parser reads src/date/parse.ts and answers with a result, never with an exception. ";
const path = Array.from({ length: 400 }, (_, at): Entry => {
  const content = `${at} ${words.repeat(23)}`;
  const message = { role: "user" as const, content, timestamp: 0 };
  return { type: "message", id: String(at), parentId: null, timestamp: "", message };
});
const side = 1072;

const task = {
  cause: "threshold",
  path,
  cut: { at: path.length, turn: path.length },
  sizes: { summary: 16_384 },
  model: { vendor: "anthropic", id: "claude", input: ["text", "image"] },
  additions: {},
  tokens: () => 1500,
  signal: new AbortController().signal,
} as unknown as CompactionTask;

export default {
  title: "200,000 tokens of history as pictures",
  async pith() {
    const began = performance.now();
    const made = await snapcompact(task);
    const drawn = performance.now() - began;
    if (!made.ok) throw new Error(made.message);
    return { drawn };
  },
  async floor() {
    const began = performance.now();
    for (let frame = 0; frame < 8; frame++)
      encodePng({ width: side, height: side, pixels: new Uint8Array(side * side), colours: [0xffffff, 0] });
    return { drawn: performance.now() - began };
  },
  measures: [{ of: "drawn", title: "drawn", unit: "ms", goal: { atMost: 1000 } }],
} satisfies Work;

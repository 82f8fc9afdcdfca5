// What a step costs in a long conversation, from the result of a call to the finished request: nothing may grow.
import { houseIn, scriptIn, talkIn } from "../../packages/coder/src/test/open.ts";
import { scratch } from "../../packages/kit/src/test/index.ts";
import type { Work } from "../work.ts";

/** The middle one of the last steps of a turn that makes so many. */
async function stepAfter(messages: number): Promise<{ step: number }> {
  using dir = scratch();
  dir.write({ "work/a.txt": "a line\n".repeat(20) });
  const usage = { input: 100 * messages, output: 20 };
  const call = { calls: [{ tool: "read", input: { path: "a.txt" } }], usage, repeat: messages / 2 };
  const took: number[] = [];
  let ended: number | undefined;
  const context = <R>(request: R): R => {
    if (ended !== undefined) took.push(performance.now() - ended);
    return request;
  };
  const talk = await talkIn(await houseIn(dir), {
    model: scriptIn(dir, [call, { text: "Done.", usage }]),
    rows: [["every", () => ({ name: "clock", hooks: [{ name: "clock", context }] })]],
  });
  talk.coder.subscribe((event) => {
    if (event.type === "entry" && event.entry.type === "message" && event.entry.message.role === "toolResult")
      ended = performance.now();
  });
  await talk.coder.send({ text: "go" });
  const count = talk.coder.messageCount();
  await talk.coder.close();
  if (count < messages || took.length < messages / 2) throw new Error(`only ${count} messages, ${took.length} steps`);
  return { step: took.slice(-9).sort((a, b) => a - b)[4] ?? Number.POSITIVE_INFINITY };
}

export default {
  title: "a step after 2,000 messages (floor: after 20)",
  async pith() {
    // The first run warms what both then use.
    await stepAfter(200);
    return stepAfter(2000);
  },
  async floor() {
    await stepAfter(2000);
    return stepAfter(20);
  },
  measures: [{ of: "step", title: "from a result to the next request", unit: "ms", goal: { timesFloor: 1.2 } }],
} satisfies Work;

// Cost of a step in a long conversation, from the result of a call to the finished request: it must not grow.
import { houseIn, scriptIn, talkIn } from "../packages/coder/src/test/open.ts";
import { scratch } from "../packages/kit/src/test/index.ts";

/** The middle one of the last steps of a turn that makes so many; in a small window it is summed up again and again. */
export async function stepAfter(messages: number, window?: number): Promise<{ step: number }> {
  using dir = scratch();
  dir.write({ "work/a.txt": "a line\n".repeat(20) });
  // In a small window nothing is told of it, so that all of it has to be counted.
  const usage = window === undefined ? { input: 50 * messages, output: 20 } : {};
  const more = window === undefined ? {} : { model: { contextWindow: window }, side: { summary: "Reading a.txt." } };
  const call = { calls: [{ tool: "read", input: { path: "a.txt" } }], usage, repeat: messages / 2 };
  const took: number[] = [];
  let ended: number | undefined;
  const context = <R>(request: R): R => {
    if (ended !== undefined) took.push(performance.now() - ended);
    return request;
  };
  const talk = await talkIn(await houseIn(dir, { "loop.mode": "off" }), {
    model: scriptIn(dir, [call, { text: "Done.", usage }], "script.json", more),
    rows: [{ reach: "every", make: () => ({ name: "clock", hooks: [{ name: "clock", context }] }) }],
  });
  talk.coder.subscribe((event) => {
    if (event.type === "entry" && event.entry.type === "message" && event.entry.message.role === "toolResult")
      ended = performance.now();
  });
  await talk.coder.send({ text: "go" });
  const count = talk.coder.messageCount();
  const summed = talk.coder.path().filter(({ type }) => type === "compaction").length;
  await talk.coder.close();
  if (count < messages || took.length < messages / 2) throw new Error(`only ${count} messages, ${took.length} steps`);
  if (window !== undefined && messages > 1000 && summed < 5) throw new Error(`only ${summed} compactions`);
  return { step: took.slice(-9).sort((a, b) => a - b)[4] ?? Number.POSITIVE_INFINITY };
}

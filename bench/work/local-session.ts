import { emulate, type Mind, type Seen, type Told, weights } from "../../packages/llm/src/test/index.ts";
import { type Lab, turns } from "../lab.ts";
import type { Sample, Work } from "../work.ts";

/** Small results, so that nothing has to be left out of the context on the way. */
function callFor(step: number): { name: string; args: Readonly<Record<string, unknown>> } {
  const path = `src/new-${step}.ts`;
  return [
    { name: "bash", args: { command: `seq ${step} ${step + 150}` } },
    { name: "read", args: { path: "package.json" } },
    { name: "search", args: { pattern: `value${step} ` } },
    { name: "write", args: { path, content: `export const step = ${step};\n`.repeat(20) } },
    { name: "read", args: { path: `src/new-${step - 1}.ts` } },
  ][step % 5] as { name: string; args: Readonly<Record<string, unknown>> };
}

/** Answers the dispatcher in its format; makes a call in all steps but the last. */
const mind: Mind = ({ messages, format }) => {
  if (format !== undefined) return { text: '{"intent":"modify","needsWrite":true}' };
  const step = messages.filter(({ calls }) => calls.length > 0).length;
  if (step >= turns - 1) return { text: "All of it is done. [TASK_COMPLETE]" };
  return { text: `Step ${step}.`, calls: [{ id: `call_${step}`, ...callFor(step) }] };
};

const tokens = (text: string): number => text.length / 4;
const textOf = ({ role, text, tool = "" }: Told) => `<${role} ${tool}>${text}`;

/** Tokens that no earlier request had at the same position, without those the model wrote. */
function fresh(seen: readonly Seen[]): number {
  let sum = tokens(JSON.stringify(seen[0]?.tools));
  const sent: string[] = [];
  for (const { messages } of seen)
    for (const [at, message] of messages.entries()) {
      const [text, before = ""] = [textOf(message), sent[at]];
      let same = 0;
      while (same < text.length && text[same] === before[same]) same++;
      if (message.role !== "assistant") sum += tokens(text.slice(same));
      sent[at] = text;
    }
  return sum;
}

async function session(lab: Lab): Promise<{ processed: number; fresh: number }> {
  using served = emulate("ollama", { mind, models: [{ ...weights, window: 40_960 }] });
  const argv = ["-p", "write the files, step by step", "--yolo", "--model", `ollama/${weights.id}`];
  await lab.start("pith", argv, undefined, { OLLAMA_HOST: served.url });
  const { seen, counts } = served.machine;
  const asked = seen.filter(({ format }) => format !== undefined).length;
  const packets = seen.at(-1)?.messages.filter(({ text }) => text.includes("<agent_control>")).length ?? 0;
  if (seen.length !== turns + 1 || asked !== 1 || packets !== turns - 1)
    throw new Error(`${seen.length} requests, ${asked} of the dispatcher, ${packets} packets`);
  return { processed: counts.reduce((all, { processed }) => all + processed, 0), fresh: fresh(seen) };
}

/** Both figures are of one session: the floor's round runs it. */
let last: Awaited<ReturnType<typeof session>> | undefined;

export default {
  title: `${turns} steps of a small model on a server with one slot (floor: what was new)`,
  async floor(lab): Promise<Sample> {
    last = await session(lab);
    return { tokens: last.fresh };
  },
  async pith(): Promise<Sample> {
    return { tokens: last?.processed ?? Number.NaN };
  },
  measures: [{ of: "tokens", title: "worked through", unit: "tokens", goal: { timesFloor: 1.1 } }],
} satisfies Work;

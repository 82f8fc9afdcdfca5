// Measures a decoder once, in a process of its own: `bun bench/protocol.ts <protocol> pith|floor` prints the CPU
// milliseconds for 20,000 recorded chunks. The floor is the least code that gets the same words out of the same bytes.

import { protocols as loadProtocol } from "../packages/llm/src/protocol/protocols.ts";
import { type Bench, benches } from "../packages/llm/src/test/lab.ts";

/** An answer, put together from its deltas. */
interface Words {
  text: string;
  thinking: string;
  args: string;
}

const words = (count: number) => "read it ".repeat(Math.ceil((count * 5) / 8)).slice(0, count * 5);
const said: Words = { text: words(10_000), thinking: words(5000), args: JSON.stringify({ text: words(5000) }) };

/** An answer of about 20,000 chunks as its bytes come from the network. */
export function recording({ fake }: Bench): Uint8Array[] {
  const scene = {
    text: said.text,
    thinking: said.thinking,
    calls: [{ id: "call_1", name: "write", args: JSON.parse(said.args) }],
  };
  const url = new URL("http://127.0.0.1/");
  const frames = fake.frames(scene, { body: { input: [] }, headers: new Headers(), url, raw: "" });
  const all = Buffer.concat(frames.map((frame) => Buffer.from(frame as Uint8Array)));
  return Array.from(
    { length: Math.ceil(all.length / piece) },
    (_, i) => new Uint8Array(all.subarray(i * piece, (i + 1) * piece)),
  );
}
const piece = 16 * 1024;

export async function pithOn({ fake, model }: Bench): Promise<(parts: readonly Uint8Array[]) => Words> {
  const wire = await loadProtocol[fake.api]?.({});
  if (!wire) throw new Error(`no wire for ${fake.api}`);
  return (parts) => {
    const [cutter, decoder] = [
      wire.framing(),
      wire.decoder({ model, purpose: "main", system: [], messages: [], tools: [] }),
    ];
    const out: Words = { text: "", thinking: "", args: "" };
    for (const part of parts) {
      const events: Parameters<typeof decoder.push>[1] = [];
      for (const payload of cutter.push(part)) decoder.push(payload, events);
      for (const event of events)
        if (event.type === "text" || event.type === "thinking" || event.type === "args") out[event.type] += event.delta;
    }
    return out;
  };
}

/** Adds a payload to an answer, by protocol. The floor checks nothing, like the shortest code that works. */
const bare: Readonly<Record<string, (chunk: never, out: Words) => void>> = {
  "openai-completions": ({ choices: [choice] }: { choices: { delta: Delta }[] }, out) => {
    const delta = choice?.delta;
    if (delta?.content) out.text += delta.content;
    else if (delta?.reasoning_content) out.thinking += delta.reasoning_content;
    else if (delta?.tool_calls) out.args += delta.tool_calls[0]?.function.arguments;
  },
  "openai-responses": ({ type, delta }: { type: string; delta: string }, out) => {
    if (type === "response.output_text.delta") out.text += delta;
    else if (type === "response.reasoning_summary_text.delta") out.thinking += delta;
    else if (type === "response.function_call_arguments.delta") out.args += delta;
  },
  "anthropic-messages": ({ type, delta }: { type: string; delta: Delta }, out) => {
    if (type !== "content_block_delta") return;
    if (delta.type === "text_delta") out.text += delta.text;
    else if (delta.type === "thinking_delta") out.thinking += delta.thinking;
    else if (delta.type === "input_json_delta") out.args += delta.partial_json;
  },
  "google-generative-ai": (
    {
      candidates,
    }: { candidates: { content: { parts: { text: string; thought?: boolean; functionCall?: { args: object } }[] } }[] },
    out,
  ) => {
    for (const part of candidates[0]?.content.parts ?? []) {
      if (part.functionCall) out.args += JSON.stringify(part.functionCall.args);
      else if (part.thought) out.thinking += part.text;
      else out.text += part.text;
    }
  },
  "bedrock-converse-stream": (
    { delta }: { delta?: { text?: string; reasoningContent?: { text?: string }; toolUse?: { input: string } } },
    out,
  ) => {
    if (delta?.text) out.text += delta.text;
    else if (delta?.reasoningContent?.text) out.thinking += delta.reasoningContent.text;
    else if (delta?.toolUse) out.args += delta.toolUse.input;
  },
  "ollama-chat": ({ message }: { message: Delta }, out) => {
    if (message.content) out.text += message.content;
    else if (message.thinking) out.thinking += message.thinking;
    else if (message.tool_calls) out.args += JSON.stringify(message.tool_calls[0]?.function.arguments);
  },
};
interface Delta {
  type?: string;
  content?: string;
  text?: string;
  thinking?: string;
  reasoning_content?: string;
  partial_json?: string;
  tool_calls?: { function: { arguments: unknown } }[];
}
export const protocols = Object.keys(bare);

export const floorOn =
  ({ fake }: Bench) =>
  (parts: readonly Uint8Array[]): Words => {
    const out: Words = { text: "", thinking: "", args: "" };
    const take = bare[fake.api];
    if (!take) throw new Error(`no floor for ${fake.api}`);
    if (fake.api === "bedrock-converse-stream") readFrames(parts, (payload) => take(JSON.parse(payload) as never, out));
    else readLines(parts, (line) => take(JSON.parse(line) as never, out));
    return out;
  };

function readLines(parts: readonly Uint8Array[], each: (payload: string) => void): void {
  const decoder = new TextDecoder();
  let rest = "";
  for (const part of parts) {
    const lines = (rest + decoder.decode(part, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data: {")) each(line.slice(6));
      else if (line.startsWith("{")) each(line);
    }
  }
}

function readFrames(parts: readonly Uint8Array[], each: (payload: string) => void): void {
  const decoder = new TextDecoder();
  let rest = new Uint8Array(0);
  for (const part of parts) {
    const data = new Uint8Array(rest.length + part.length);
    data.set(rest);
    data.set(part, rest.length);
    const view = new DataView(data.buffer);
    let at = 0;
    while (data.length - at >= 12 && data.length - at >= view.getUint32(at)) {
      const length = view.getUint32(at);
      each(decoder.decode(data.subarray(at + 12 + view.getUint32(at + 4), at + length - 4)));
      at += length;
    }
    rest = data.slice(at);
  }
}

if (import.meta.main) {
  const [api = "", subject] = process.argv.slice(2);
  const bench = benches[api];
  if (!bench) throw new Error(`no protocol ${api}`);
  const parts = recording(bench);
  const read = subject === "pith" ? await pithOn(bench) : floorOn(bench);
  const before = process.cpuUsage();
  const out = read(parts);
  const { user, system } = process.cpuUsage(before);
  for (const kind of ["text", "thinking", "args"] as const)
    if (out[kind] !== said[kind]) throw new Error(`${subject} did not read the ${kind} of ${api}`);
  process.stdout.write(`${(user + system) / 1000}\n`);
}

// Measures an answer of 20,000 chunks once, in a process of its own: `bun bench/text-calls.ts pith|floor` prints the
// CPU milliseconds. pith looks for calls that a model writes into its text; the floor is the same stream without.
import { systemClock } from "../packages/kit/src/clock.ts";
import type { Request } from "../packages/llm/src/message/stream.ts";
import { protocols } from "../packages/llm/src/protocol/protocols.ts";
import { withTextCalls } from "../packages/llm/src/protocol/text-call/text-call.ts";
import { streamOf } from "../packages/llm/src/route/route.ts";
import { benches } from "../packages/llm/src/test/lab.ts";

const chunks = 20_000;
/** Prose, lists, code with all kinds of brackets, JSON that is no call: what a model says about a program. */
const page = [
  "First I looked at `src/sum.ts`; the loop ends one step too early, and so does the one below it.\n\n",
  "1. change the bound,\n2. run the tests again [as before],\n3. tell what came of it.\n\n",
  "```ts\nfor (let at = 0; at < list.length; at++) {\n  if (list[at] === undefined) continue;\n  sum += list[at];\n}\n```\n\n",
  'The settings stay as they are: {"level": 2, "name": "plain"} and <b>nothing</b> else is touched.\n\n',
  "After that all of it works, for lists of any length, and a call with an empty one gives 0.\n\n",
].join("");
const call = { id: "call_1", name: "read", args: { path: "src/sum.ts" } };
const text = page.repeat(Math.ceil((chunks * 5) / page.length)).slice(0, chunks * 5);
const written = `\n<tool_call>\n${JSON.stringify({ name: call.name, arguments: call.args })}\n</tool_call>`;

const subject = process.argv[2] === "pith" ? "pith" : "floor";
const { fake, model, auth } = benches["ollama-chat"] ?? fail("no bench for Ollama");
const url = new URL("http://127.0.0.1/");
const frames = fake.frames({ text: text + written }, { body: {}, headers: new Headers(), url, raw: "" });
const parts = frames.map((frame) => new Uint8Array(Buffer.from(frame as Uint8Array)));
if (parts.length < chunks) throw new Error(`only ${parts.length} chunks`);
const request: Request = {
  model,
  purpose: "main",
  system: [],
  messages: [],
  tools: [{ name: "read", description: "", parameters: { type: "object", properties: { path: { type: "string" } } } }],
};

/** Every chunk comes by itself, as a local model sends it. */
const transport = async () => {
  const left = parts[Symbol.iterator]();
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const { done, value } = left.next();
    if (done) controller.close();
    else controller.enqueue(value);
  };
  return new Response(new ReadableStream({ pull }), { headers: { "content-type": "application/x-ndjson" } });
};
const wire = (await protocols[fake.api]?.({})) ?? fail("no wire for Ollama");
const plain = streamOf({
  ...wire,
  vendor: "ollama",
  endpoint: { url, shown: url.href, variable: "BASE_URL", near: true },
  auth,
  clock: systemClock,
  transport,
});

let said = "";
let calls = 0;
const before = process.cpuUsage();
const stream = subject === "pith" ? withTextCalls(plain) : plain;
for await (const events of stream(request, AbortSignal.timeout(60_000)))
  for (const event of events) {
    if (event.type === "text") said += event.delta;
    else if (event.type === "call") calls++;
  }
const { user, system } = process.cpuUsage(before);
if (!said.startsWith(text) || said.includes("tool_call") === (subject === "pith")) fail("the words are others");
if (calls !== (subject === "pith" ? 1 : 0)) fail(`${calls} calls`);
process.stdout.write(`${(user + system) / 1000}\n`);

function fail(why: string): never {
  throw new Error(why);
}

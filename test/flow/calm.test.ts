// Streamed text is shown without flicker in every interface for people; the test decides when the model speaks.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { full } from "../full.ts";
import { scratch } from "../scratch.ts";
import { terminal } from "../terminal.ts";

/** A model that says what it is told to, when it is; after its first reply it has no more to say. */
function fed() {
  const encoder = new TextEncoder();
  const asked = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  const line = (delta: object, finish?: string) =>
    encoder.encode(
      `data: ${JSON.stringify({ id: "r", choices: [{ index: 0, delta, ...(finish ? { finish_reason: finish } : {}) }] })}\n\n`,
    );
  const headers = { "content-type": "text/event-stream" };
  let count = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch(request) {
      if (request.method !== "POST") return new Response("{}", { status: 404 });
      if (count++ > 0) return new Response(line({ content: "It is written." }, "stop"), { headers });
      return new Response(new ReadableStream({ start: (controller) => asked.resolve(controller) }), { headers });
    },
  });
  const say = async (delta: object, finish?: string) => (await asked.promise).enqueue(line(delta, finish));
  return {
    env: { OPENAI_BASE_URL: `http://127.0.0.1:${server.port}/v1`, OPENAI_API_KEY: "key-for-tests" },
    argv: ["--yolo", "--model", "openai/gpt-5.5"],
    say,
    think: (words: string) => say({ reasoning_content: words }),
    write: (args: string, more: object = {}) =>
      say({ tool_calls: [{ index: 0, ...more, function: { arguments: args, ...more } }] }),
    async end() {
      await say({}, "tool_calls");
      (await asked.promise).close();
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}
type Fed = ReturnType<typeof fed>;

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `line ${from + at}\\n`).join("");

/** A thought, of a length that is worth a word where one is given, then half of a file. */
async function half(model: Fed, thinkMs = 0): Promise<void> {
  await model.think("First I look at it.\n");
  if (thinkMs > 0) await Bun.sleep(thinkMs);
  await model.think("Then I write it.");
  await model.write('{"path":"src/long', { id: "c", name: "write" });
  await model.write(`.txt","content":"${lines(0, 40)}`);
}
async function rest(model: Fed): Promise<void> {
  await model.write(`${lines(40, 60)}"}`);
  await model.end();
}

test("a long file is seen while it arrives, and a thought is one row as soon as a call begins", async () => {
  using dir = scratch();
  using model = fed();
  const at = full(dir, model.argv, { env: model.env });
  await at.idle();
  at.type("write it\r");
  await half(model, 1100);
  await at.sees("writing src/long.txt");
  await at.sees("line 39");
  expect(at.grid()).toMatch(/thought for \d+\.\d s: First I look at it\. \(1 more line\)/);
  expect(at.grid()).toContain("write src/long.txt");
  expect(at.grid()).toContain("35 lines before");
  await rest(model);
  await at.sees("It is written.");
  await at.idle();
  expect(readFileSync(dir.at("work/src/long.txt"), "utf8").split("\n")).toHaveLength(61);
  // The row is the same when painted again.
  at.resize(70, 30);
  await at.sees(`${"─".repeat(70)}\n❯`);
  expect(at.tape().match(/thought for \d+\.\d s: First/g)).toHaveLength(1);
  expect(await at.leave()).toBe(0);
});

test("with --line a sign says what is written and how far it is, and goes again", async () => {
  using dir = scratch();
  using model = fed();
  const at = terminal(dir, model.argv, model.env);
  await at.waits();
  at.type("write it\r");
  await half(model);
  await at.sees(/35 lines before[\s\S]*writing src\/long\.txt/);
  await rest(model);
  await at.sees("It is written.");
  await at.waits();
  expect(at.tape()).not.toContain("writing src/long.txt");
  at.type("/quit\r");
  expect(await at.child.exited).toBe(0);
});

test("who listens hears once what is written, before it is", async () => {
  using dir = scratch();
  using model = fed();
  const at = full(dir, [...model.argv, "--screen-reader"], { env: model.env });
  await at.sees(">");
  at.type("write it\r");
  await half(model);
  await at.wrote("writing src/long.txt");
  await rest(model);
  await at.wrote("It is written.");
  expect(at.tape().match(/writing src\/long\.txt/g)).toHaveLength(1);
  expect(at.tape()).toContain("thought: First I look at it.");
  await at.leave();
});

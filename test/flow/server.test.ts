// A whole conversation with a server on loopback that speaks Chat Completions, and what pith says when it misbehaves.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { until } from "../../packages/kit/src/test/index.ts";
import { envOf, main, pith } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

interface Asked {
  messages: {
    role: string;
    content: unknown;
    tool_calls?: { id: string; function: { name: string; arguments: string } }[];
    tool_call_id?: string;
  }[];
  tools: { function: { name: string } }[];
}
type Answer = (asked: Asked, step: number) => Response;

/** A server for one test; it refuses histories in which a call has no result, as real ones do. */
function serve(answer: Answer) {
  const asked: Asked[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      // The list of models is requested when the model is unknown.
      if (request.method === "GET") return Response.json({ data: [{ id: "loca1" }, { id: "other" }] });
      const body = (await request.json()) as Asked;
      const calls = body.messages.flatMap((message) => message.tool_calls ?? []).map((call) => call.id);
      const results = body.messages.flatMap((message) => message.tool_call_id ?? []);
      if (JSON.stringify(calls) !== JSON.stringify(results))
        return Response.json({ error: { message: "calls and results do not match" } }, { status: 400 });
      asked.push(body);
      return answer(body, asked.length);
    },
  });
  return {
    asked,
    env: { OPENAI_BASE_URL: `http://127.0.0.1:${server.port}/v1`, OPENAI_API_KEY: "sk-secret-of-the-test" },
    [Symbol.dispose]: () => void server.stop(true),
  };
}

const sse = (...chunks: unknown[]) =>
  new Response(
    chunks.map((chunk) => `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`).join(""),
    {
      headers: { "content-type": "text/event-stream" },
    },
  );
const delta = (content: object, finish: string | null = null) => ({
  id: "r",
  choices: [{ index: 0, delta: content, finish_reason: finish }],
});
const says = (text: string) => sse(delta({ role: "assistant", content: text }), delta({}, "stop"), "[DONE]");
const calls = (...list: [name: string, input: unknown][]) =>
  sse(
    ...list.map(([name, input], index) =>
      delta({
        tool_calls: [
          {
            index,
            id: `call_${Math.random()}`,
            function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input) },
          },
        ],
      }),
    ),
    delta({}, "tool_calls"),
    "[DONE]",
  );

const model = ["--model", "openai/local"];
const journal = (dir: Scratch) => {
  const base = dir.at("home", ".pith", "sessions");
  const [file = ""] = readdirSync(base, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".jsonl"),
  );
  return readFileSync(`${base}/${file}`, "utf8");
};

test("ten tool calls in eight steps change the project, and the server sees every result", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "one\ntwo\n" });
  const script: Answer[] = [
    () => calls(["read", { path: "a.txt" }], ["find", { paths: "*.txt" }], ["search", { pattern: "two" }]),
    () => calls(["write", { path: "b/c.txt", content: "new\n" }]),
    () => calls(["bash", { command: "cat b/c.txt a.txt" }]),
    () => calls(["write", { path: "a.txt", content: "three\n" }]),
    () => calls(["read", { path: "a.txt" }]),
    () => calls(["bash", { command: "ls missing" }]),
    () => calls(["nonsense", {}], ["read", { path: 7 }]),
    () => says("All done."),
  ];
  using server = serve((asked, step) => script[step - 1]?.(asked, step) ?? says("too far"));
  const ended = await pith(dir, ["-p", "go", "--yolo", ...model], { env: server.env });
  expect(ended).toMatchObject({ code: 0, out: "All done.\n" });
  expect(readFileSync(dir.at("work/a.txt"), "utf8")).toBe("three\n");
  const last = server.asked.at(-1)?.messages ?? [];
  const results = last.filter((message) => message.role === "tool").map((message) => String(message.content));
  expect(results.length).toBe(10);
  expect(results[0]).toContain("1:one\n2:two");
  expect(results[4]).toBe("new\none\ntwo");
  expect(results[7]).toContain("Command exited with code");
  expect(results[8]).toContain("Available: read, write, edit, bash");
  // Earlier messages are sent again byte for byte: the prefix that a server can cache.
  const [first, second] = server.asked.map((asked) => JSON.stringify(asked.messages));
  expect(second?.startsWith((first as string).slice(0, -1))).toBe(true);
  expect(journal(dir)).not.toContain("sk-secret");
});

test("arguments that are not JSON run nothing and can be repaired by the model", async () => {
  using dir = scratch();
  using server = serve((_, step) =>
    step === 1 ? calls(["write", '{"path": "half.txt", "content": "tru']) : says("I saw the error."),
  );
  const ended = await pith(dir, ["-p", "go", "--yolo", ...model], { env: server.env });
  expect(ended).toMatchObject({ code: 0, out: "I saw the error.\n" });
  expect(existsSync(dir.at("work/half.txt"))).toBe(false);
  expect(JSON.stringify(server.asked[1]?.messages.at(-1))).toContain("nothing was run");
});

const troubles: [what: string, answer: () => Response, said: RegExp][] = [
  [
    "a wrong key",
    () => Response.json({ error: { message: "bad key sk-secret-of-the-test" } }, { status: 401 }),
    /OPENAI_API_KEY/,
  ],
  [
    "an unknown model",
    () => Response.json({ error: { message: "no such model" } }, { status: 404 }),
    /"local"[\s\S]*\nThis server has loca1, other\.\n$/,
  ],
  [
    "a refused request",
    () => Response.json({ error: { message: "field x is odd" } }, { status: 400 }),
    /field x is odd/,
  ],
  ["an answer cut in the middle", () => sse(delta({ content: "half an ans" })), /middle/],
  [
    "an answer that is no protocol",
    () => new Response("<html>hi</html>", { headers: { "content-type": "text/html" } }),
    /OPENAI_BASE_URL/,
  ],
];
for (const [what, answer, said] of troubles)
  test(`${what} ends with exit code 1, says what to do, and keeps what was said`, async () => {
    using dir = scratch();
    using server = serve(answer);
    dir.write({ "home/.pith/config.yml": "retry.baseDelayMs: 5\n" });
    const ended = await pith(dir, ["-p", "remember me", ...model], { env: server.env });
    expect(ended.code).toBe(1);
    expect(ended.err).toMatch(said);
    expect(ended.err + ended.out).not.toContain("sk-secret");
    expect(journal(dir)).toContain("remember me");
  });

test("killed in the middle of a tool, pith goes on with -c and the server accepts the history", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "tmp/.keep": "", "home/.keep": "" });
  using server = serve((asked) =>
    asked.messages.at(-1)?.role === "user" && asked.messages.length === 2
      ? calls(["bash", { command: "touch began; sleep 60" }])
      : says("Going on."),
  );
  const child = Bun.spawn([process.execPath, main, "-p", "start", "--yolo", ...model], {
    cwd: dir.at("work"),
    env: envOf(dir, server.env),
    stdout: "ignore",
    stderr: "ignore",
  });
  await until(() => existsSync(dir.at("work/began")), "the command");
  child.kill("SIGKILL");
  await child.exited;
  const ended = await pith(dir, ["-c", "-p", "and then?", "--yolo", ...model], { env: server.env });
  expect(ended).toMatchObject({ code: 0, out: "Going on.\n" });
  expect(server.asked.at(-1)?.messages.map((message) => message.role)).toEqual([
    "system",
    "user",
    "assistant",
    "tool",
    "user",
  ]);
});

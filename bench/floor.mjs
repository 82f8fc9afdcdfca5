// Not an agent: the least a Bun process must do to be one. One streamed request, the answer printed as it arrives, the
// tool run, its result sent back, until no call comes. Everything pith costs beyond this is pith's.
// (`process.stdout` is not used: touching it alone costs a third of a start.)
if (process.argv[2] === "--version" || process.argv[2] === "--help") {
  await Bun.write(Bun.stdout, "floor\n");
  process.exit(0);
}

// The same for programs: every line comes back as it went.
if (process.argv[2] === "--echo") {
  const out = Bun.stdout.writer();
  const decoder = new TextDecoder();
  let rest = "";
  out.write('{"type":"ready"}\n');
  await out.flush();
  for await (const chunk of Bun.stdin.stream()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop();
    for (const line of lines) out.write(`${JSON.stringify(JSON.parse(line))}\n`);
    await out.flush();
  }
  process.exit(0);
}

// The same for a screen: raw mode, one frame, and with Enter a request whose tokens are written as they come.
if (process.argv[2] === "--tui") await (await import("./tui/floor-screen.mjs")).run();

const spec = (name, key) => ({
  type: "function",
  function: {
    name,
    description: name,
    parameters: { type: "object", properties: { [key]: { type: "string" } }, required: [key] },
  },
});
const tools = [spec("bash", "command"), spec("read", "path")];
const out = Bun.stdout.writer();
const messages = [{ role: "user", content: process.argv[2] }];

const run = {
  read: ({ path }) => Bun.file(path).text(),
  bash: async ({ command }) => {
    const child = Bun.spawn(["/bin/sh", "-c", command], { stderr: "pipe" });
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return `${out}${err}exit ${await child.exited}`;
  },
};

for (;;) {
  const { text, calls } = await ask();
  messages.push({ role: "assistant", content: text, ...(calls.length > 0 ? { tool_calls: calls } : {}) });
  if (calls.length === 0) break;
  for (const call of calls) {
    const content = await run[call.function.name](JSON.parse(call.function.arguments));
    messages.push({ role: "tool", tool_call_id: call.id, content });
  }
}
process.exit(0);

async function ask() {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "bench", stream: true, messages, tools }),
  });
  const decoder = new TextDecoder();
  const calls = [];
  let text = "";
  let rest = "";
  for await (const chunk of response.body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop();
    let fresh = "";
    for (const line of lines) {
      if (!line.startsWith("data: {")) continue;
      const delta = JSON.parse(line.slice(6)).choices[0]?.delta;
      if (delta?.content) fresh += delta.content;
      if (delta?.tool_calls) calls.push(...delta.tool_calls);
    }
    if (fresh) out.write(fresh);
    await out.flush();
    text += fresh;
  }
  return { text, calls };
}

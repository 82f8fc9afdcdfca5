// The least a Bun process must do to be a screen that talks to a model: raw mode, a frame, fetch, a write per token.
export async function run() {
  process.stdin.setRawMode(true);
  process.stdout.write("\x1b[?2004h❯ ");
  let line = "";
  for await (const typed of process.stdin) {
    const text = typed.toString();
    process.stdout.write(text);
    if (!text.includes("\r")) {
      line += text;
      continue;
    }
    await answer(line);
    process.stdout.write("\r\n❯ ");
    line = "";
  }
}

async function answer(content) {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "bench", stream: true, messages: [{ role: "user", content }] }),
  });
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop();
    for (const row of lines)
      if (row.startsWith("data: {")) process.stdout.write(JSON.parse(row.slice(6)).choices[0]?.delta?.content ?? "");
  }
}

// A failing view loses only its own rows: the conversation, other panes and input go on.
import { expect, test } from "bun:test";
import { appendFileSync, readFileSync } from "node:fs";
import { Glob } from "bun";
import { full } from "../full.ts";
import { pith, scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";

test("tasks of a stranger's record that are no tasks do not keep a session shut", async () => {
  using dir = scratch();
  const argv = scripted(dir, { text: "Hello there." }, { text: "Second." });
  await pith(dir, ["-p", "go", ...argv]);
  const [file = ""] = new Glob("home/.pith/sessions/**/*.jsonl").scanSync({ cwd: dir.path, absolute: true, dot: true });
  const { id: parentId } = JSON.parse(readFileSync(file, "utf8").trim().split("\n").at(-1) ?? "");
  const tasks = [null, 5, { content: 7, status: "pending" }, { content: "a real one", status: "pending" }];
  const phases = [null, { name: "Phase", tasks }, { name: 5, tasks: [] }];
  const entry = { type: "custom", customType: "pith.todo", id: "0badc0de", parentId, data: { phases } };
  appendFileSync(file, `${JSON.stringify({ ...entry, timestamp: new Date().toISOString() })}\n`);
  const at = full(dir, ["-c", ...argv]);
  await at.sees("a real one");
  at.type("on\r");
  await at.sees("Second.");
  await at.idle();
  expect(await at.leave()).toBe(0);
});

test("a panel that cannot be drawn, and events that are not what they say, leave all others alive", async () => {
  using dir = scratch();
  dir.write({ "home/.pith/.keep": "" });
  const header = {
    type: "session", version: 3, id: "0a1b2c3d", timestamp: "2026-01-01T00:00:00.000Z", cwd: dir.at("work"),
  }; // biome-ignore format: short
  const held = { model: { vendor: "faux", id: "m" }, effort: "off", approval: "ask", queue: {}, compaction: {} };
  const panels = {
    plan: { slot: "above", kind: "plan", data: null, text: "x" },
    btw: { slot: "above", kind: "btw", data: { question: "why?", answer: "Because it is blue." }, text: "x" },
    odd: { slot: "above", kind: "diff", data: { files: [null] }, text: "the odd one in words" },
  };
  const scene = {
    answer: { text: "", thinking: "" },
    calls: [],
    queue: [],
    questions: [],
    status: {},
    outputs: {},
    spent: { tokens: 0, cost: 0 },
    panels,
  };
  const hello = { hello: { header, held, entries: [], leaf: null, scene, commands: [], jobs: [] } };
  let tell = (_: object) => {};
  const body = () =>
    new ReadableStream({
      start(to) {
        tell = (told) => to.enqueue(new TextEncoder().encode(`${JSON.stringify(told)}\n`));
        tell(hello);
      },
    });
  using _server = Bun.serve({
    unix: dir.at("home/.pith/serve.sock"),
    fetch({ url, method }) {
      if (method === "POST") return Response.json({ value: null });
      const { pathname } = new URL(url);
      return pathname.endsWith("/mirror")
        ? new Response(body())
        : Response.json({ sessions: [{ sessionId: header.id, cwd: header.cwd }] });
    },
  });
  const at = full(dir, ["attach"]);
  await at.sees("Because it is blue.");
  expect(at.grid()).toContain("[not drawn:");
  expect(at.grid()).toContain("the odd one in words");
  tell({ event: { type: "progress" } });
  tell({ event: { type: "notice", notice: { level: "info", text: "still here" } } });
  await at.sees("still here");
  expect(at.tape()).toContain("Something cannot be shown");
  at.type("a draft");
  await at.sees("❯ a draft");
  expect(at.grid()).toContain("Because it is blue.");
  at.type("\x03");
  await at.gone("a draft");
  at.type("\x04");
  expect(await at.child.exited).toBe(0);
});

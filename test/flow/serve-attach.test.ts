// The full screen attached to a session in a server.
import { afterAll, expect, test } from "bun:test";
import { full } from "../full.ts";
import { scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { ended, serving } from "../serving.ts";

afterAll(ended);

test("/jobs of an attached face lists what runs in the server, as it writes, and cancels it", async () => {
  using dir = scratch();
  const command = "echo begun; while [ ! -e more ]; do sleep 0.05; done; echo later; sleep 60";
  const run = { calls: [{ tool: "bash", input: { command, async: true } }] };
  const server = await serving(dir, [
    "--approval",
    "yolo",
    ...scripted(dir, run, { text: "It runs." }, { text: "So." }),
  ]);
  const at = full(dir, ["attach"]);
  await at.idle();
  at.type("go\r");
  await at.sees("It runs.");
  await at.sees("1 job");
  at.type("/jobs\r");
  await at.sees("jobs: 1 of 1 job running");
  await at.sees("begun");
  dir.write({ "work/more": "" });
  await at.sees("later");
  at.type("\x1bc");
  await at.sees("bash-1: cancelled");
  await at.sees("jobs: 0 of 1 job running");
  at.type("\x1b");
  await at.gone("jobs: 0 of 1");
  await at.leave();
  // A later client finds it too.
  const late = full(dir, ["attach"]);
  await late.idle();
  late.type("/jobs\r");
  await late.sees("bash-1 cancelled");
  late.type("\x1b");
  await late.gone("bash-1 cancelled");
  await late.leave();
  expect(await server.stop()).toBe(0);
});

test("an attached interface shows what is read and changed, and says what it cannot show", async () => {
  using dir = scratch();
  dir.write({ "work/AGENTS.md": "Be short.\n" });
  const write = { calls: [{ tool: "write", input: { path: "new.txt", content: "brand new\n" } }] };
  const server = await serving(dir, ["--approval", "yolo", ...scripted(dir, write, { text: "Written." })]);
  const at = full(dir, ["attach"]);
  await at.sees("reads AGENTS.md");
  await at.idle();
  at.type("go\r");
  await at.sees("Written.");
  at.type("/diff\r");
  await at.sees("changes of the session: 1 hunk");
  at.type("\x1b");
  await at.gone("changes of the session");
  at.type("/debug raw-sse\r");
  await at.sees("only by the process that holds the session");
  await at.leave();
  expect(await server.stop()).toBe(0);
});

test("to attach without a name shows no session of another directory", async () => {
  using dir = scratch();
  dir.write({ "other/.keep": "" });
  const server = await serving(dir, scripted(dir, { text: "Said elsewhere." }));
  const open = { method: "POST", body: JSON.stringify({ cwd: dir.at("other") }) };
  const { sessionId } = await (await server.get("/v1/sessions", open)).json();
  const prompt = { method: "POST", body: JSON.stringify({ type: "prompt", message: "hello over there" }) };
  await server.get(`/v1/sessions/${sessionId}/rpc`, prompt);
  const at = full(dir, ["attach"]);
  await at.idle();
  expect(at.tape()).not.toContain("over there");
  await at.leave();
  const { sessions } = await (await server.get("/v1/sessions")).json();
  expect(sessions.map(({ cwd }: { cwd: string }) => cwd)).toEqual([dir.at("other"), dir.at("work")]);
  expect(await server.stop()).toBe(0);
});

test("a server of another kind is told to be one, and the terminal is left as it was", async () => {
  using dir = scratch();
  dir.write({ "home/.pith/.keep": "" });
  const said = [{ hello: { header: { id: "a", cwd: dir.at("work") }, entries: [] } }, "{half", { event: {} }, null];
  for (const [index, first] of said.entries()) {
    using _ = Bun.serve({
      unix: dir.at("home/.pith/serve.sock"),
      fetch: ({ url }) =>
        url.endsWith("/mirror")
          ? new Response(`${typeof first === "string" ? first : JSON.stringify(first)}\n`)
          : Response.json({ sessions: [{ sessionId: "a", cwd: dir.at("work") }] }),
    });
    const at = full(dir, ["attach"]);
    expect(await at.child.exited).toBe(2);
    const words = ["another pith than this one", "does not speak", "said nothing", "said nothing"];
    expect(at.tape().replaceAll("\n", " ")).toContain(words[index] ?? "");
    expect(at.tape()).not.toContain("internal");
  }
});

test("two faces of one session go on together through a summary and a handoff, whoever asked for it", async () => {
  using dir = scratch();
  const slow = (text: string) => ({ text, delayMs: 700 });
  const script = {
    turns: [
      { when: { user: "over the top" }, text: "Over." },
      { when: { user: "in a new one" }, text: "New." },
      { when: { user: "and on" }, text: "On." },
      { text: `One. ${"It is long. ".repeat(400)}One.` },
    ],
    after: "repeat-last",
    side: { summary: slow("## Current state\nCounting herons."), handoff: slow("## Goal\nCount owls.") },
  };
  dir.write({ "script.json": JSON.stringify(script) });
  const server = await serving(dir, ["--model", dir.at("script.json")]);
  const one = full(dir, ["attach"]);
  await one.idle();
  one.type(`first words ${"and more of them ".repeat(40)}\r`);
  await one.sees("One.");
  const other = full(dir, ["attach"]);
  await other.sees("One.");
  one.type("and on\r");
  await other.sees("On.");
  await one.idle();
  one.type("/compact\r");
  await other.wrote("making room");
  other.type("over the top\r");
  for (const face of [one, other]) {
    await face.sees("Counting herons.");
    await face.sees("Over.");
  }
  other.type("/handoff\r");
  for (const face of [one, other]) await face.sees("note: ## Goal");
  one.type("in a new one\r");
  for (const face of [one, other]) await face.sees("New.");
  await one.leave();
  await other.leave();
  expect(await server.stop()).toBe(0);
}, 30_000);

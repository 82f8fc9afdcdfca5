// Commands run in the editor's own terminal, where the user wants that.
import { expect, test } from "bun:test";
import { methods, openEditor, Terminals } from "../../packages/cli/src/test/editor.ts";
import { until } from "../../packages/kit/src/test/index.ts";
import { envOf, program, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const { session } = methods.agent;
const wanted = "acp.terminal: client\n";
const bash = (command: string, more = {}) => ({ calls: [{ tool: "bash", input: { command, ...more } }] });

interface Talk {
  config?: Readonly<Record<string, string>>;
  approval?: string;
  permit?: () => string;
}

async function talk(dir: Scratch, script: readonly object[], { config, approval = "yolo", permit }: Talk = {}) {
  dir.write({ "work/.keep": "", "tmp/.keep": "", ...(config ?? { "home/.pith/config.yml": wanted }) });
  const terminals = new Terminals();
  const one = await openEditor({
    command: [...program, "acp", ...scripted(dir, ...script, { text: "Done." }), "--approval", approval],
    cwd: dir.at("work"),
    env: envOf(dir, { ANTHROPIC_API_KEY: "sk-ant-0123456789abcdef" }),
    terminals,
    permit,
    capabilities: { session: { notices: {} } },
  });
  const { sessionId } = await one.agent.request(session.new, { cwd: dir.at("work"), mcpServers: [] });
  const answer = one.agent.request(session.prompt, { sessionId, prompt: [{ type: "text", text: "go" }] });
  return { ...one, terminals, sessionId, answer };
}

const said = (updates: unknown): string => JSON.stringify(updates);

test("a command runs in the client's terminal, is shown there, and its end reaches the model", async () => {
  using dir = scratch();
  const one = await talk(dir, [bash('echo "key:$ANTHROPIC_API_KEY:" > key.txt; echo hello; exit 3')]);
  expect(await one.answer).toEqual({ stopReason: "end_turn" });
  expect(one.terminals.calls).toEqual([expect.stringContaining("create bash -c"), "release"]);
  const shown = one.updates.filter((update) => "content" in update && Array.isArray(update.content));
  const content = [{ type: "terminal", terminalId: "t1" }];
  expect(shown).toMatchObject([
    { status: "in_progress", content },
    { status: "failed", content },
  ]);
  expect(said(one.updates)).toContain("hello\\n\\nCommand exited with code 3");
  expect(await Bun.file(dir.at("work/key.txt")).text()).toBe("key::\n");
  // Its changes can be undone.
  const { sessionId } = one;
  await one.agent.request(session.prompt, { sessionId, prompt: [{ type: "text", text: "/undo" }] });
  expect(await Bun.file(dir.at("work/key.txt")).exists()).toBe(false);
  expect((await one.close()).code).toBe(0);
});

test("in the client's terminal nothing runs that was not allowed", async () => {
  using dir = scratch();
  const one = await talk(dir, [bash("touch no.txt")], { approval: "ask", permit: () => "no" });
  await one.answer;
  expect([one.asked.length, one.terminals.calls]).toEqual([1, []]);
  await one.close();
});

test("a time limit, a cancel and a client that leaves end a command in its terminal and give that back", async () => {
  using dir = scratch();
  const late = await talk(dir, [bash("echo begun; sleep 600", { timeout: 1 })]);
  expect(await late.answer).toEqual({ stopReason: "end_turn" });
  expect(late.terminals.calls.slice(1)).toEqual(["kill", "release"]);
  expect(said(late.updates)).toContain("begun\\n\\nCommand timed out after 1 seconds");
  await late.close();
  const one = await talk(dir, [bash("sleep 600")]);
  await until(() => one.terminals.calls.length > 0, "the command runs");
  await one.agent.notify(session.cancel, { sessionId: one.sessionId });
  expect(await one.answer).toEqual({ stopReason: "cancelled" });
  await until(() => one.terminals.calls.includes("release"), "the terminal was given back");
  expect(one.terminals.calls.slice(1)).toEqual(["kill", "release"]);
  await one.close();
  const gone = await talk(dir, [bash("sleep 600")]);
  // Who leaves hears no answer.
  gone.answer.catch(() => {});
  await until(() => gone.terminals.calls.length > 0, "the command runs");
  expect((await gone.close()).code).toBe(0);
});

test("no project hands commands to a terminal, and a sandbox that was asked for stays", async () => {
  using dir = scratch();
  const own = await talk(dir, [bash("echo own")], { config: { "work/.pith/config.yml": wanted } });
  await own.answer;
  expect(own.terminals.calls).toEqual([]);
  await own.close();
  const walled = await talk(dir, [bash("echo own")], {
    config: { "home/.pith/config.yml": `${wanted}sandbox.mode: workspace\n` },
  });
  await walled.answer;
  expect(walled.terminals.calls).toEqual([]);
  expect(said(walled.updates)).toContain("acp.terminal: client has no effect here");
  await walled.close();
});

import { afterAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { until } from "../../packages/kit/src/test/index.ts";
import { binary, needBinary, needPeer } from "../need.ts";
import { envOf, scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";

// pi's own client, which is not part of the project: .ci/peers tells which and how to have it here.
const folder = needPeer("PITH_PEER_PI");
const run = folder === undefined || needBinary() !== undefined ? test.skip : test;
const dir = scratch(afterAll);

// biome-ignore lint/suspicious/noExplicitAny: a class of another package, without its types
type Client = any;

run(
  "pi's own client works with every one of its methods",
  async () => {
    const { RpcClient } = await import(pathToFileURL(join(folder ?? "", "dist/modes/rpc/rpc-client.js")).href);
    const slow = { calls: [{ tool: "bash", input: { command: "sleep 1" } }] };
    const model = scripted(dir, { text: "One." }, slow, { text: "Two." }, { text: "Three." }, slow, { text: "Four." });
    // The client starts a script with node; this one becomes pith.
    dir.write({
      "work/.keep": "",
      "cli.mjs": `import { spawn } from "node:child_process";
const child = spawn(${JSON.stringify(binary)}, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));`,
    });
    const client: Client = new RpcClient({
      cliPath: dir.at("cli.mjs"),
      cwd: dir.at("work"),
      env: { ...envOf(dir), PITH_HOME: dir.at("home") },
      args: [...model, "--yolo"],
    });
    await client.start();
    try {
      await methods(client);
    } finally {
      await client.stop();
    }
    // Fails when a method is added to the client and not tested here.
    const own = Object.getOwnPropertyNames(RpcClient.prototype);
    expect(own.filter((name) => !used.has(name))).toEqual([]);
  },
  60_000,
);

const omp = needPeer("PITH_PEER_OMP");
const runOmp = omp === undefined || needBinary() !== undefined ? test.skip : test;

runOmp(
  "omp's own client holds a conversation, and pith calls the tools that it brings",
  async () => {
    using here = scratch();
    const { RpcClient } = await import(pathToFileURL(join(omp ?? "", "src/modes/rpc/rpc-client.ts")).href);
    here.write({ "work/.keep": "" });
    const lights = { calls: [{ tool: "lights", input: { on: true } }] };
    const model = scripted(here, { text: "One." }, lights, { text: "{{result}}" });
    const client: Client = new RpcClient({
      command: [binary],
      cwd: here.at("work"),
      env: { ...envOf(here), PITH_HOME: here.at("home") },
      args: [...model, "--yolo"],
    });
    await client.start();
    try {
      const tool = {
        name: "lights",
        label: "Lights",
        description: "Switches the lights.",
        parameters: { type: "object", properties: { on: { type: "boolean" } } },
        readsSkillUris: true,
        execute: async (args: unknown) => ({ content: [{ type: "text", text: `switched ${JSON.stringify(args)}` }] }),
      };
      expect(await client.setCustomTools([tool])).toEqual(["lights"]);
      const events = await client.promptAndWait("hi");
      expect(events.at(-1)).toMatchObject({ type: "agent_end" });
      await client.promptAndWait("light");
      expect(await client.getLastAssistantText()).toContain('switched {"on":true}');
      expect((await client.getBranchMessages()).map(({ text }: { text: string }) => text)).toEqual(["hi", "light"]);
      await client.abortRetry();
    } finally {
      await client.stop();
    }
  },
  60_000,
);

const used = new Set([
  ...[
    "constructor",
    "start",
    "stop",
    "handleLine",
    "createProcessExitError",
    "rejectPendingRequests",
    "send",
    "getData",
  ],
]);

async function methods(pi: Client): Promise<void> {
  const client: Client = new Proxy(pi, {
    get(target, name) {
      used.add(String(name));
      const value = target[name];
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const events = await client.promptAndWait("hi");
  expect(events.map(({ type }: { type: string }) => type)).toContain("agent_end");
  expect(await client.getLastAssistantText()).toBe("One.");

  const first = await client.getState();
  expect(first).toMatchObject({ isStreaming: false, messageCount: 2, steeringMode: expect.any(String) });
  await client.setSteeringMode("all");
  await client.setFollowUpMode("all");
  expect(await client.getState()).toMatchObject({ steeringMode: "all", followUpMode: "all" });

  const collected = client.collectEvents();
  await client.prompt("work");
  await client.steer("also this");
  await client.followUp("and then that");
  expect(await client.clearQueue()).toEqual({ steering: ["also this"], followUp: ["and then that"] });
  await client.abort();
  expect((await collected).length).toBeGreaterThan(3);
  const idle = client.waitForIdle();
  await client.prompt("go on");
  await idle;

  expect(await client.getAvailableModels()).toMatchObject([{ provider: "faux", contextWindow: expect.any(Number) }]);
  expect(await client.cycleModel()).toBeNull();
  const { provider, id } = first.model;
  expect(await client.setModel(provider, id)).toMatchObject({ provider, id });
  await expect(client.setModel("nobody", "nothing")).rejects.toThrow();
  expect(await client.getAvailableThinkingLevels()).toContain("high");
  await client.setThinkingLevel("high");
  expect(await client.getState()).toMatchObject({ thinkingLevel: "high" });
  expect(await client.cycleThinkingLevel()).toEqual({ level: expect.any(String) });
  await client.setAutoRetry(false);
  await client.setAutoCompaction(false);
  await client.abortRetry();
  // There is nothing to make shorter yet.
  await client.compact("in short").catch(() => {});

  expect(await client.bash("echo out; exit 3")).toMatchObject({ output: "out\n", exitCode: 3, cancelled: false });
  const sleeping = client.bash("touch begun; exec sleep 60");
  await until(() => existsSync(dir.at("work/begun")), "the command");
  await client.abortBash();
  expect(await sleeping).toMatchObject({ cancelled: true });

  expect(await client.getSessionStats()).toMatchObject({ userMessages: expect.any(Number), cost: 0 });
  const { path } = await client.exportHtml(dir.at("page.html"));
  expect(existsSync(path)).toBe(true);
  await client.setSessionName("my work");
  expect(await client.getState()).toMatchObject({ sessionName: "my work" });
  expect((await client.getCommands()).length).toBeGreaterThan(5);
  expect((await client.getMessages()).length).toBeGreaterThan(2);
  const { entries, leafId } = await client.getEntries();
  expect((await client.getEntries(entries[0].id)).entries.length).toBe(entries.length - 1);
  expect(await client.getTree()).toMatchObject({ leafId, tree: [{ entry: { id: entries[0].id } }] });
  const [said] = await client.getForkMessages();
  expect(await client.clone()).toEqual({ cancelled: false });
  expect(await client.fork(said.entryId)).toEqual({ text: "hi", cancelled: false });
  expect(await client.newSession(first.sessionFile)).toEqual({ cancelled: false });
  expect(await client.switchSession(first.sessionFile)).toEqual({ cancelled: false });
  expect(await client.getState()).toMatchObject({ sessionFile: first.sessionFile });
  client.onEvent(() => {})();
  expect(client.getStderr()).toBe("");
}

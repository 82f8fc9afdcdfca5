// dist/sdk as a stranger has it: an empty project, the package, and the examples of docs/sdk.md; no source in reach.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { binary, needBinary, needPeer, root } from "../need.ts";
import { run, scratch } from "../scratch.ts";

// Each starts a runtime, some a build; on a busy machine that takes its time.
setDefaultTimeout(60_000);
const dir = scratch(afterAll);
const sdk = join(root, "dist", "sdk");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const page = readFileSync(join(root, "docs", "sdk.md"), "utf8");
const examples = [...page.matchAll(/```ts\n\/\/ ([\w-]+\.ts)\n(.*?)```\n\n```text\n(.*?)```/gs)].map(
  ([, name = "", code = "", said = ""]) => ({ name, code, said }),
);
const node = needPeer("PITH_PEER_NODE");
const runtimes = [
  ["bun", process.execPath],
  ["node", node && join(node, "bin", "node")],
] as const;
const env = { HOME: dir.at("home"), PATH: process.env.PATH ?? "", PITH: binary };

beforeAll(async () => {
  if (!existsSync(join(sdk, "package.json")))
    await run([process.execPath, join(root, "scripts/gen/sdk.ts")], { cwd: root, env: { PATH: env.PATH } });
  cpSync(sdk, dir.at("app/node_modules/pith"), { recursive: true });
  const { dependencies, optionalDependencies } = manifest;
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) place(name);
  dir.write({
    "home/.keep": "",
    "app/package.json": '{ "type": "module" }',
    "app/tsconfig.json": JSON.stringify({
      compilerOptions: { ...strict, target: "es2024", module: "nodenext", types: [], noEmit: true },
    }),
    ...Object.fromEntries(examples.map(({ name, code }) => [`app/${name}`, code])),
    "app/doors.ts": doors,
    "app/formats.ts": formats,
    "app/limits.ts": limits,
    "app/asks.ts": asks,
  });
});

const strict = { strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
const doors = `
import { main } from "pith/cli";
import { type WireEvent, wireVersion } from "pith/rpc";
const told: WireEvent["type"] = "agent_start";
console.log(typeof main, wireVersion, told);
try {
  await main(["--version"]);
} catch (thrown) {
  console.log((thrown as Error).message);
}
`;

/** Program that reads settings in the formats of other agents, and files that Bun reads by itself. */
const formats = `
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadScript, openCoder, openSettings, openToolbox } from "pith";
const dir = mkdtempSync(join(tmpdir(), "formats-"));
const write = (name: string, text: string | Uint8Array) => {
  mkdirSync(dirname(join(dir, name)), { recursive: true });
  writeFileSync(join(dir, name), text);
};
write("home/config.yml", "bash:\\n  timeout: 77\\n");
write("user/.codex/config.toml", 'model_reasoning_effort = "high"\\n[mcp_servers.docs]\\ncommand = "serve"\\n');
write("work/.vscode/mcp.json", '{ // a comment\\n "servers": { "near": { "command": "x", }, }, }\\n');
write("work/.github/deep/w.yml", "a: 1\\n");
write("work/script.yml", "turns:\\n  - text: from YAML\\n");
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==" +
  "";
write("work/a.png", Buffer.from(png, "base64"));
write("work/a.rtf", "{\\\\rtf1 hello}");
const place = { cwd: join(dir, "work"), home: join(dir, "home"), userHome: join(dir, "user") };
const settings = await openSettings(place);
if (!settings.ok) throw new Error(settings.message);
console.log("yaml", settings.value.get("bash.timeout"));
write("broken/config.yml", "a: 1\\nbash: [\\n");
write("broken/models.yml", "providers: {\\n");
write("odd/.pith/config.yml", "bash: [\\n");
write("odd/.codex/config.toml", "[mcp_servers.x\\n");
const broken = await openSettings({ ...place, home: join(dir, "broken") });
console.log("broken", broken.ok, !broken.ok && /config\\.yml:\\d+: /.test(broken.message));
const odd = await openSettings({ ...place, cwd: join(dir, "odd") });
console.log("odd", odd.ok && odd.value.warnings.length);
const script = await loadScript(join(dir, "work/script.yml"));
console.log("script", script.ok && JSON.stringify(script.value.turns));
const opened = await openCoder({ ...place, settings: settings.value, model: "faux/" + join(dir, "work/script.yml") });
if (!opened.ok) throw new Error(opened.message);
const sources = opened.value.commands.read("/sources mcp");
const told = sources.is === "command" ? await opened.value.perform(sources) : undefined;
console.log("toml", JSON.stringify(told).includes("docs"), "jsonc", JSON.stringify(told).includes("near"));
await opened.value.close();
await using box = openToolbox(place);
const found = await box.run("find", { paths: ["**/*.{yml,md}"] }, new AbortController().signal);
console.log("found", JSON.stringify(found.content).includes("w.yml"), JSON.stringify(found.content).includes("a.rtf"));
for (const path of ["a.png", "a.rtf"]) {
  const { content, isError } = await box.run("read", { path }, new AbortController().signal);
  console.log(path, isError, content.map((part) => (part.type === "text" ? part.text : part.type)).join(" "));
}
`;
/** Fifteen agents at once, behind the wall where there is one; one of them is stopped. */
const limits = `
import { fauxModel, fauxStream, openCoder, type Script } from "pith";
const open = async (command: string) => {
  const script: Script = { turns: [{ calls: [{ tool: "bash", input: { command } }] }, { text: "Done." }] };
  const model = { ...fauxModel("x", script), stream: fauxStream(script) };
  const opened = await openCoder({ model, approval: "yolo" });
  if (!opened.ok) throw new Error(opened.message);
  return opened.value;
};
const agents = await Promise.all(Array.from({ length: 15 }, (_, at) => open("echo " + at + " | tee mine; sleep 0.1")));
await Promise.all(agents.map((agent) => agent.send({ text: "go" })));
const said = agents.map((agent) =>
  agent.path().flatMap((entry) => {
    const result = entry.type === "message" && entry.message.role === "toolResult" ? entry.message : undefined;
    return result?.content ?? [];
  }),
);
console.log(said.every(([part], at) => part?.type === "text" && part.text.trim() === String(at)));
const slow = await open("sleep 60");
const over = slow.send({ text: "go" });
slow.subscribe((event) => void (event.type === "call" && slow.interrupt("enough")));
await over;
console.log("stopped");
await Promise.all([slow, ...agents].map((agent) => agent.close()));
`;

/** A model that a server has. */
const asks = `
import { openCoder } from "pith";
const env = { OPENAI_BASE_URL: process.env.SERVER ?? "", OPENAI_API_KEY: "any" };
const opened = await openCoder({ model: "openai/any", env });
if (!opened.ok) throw new Error(opened.message);
await opened.value.send({ text: "go" });
console.log(opened.value.messageCount());
await opened.value.close();
`;

/** A dependency as an install would bring it. */
function place(name: string): void {
  const from = [root, join(root, "packages/host"), join(root, "packages/coder")]
    .map((each) => join(each, "node_modules", name))
    .find((each) => existsSync(each));
  if (from === undefined) return;
  const to = dir.at("app/node_modules", name);
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(from, to);
}

test("a strict project compiles against the types, without skipLibCheck and with no types but ours", async () => {
  const tsc = [process.execPath, join(root, "node_modules/typescript/bin/tsc"), "-p", dir.at("app")];
  expect(await run(tsc, { cwd: dir.at("app"), env })).toMatchObject({ code: 0, out: "" });
});

for (const [runtime, program = ""] of runtimes) {
  const each = test.skipIf(program === "");
  each.each(examples.filter(({ code }) => !code.includes("RpcClient") || !needBinary()))(
    `the example $name does on ${runtime} what the page says`,
    async ({ name, said }) => {
      const before = readdirSync(dir.at("app")).sort();
      const { code, out, err } = await run([program, name], { cwd: dir.at("app"), env });
      expect({ code, out: plain(out), err: noise(err) }).toEqual({ code: 0, out: said, err: "" });
      expect(readdirSync(dir.at("app")).sort()).toEqual(before);
    },
  );

  each(`settings, scripts and relatives' files are read on ${runtime}, and what needs Bun says so`, async () => {
    const { code, out, err } = await run([program, "formats.ts"], { cwd: dir.at("app"), env });
    expect({ code, err: noise(err) }).toEqual({ code: 0, err: "" });
    expect(out).toContain(
      'yaml 77\nbroken false true\nodd 1\nscript [{"text":"from YAML"}]\ntoml true jsonc true\nfound true false\n',
    );
    if (runtime === "bun") expect(out).toMatch(/^a\.png false .*image\na\.rtf false .*\n1:hello/m);
    else expect(out.match(/needs Bun, and this program runs on Node/g)).toHaveLength(2);
  });

  each(`many agents at once work on ${runtime}, without a word from the runtime`, async () => {
    const { code, out, err } = await run([program, "limits.ts"], { cwd: dir.at("app"), env });
    expect({ code, out, err: noise(err) }).toEqual({ code: 0, out: "true\nstopped\n", err: "" });
  });

  each(`a program on ${runtime} that has asked a server ends with its last line`, async () => {
    const chunk = JSON.stringify({ choices: [{ delta: { content: "Hello." }, finish_reason: "stop" }] });
    const body = `data: ${chunk}\n\ndata: [DONE]\n\n`;
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
    });
    const asking = { ...env, SERVER: `http://127.0.0.1:${server.port}/v1` };
    const began = performance.now();
    const { code, out } = await run([program, "asks.ts"], { cwd: dir.at("app"), env: asking });
    expect({ code, out }).toEqual({ code: 0, out: "2\n" });
    // Somebody's patience with a silent server, which is two minutes, has nothing to wait for any more.
    expect(performance.now() - began).toBeLessThan(50_000);
  });

  each(`every door opens on ${runtime}`, async () => {
    const { out } = await run([program, "doors.ts"], { cwd: dir.at("app"), env });
    expect(out.split("\n")[0]).toBe("function 1 agent_start");
    expect(out).toContain(runtime === "bun" ? manifest.version : "pith runs on Bun");
  });
}

/** The two write objects with other quotes. */
const plain = (text: string) =>
  text.replace(
    /\{ type: 'text', text: '(.*?)' \}|\{\s+type: "text",\s+text: "(.*?)",?\s+\}/g,
    (_, one, two) => `{ type: "text", text: "${one ?? two}" }`,
  );
/** Node tells that its database is young. */
const noise = (text: string) => text.replace(/^\(.*(?:ExperimentalWarning|--trace-warnings).*\n/gm, "");

test("the page shows at least one program of every kind, and the package holds no source of ours", () => {
  expect(examples.length).toBeGreaterThanOrEqual(7);
  const files = readdirSync(sdk, { recursive: true, encoding: "utf8" });
  expect(files.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file))).toEqual([]);
  const code = files.filter((file) => file.endsWith(".js")).map((file) => readFileSync(join(sdk, file), "utf8"));
  expect(code.some((text) => text.includes(root))).toBe(false);
});

// Loaded modules of a run: nothing that its command does not use.
import { expect, test } from "bun:test";
import { readFileSync, statSync } from "node:fs";
import { binary, need, needBinary } from "../need.ts";
import { envOf, main } from "../pith.ts";
import { run, scratch } from "../scratch.ts";

async function loaded(argv: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  using dir = scratch();
  dir.write({
    "spy.ts":
      'process.on("exit", () => require("node:fs").writeFileSync(process.env.SPY_FILE, Object.keys(require.cache).join("\\n")));',
    "work/.keep": "",
    "tmp/.keep": "",
  });
  const ended = await run([process.execPath, "--preload", dir.at("spy.ts"), main, ...argv], {
    cwd: dir.at("work"),
    env: envOf(dir, { SPY_FILE: dir.at("modules"), ...env }),
  });
  expect(ended).toMatchObject({ code: 0 });
  const names = (await Bun.file(dir.at("modules")).text()).split("\n");
  return names.filter((name) => name.includes("/packages/") || name.includes("/node_modules/"));
}
const kilobytes = (names: readonly string[]) => names.reduce((sum, name) => sum + statSync(name).size, 0) / 1000;
const those = (names: string[], pattern: RegExp) => names.filter((name) => pattern.test(name));

test("--version loads the door and nothing else", async () => {
  expect((await loaded(["--version"])).map((name) => name.replace(/^.*\/packages\//, "")).sort()).toEqual([
    "cli/src/guard.ts",
    "cli/src/main.ts",
  ]);
});

test("--help loads the table of options and no package", async () => {
  expect(
    those(await loaded(["--help"]), /packages\/(?!cli)|node_modules|command\/(?!help\/(?:screen|topic)\.ts)/),
  ).toEqual([]);
});

test("a prompt loads no other face, view, help page, command, or YAML", async () => {
  const names = await loaded(["-p", "hi", "--model", "faux/echo"]);
  expect(those(names, /launch\.ts/)).toHaveLength(1);
  expect(
    those(
      names,
      /mode\/line|cli\/src\/(?:view|desk|export)|\/help\/(?!meant)|command\/(tool|config)|node_modules\/yaml|packages\/tui|prompt\/attach|wire\//,
    ),
  ).toEqual([]);
});

test("a prompt to one vendor loads its protocol, and nothing of others, stored keys, healing or commands", async () => {
  const answer = JSON.stringify({ choices: [{ delta: { content: "hi" }, finish_reason: "stop" }] });
  const body = `data: ${answer}\n\ndata: [DONE]\n\n`;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
  });
  try {
    const names = await loaded(["-p", "hi", "--model", "openai/some"], {
      OPENAI_BASE_URL: `http://127.0.0.1:${server.port}/v1`,
    });
    expect(those(names, /protocol\/openai-chat\/openai-chat\.ts/)).toHaveLength(1);
    const others =
      /protocol\/(?:anthropic|bedrock|google|ollama|openai-responses)\/|catalog\/data\/(?!openai|files\.gen)|catalog\/(?:custom|line|refresh)|llm\/src\/(?:heal\/|admin|survey|faux\/play)|vendor\/(?:aws\/|google|gitlab|local)|framing\/(?:event-stream|ndjson)|usage\/category|node_modules\/(?:zod|yaml)/;
    expect(those(names, others)).toEqual([]);
    // Load new code where it is used; raising these numbers makes every start slower.
    const own = those(names, /\/packages\//);
    // `node:crypto` takes milliseconds to load; `hasher` of the kit is available at once.
    expect(own.filter((name) => /^import (?!type ).*"node:crypto"/m.test(readFileSync(name, "utf8")))).toEqual([]);
    // Settings and kinds of each part are files of their own: many, but small. The size of all counts most.
    expect(own.length).toBeLessThanOrEqual(630);
    expect(kilobytes(own)).toBeLessThanOrEqual(1900);
  } finally {
    server.stop(true);
  }
});

const missing = need("strace") ?? needBinary();
test.skipIf(missing !== undefined)("a prompt looks at few paths of the project and of the home", async () => {
  using dir = scratch();
  dir.write({ "work/.git/HEAD": "ref: refs/heads/main\n", "home/.keep": "", "tmp/.keep": "" });
  const trace = ["strace", "-f", "-qq", "-e", "trace=%file", "-o", dir.at("looks")];
  const ended = await run([...trace, binary, "-p", "hi", "--model", "faux/echo"], {
    cwd: dir.at("work"),
    env: envOf(dir),
  });
  expect(ended).toMatchObject({ code: 0 });
  const looks = (await Bun.file(dir.at("looks")).text()).split("\n").filter((line) => line.includes(dir.path));
  expect(looks.length).toBeGreaterThan(20);
  expect(looks.length).toBeLessThanOrEqual(265);
});

// Telemetry of the program itself: the shipped file sends it, a project cannot ask for it, and off it loads nothing.
import { afterAll, expect, test } from "bun:test";
import { binary, needBinary } from "../need.ts";
import { envOf, pith, scripted } from "../pith.ts";
import { run, scratch } from "../scratch.ts";

const taken: { path: string; body: string }[] = [];
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    taken.push({ path: new URL(request.url).pathname, body: await request.text() });
    return Response.json({});
  },
});
afterAll(() => void server.stop(true));
const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.port}` };
const bash = { calls: [{ tool: "bash", input: { command: "echo unsaid" } }] };
const on = "telemetry:\n  enabled: true\n";

test.skipIf(needBinary() !== undefined)("dist/pith sends traces and metrics when the user wants it", async () => {
  using dir = scratch();
  dir.write({ "home/.pith/config.yml": on, "work/.keep": "", "tmp/.keep": "" });
  taken.length = 0;
  const argv = [binary, "-p", "go", ...scripted(dir, bash, { text: "Done." }), "--yolo"];
  expect(await run(argv, { cwd: dir.at("work"), env: envOf(dir, env) })).toMatchObject({ code: 0, out: "Done.\n" });
  expect(taken.map(({ path }) => path).sort()).toEqual(["/v1/metrics", "/v1/traces"]);
  const said = taken.map(({ body }) => body).join();
  for (const name of ["invoke_agent pith", "chat ", "execute_tool bash", "gen_ai.client.operation.duration"])
    expect(said).toContain(name);
  expect(said).not.toContain("unsaid");
});

test.skipIf(needBinary() !== undefined)("a collector that was killed costs a line in the log", async () => {
  using dir = scratch();
  dir.write({ "home/.pith/config.yml": on, "work/.keep": "", "tmp/.keep": "" });
  const gone = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const dead = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${gone.port}` };
  await gone.stop(true);
  const argv = [binary, "-p", "go", ...scripted(dir, { text: "Done." })];
  expect(await run(argv, { cwd: dir.at("work"), env: envOf(dir, dead) })).toMatchObject({
    code: 0,
    out: "Done.\n",
    err: "",
  });
  const log = await Bun.file(dir.at("home/.pith/logs/pith.log")).text();
  expect(log.match(/telemetry is not taken/g)).toHaveLength(1);
});

test("a project cannot switch it on, trusted or not, and off nothing of it is loaded", async () => {
  using dir = scratch();
  dir.write({ "work/.pith/config.yml": `${on}  content: true\n`, "home/.keep": "", "tmp/.keep": "" });
  taken.length = 0;
  for (const trust of [[], ["--trust"]]) {
    const argv = ["-p", "go", ...scripted(dir, { text: "Done." }), ...trust];
    const { code, err } = await pith(dir, argv, { env: { ...env, PITH_TIMING: "full" } });
    expect(code).toBe(0);
    expect(err).toContain("telemetry.enabled");
    expect(err).not.toMatch(/opentelemetry|telemetry\/export/);
  }
  expect(taken).toEqual([]);
}, 20_000);

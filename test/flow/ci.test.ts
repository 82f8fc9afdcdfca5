import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { need, root } from "../need.ts";
import { envOf, main, pith, scripted } from "../pith.ts";
import { run, type Scratch, scratch } from "../scratch.ts";

const schema = JSON.stringify({
  type: "object",
  properties: { ok: { type: "boolean" } },
  required: ["ok"],
  additionalProperties: false,
});
const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });
const receiptIn = (dir: Scratch) => JSON.parse(readFileSync(dir.at("work/receipt.json"), "utf8"));
const walled = test.skipIf(need("bwrap") !== undefined);

test("an answer that has to fit a schema is sent back until it does, and stdout is that JSON alone", async () => {
  using dir = scratch();
  dir.write({ "work/s.json": schema });
  const said = scripted(
    dir,
    { text: 'Sure! {"ok":true}' },
    { text: '{"ok":"yes"}' },
    { text: '```json\n{"ok":true}\n```' },
  );
  const { code, out, err } = await pith(dir, ["-p", "fine?", "--output-schema", "s.json", "--sandbox", "off", ...said]);
  expect({ code, out, err }).toEqual({ code: 0, out: '{"ok":true}\n', err: "" });
});

test("after the third answer that does not fit the run ends with 1, prints nothing and says why", async () => {
  using dir = scratch();
  dir.write({ "work/s.json": schema });
  const said = scripted(dir, { text: "no" }, { text: "[]" }, { text: '{"ok":1}' }, { text: '{"ok":true}' });
  const ended = await pith(dir, ["-p", "fine?", "--output-schema", "s.json", "--receipt", "receipt.json", ...said]);
  expect(ended).toMatchObject({ code: 1, out: "" });
  expect(ended.err).toContain("/ok must be boolean");
  expect(receiptIn(dir)).toMatchObject({ exitCode: 1, end: { reason: "done" }, calls: [] });
});

test("a schema that cannot be used, or options that do not go together, are told before anything runs", async () => {
  using dir = scratch();
  dir.write({
    "work/s.json": schema,
    "work/remote.json": '{"$ref":"https://example.com/s.json"}',
    "work/bad.json": "{",
  });
  const said = scripted(dir, { text: "never" });
  for (const argv of [
    ["-p", "x", "--output-schema", "none.json"],
    ["-p", "x", "--output-schema", "bad.json"],
    ["-p", "x", "--output-schema", "remote.json"],
    ["--ci", "x", "--yolo"],
    ["--mode", "rpc", "--receipt", "r.json"],
  ])
    expect([argv, await pith(dir, [...argv, ...said])]).toMatchObject([argv, { code: 2, out: "" }]);
});

test.skipIf(process.platform !== "linux")(
  "--ci without a sandbox that works runs nothing, unless that was asked for",
  async () => {
    using dir = scratch();
    const said = scripted(dir, bash("touch ran"), { text: "Done." });
    dir.write({ "bin/bwrap": "#!/bin/sh\necho it is broken >&2\nexit 1\n" });
    chmodSync(dir.at("bin/bwrap"), 0o755);
    const env = { PATH: `${dir.at("bin")}:${process.env.PATH}` };
    const refused = await pith(dir, ["--ci", "go", ...said], { env });
    expect(refused).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("--ci needs a sandbox (it is broken)"),
    });
    expect(existsSync(dir.at("work/ran"))).toBe(false);
    expect((await pith(dir, ["--ci", "go", "--sandbox", "off", ...said], { env })).code).toBe(0);
    expect(existsSync(dir.at("work/ran"))).toBe(true);
  },
);

walled(
  "with --ci commands have neither keys nor network, and the receipt tells what was done",
  async () => {
    using dir = scratch();
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("reached") });
    const command = "bash ./try.sh";
    const said = scripted(dir, bash(command), { text: "Done." });
    dir.write({
      "home/.pith/config.yml": "env.pass: GITHUB_TOKEN\nsandbox.domains: 127.0.0.1\n",
      "work/try.sh": `echo key=$GITHUB_TOKEN > seen.txt
(exec 3<>/dev/tcp/127.0.0.1/${server.port}) 2>/dev/null && echo reached >> seen.txt
touch $HOME/out.txt 2>/dev/null
true`,
    });
    const env = { GITHUB_TOKEN: "ghp_abcdefghijklmnopqrstuvwxyz0123456789" };
    const { code, out } = await pith(dir, ["--ci", "go", "--receipt", "receipt.json", ...said], { env });
    expect([code, out]).toEqual([0, "Done.\n"]);
    expect(readFileSync(dir.at("work/seen.txt"), "utf8")).toBe("key=\n");
    expect(existsSync(dir.at("home/out.txt"))).toBe(false);
    expect(receiptIn(dir)).toMatchObject({
      exitCode: 0,
      calls: [{ tool: "bash", failed: false, intent: { effect: "exec", command } }],
      refusals: [],
      files: [{ path: expect.stringContaining("seen.txt"), change: "added" }],
      spent: { cost: 0 },
    });
  },
  30_000,
);

walled(
  "with --ci a run whose last call nobody could allow ends with 1; without, it ends as ever",
  async () => {
    using dir = scratch();
    const outside = { tool: "bash", input: { command: "true", needs: "outside", reason: "it needs the machine" } };
    const said = scripted(
      dir,
      { calls: [{ tool: "read", input: { path: "/etc/hostname" } }, outside] },
      { text: "I could not." },
    );

    const unwatched = await pith(dir, ["--ci", "go", ...said]);
    expect(unwatched).toMatchObject({ code: 1, out: "I could not.\n" });
    // A mode that --ci ignores is not suggested.
    expect(unwatched.err).not.toContain("yolo");
    expect(await pith(dir, ["-p", "go", "--approval", "auto", ...said])).toMatchObject({ code: 0 });
  },
  30_000,
);

walled(
  "the steps of the action in the documentation do what the page says",
  async () => {
    using dir = scratch();
    const page = readFileSync(join(root, "docs", "ci.md"), "utf8");
    const action = Bun.YAML.parse(/```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? "") as {
      runs: { steps: { run: string; env?: Record<string, string> }[] };
    };
    const [, model = ""] = scripted(dir, { text: '{"ok":true}' });
    const own = `#!/bin/sh\nexec ${process.execPath} ${main} "$@"\n`;
    dir.write({
      "work/s.json": schema,
      "tmp/.keep": "",
      "bin/npm": '#!/bin/sh\necho "$@" > "$RUNNER_TEMP/npm.txt"\n',
      "bin/pith": own,
    });
    for (const name of ["npm", "pith"]) chmodSync(dir.at(`bin/${name}`), 0o755);
    const inputs: Record<string, string> = {
      prompt: 'is "it" $(touch evil) ok?',
      model,
      schema: "s.json",
      package: "./$(touch evil).tgz",
    };
    const env = {
      ...envOf(dir),
      PATH: `${dir.at("bin")}:${process.env.PATH}`,
      RUNNER_TEMP: dir.at("tmp"),
      GITHUB_OUTPUT: dir.at("tmp/output.txt"),
      GITHUB_STEP_SUMMARY: dir.at("tmp/summary.md"),
    };
    for (const step of action.runs.steps) {
      const given = Object.entries(step.env ?? {}).map(([name, value]) => [
        name,
        value.replace(/^\$\{\{ inputs\.(\w+) \}\}$/, (_, input) => inputs[input] ?? ""),
      ]);
      const shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.run];
      const ended = await run(shell, { cwd: dir.at("work"), env: { ...env, ...Object.fromEntries(given) } });
      expect([step.run, ended]).toMatchObject([step.run, { code: 0 }]);
    }
    expect(readFileSync(dir.at("tmp/npm.txt"), "utf8")).toBe("install --global -- ./$(touch evil).tgz\n");
    expect(readFileSync(dir.at("tmp/output.txt"), "utf8")).toMatch(/^answer<<(answer-\S+)\n\{"ok":true\}\n\1\n$/);
    expect(readFileSync(dir.at("tmp/summary.md"), "utf8")).toContain('"exitCode": 0');
    expect(existsSync(dir.at("work/evil"))).toBe(false);
  },
  30_000,
);

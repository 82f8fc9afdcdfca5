// Bad ends of a run: limits, signals, wrong calls.
import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { until } from "../../packages/kit/src/test/index.ts";
import { envOf, main, pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const untouched = (dir: Scratch) => !existsSync(dir.at("home", ".pith"));

test("called wrongly, pith exits with 2, says what to do and leaves nothing behind", async () => {
  using dir = scratch();
  dir.write({ "bad.yml": "approval: { mode: maybe }\nmodel: 7\n", "broken.json": "{" });
  const cases: [string[], RegExp][] = [
    [["-p", "hi"], /no model is connected.*OPENAI_API_KEY/s],
    [["-p", "hi", "--modle", "x"], /unknown option --modle; did you mean --model\?/],
    [["-p", "hi", "--model", "nobody/x"], /nobody/],
    [["-p", "hi", "--model", "faux/tuor"], /tour/],
    [["-p", "hi", "--model", dir.at("gone.yml")], /gone\.yml/],
    [["-p", "hi", "--model", dir.at("broken.json")], /broken\.json/],
    [["-p", "@gone.md", "hi"], /@gone\.md: no such file/],
    [["-p"], /nothing to do/],
    [
      ["-p", "hi", "--config", dir.at("bad.yml")],
      /bad\.yml:1: approval\.mode: expected one of .*bad\.yml:2: model: expected text, found 7/s,
    ],
    [["-p", "hi", "--config", dir.at("gone.yml")], /gone\.yml: no such file/],
    [["-p", "hi", "-c", "--no-session"], /do not go together/],
    [["-p", "hi", "--yolo", "--approval", "ask"], /do not go together/],
    [["-p", "hi", "--max-time", "soon"], /expects a time/],
    [["-p", "hi", "--cwd", "gone"], /gone is not a directory/],
    [["-p", "hi", "--model", "faux/echo", "--tools", "bsh"], /did you mean bash\?/],
    [["-p", "hi", "-r", dir.at("gone.jsonl"), "--model", "faux/echo"], /gone\.jsonl/],
    [["help", "fax"], /Did you mean faux\?/],
    [["help", "me", "please"], /pith -- help me please/],
    [["config", "lst"], /did you mean list\?/],
    [["config", "get", "modle"], /did you mean model\?/],
  ];
  const ended = await Promise.all(cases.map(([argv]) => pith(dir, argv)));
  cases.forEach(([argv, message], i) => {
    expect({ argv, code: ended[i]?.code, out: ended[i]?.out }).toEqual({ argv, code: 2, out: "" });
    expect(ended[i]?.err).toMatch(message);
    expect(ended[i]?.err).toStartWith("pith: ");
  });
  expect(untouched(dir)).toBe(true);
});

test("--version, --help and help pages write nothing anywhere", async () => {
  using dir = scratch();
  for (const argv of [
    ["--version"],
    ["-v"],
    ["version"],
    ["--help"],
    ["-h"],
    ["help"],
    ["help", "models"],
    ["-p", "hi", "--help"],
  ]) {
    expect(await pith(dir, argv)).toMatchObject({ code: 0, err: "", out: expect.stringMatching(/./) });
  }
  expect(untouched(dir)).toBe(true);
});

test("a server that cannot be reached exits with 1, names it, and keeps what was said", async () => {
  using dir = scratch();
  const { code, out, err } = await pith(dir, ["-p", "hi", "--model", "openai/x"], {
    env: { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" },
  });
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("127.0.0.1:9");
  expect(readdirSync(dir.at("home", ".pith", "sessions"))).toHaveLength(1);
});

test("--max-turns reached exits with 1 and says so", async () => {
  using dir = scratch();
  const look = { calls: [{ tool: "read", input: { path: ".keep" } }] };
  const { code, out, err } = await pith(dir, ["-p", "go", "--max-turns", "2", ...scripted(dir, look, look, look)]);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("--max-turns");
});

test("--max-time reached exits with 1, says so and stops what runs", async () => {
  using dir = scratch();
  const model = scripted(dir, { calls: [{ tool: "bash", input: { command: "sleep 600" } }] });
  const { code, err } = await pith(dir, ["-p", "go", "--yolo", "--max-time", "0.5", ...model]);
  expect(code).toBe(1);
  expect(err).toContain("--max-time");
});

test("a signal ends the turn in order: exit code 130, every call answered, the stage removed", async () => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    using dir = scratch();
    const script = {
      project: { files: { "a.txt": "a" } },
      turns: [{ text: "So.", calls: [{ tool: "bash", input: { command: "sleep 60" } }] }],
    };
    dir.write({ "script.json": JSON.stringify(script), "work/.keep": "", "tmp/.keep": "" });
    const child = Bun.spawn(
      [process.execPath, main, "--mode", "json", "go", "--yolo", "--model", dir.at("script.json")],
      {
        cwd: dir.at("work"),
        env: envOf(dir),
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    let out = "";
    let sent = false;
    for await (const chunk of child.stdout) {
      out += Buffer.from(chunk).toString();
      if (sent || !out.includes('"tool_execution_start"')) continue;
      child.kill(signal);
      sent = true;
    }
    expect(await child.exited).toBe(130);
    const events = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.find(({ type }) => type === "tool_execution_end")).toMatchObject({ toolName: "bash" });
    expect(events.find(({ type }) => type === "agent_end")).toMatchObject({ end: { reason: "interrupted" } });
    expect(readdirSync(dir.at("tmp"))).toEqual([".keep"]);
  }
});

test("two signals end a run that does not want to end, and the stage goes too", async () => {
  using dir = scratch();
  const command = "trap '' TERM INT; touch started; sleep 60; sleep 60";
  const script = { project: { files: { "a.txt": "a" } }, turns: [{ calls: [{ tool: "bash", input: { command } }] }] };
  dir.write({ "script.json": JSON.stringify(script), "work/.keep": "", "tmp/.keep": "" });
  const child = Bun.spawn([process.execPath, main, "-p", "go", "--yolo", "--model", dir.at("script.json")], {
    cwd: dir.at("work"),
    env: envOf(dir),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const running = () => readdirSync(dir.at("tmp")).some((name) => existsSync(dir.at("tmp", name, "started")));
  await until(running, "the command");
  // Two that come at once are one to the system, so they are sent until it is gone.
  const again = setInterval(() => child.kill("SIGINT"), 50);
  expect(await child.exited).toBe(130);
  clearInterval(again);
  // An orderly end would have said so.
  expect(await new Response(child.stderr).text()).toBe("");
  expect(readdirSync(dir.at("tmp"))).toEqual([".keep"]);
});

test("under nohup a hang-up does not end the run", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "tmp/.keep": "" });
  const model = scripted(
    dir,
    { calls: [{ tool: "bash", input: { command: "touch started; sleep 0.5" } }] },
    { text: "Still here." },
  );
  const nohup = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", process.execPath, main, "-p", "go", "--yolo", ...model];
  const child = Bun.spawn(nohup, {
    cwd: dir.at("work"),
    env: envOf(dir),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  await until(() => existsSync(dir.at("work", "started")), "the command");
  child.kill("SIGHUP");
  expect(await new Response(child.stdout).text()).toBe("Still here.\n");
  expect(await child.exited).toBe(0);
});

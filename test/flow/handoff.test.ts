import { afterAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { allSessionFiles, fileStorage, Journal, readHeader } from "../../packages/agent/src/index.ts";
import { systemClock } from "../../packages/kit/src/index.ts";
import { envOf, main, pith } from "../pith.ts";
import { scratch } from "../scratch.ts";

const dir = scratch(afterAll);
const document = "## Goal\nCount the lines.";
const script = {
  turns: [{ calls: [{ tool: "bash", input: { command: "echo $KIND; export KIND=kept" } }] }, { text: "Counted." }],
  side: { handoff: { text: document, delayMs: 40 } },
};
dir.write({ "script.json": JSON.stringify(script) });
const argv = [
  "--model",
  dir.at("script.json"),
  "--approval",
  "yolo",
  "-p",
  "count",
  "--next",
  "/handoff",
  "--next",
  "on",
];
const sessions = () => allSessionFiles(dir.at("home/.pith/sessions"));

test("JSON mode prints a second header where the session is handed off, and goes on behind it", async () => {
  const { out: stdout, err: stderr, code: exitCode } = await pith(dir, [...argv, "--mode", "json"]);
  expect([stderr, exitCode]).toEqual(["", 0]);
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const [first, second, ...more] = lines.filter(({ type }) => type === "session");
  expect(more).toEqual([]);
  expect(second).toMatchObject({ events: first.events, parentSession: expect.stringContaining(first.id) });
  const at = lines.indexOf(second);
  const behind = JSON.stringify(lines.slice(at));
  expect(behind).toContain("Count the lines.");
  // The shell went along.
  expect(JSON.stringify(lines.slice(at).filter(({ type }) => type === "tool_execution_end"))).toContain("kept");
  const plain = await pith(dir, argv);
  expect(plain.out.trimEnd()).toEndWith("Counted.");
});

test("killed at any moment of a handoff, every session opens and goes on", async () => {
  const env = envOf(dir);
  for (let round = 0; round < 5; round++) {
    const child = Bun.spawn([process.execPath, main, "--", ...argv, "--mode", "json"], {
      cwd: dir.at("work"),
      env,
      stdout: "pipe",
      stderr: "ignore",
    });
    let said = "";
    for await (const chunk of child.stdout) {
      const before = said.includes("compaction_start");
      said += Buffer.from(chunk).toString();
      if (!before && said.includes("compaction_start")) setTimeout(() => child.kill("SIGKILL"), round * 14);
    }
    await child.exited;
  }
  const files = sessions();
  expect(files.length).toBeGreaterThanOrEqual(5);
  for (const file of files) {
    const opened = Journal.open({ storage: fileStorage(file), clock: systemClock });
    if (!opened.ok) throw new Error(opened.message);
    const { journal } = opened.value;
    const { parentSession } = readHeader(file) ?? {};
    // A new session is whole from its first line, or it is not there.
    if (parentSession !== undefined) expect(JSON.stringify(journal.tree.pathTo())).toContain('"customType":"handoff"');
    journal.append({ type: "session_info", name: "on" });
    await journal.close();
  }
  expect(readdirSync(join(dir.at("home/.pith/sessions"))).length).toBe(1);
});

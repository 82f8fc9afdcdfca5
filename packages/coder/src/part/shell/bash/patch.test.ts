import { afterAll, beforeEach, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openArtifacts } from "@pith/agent";
import { Shell } from "@pith/host";
import { Snapshots } from "../../../snapshot/snapshot.ts";
import { filesIn } from "../../../test/files.ts";
import { intentOf, runTool } from "../../../test/run.ts";
import { bash } from "./bash.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "pith-bash-patch-")));
const shell = new Shell({ cwd, env: process.env, startup: "skip" });
afterAll(() => {
  shell[Symbol.dispose]();
  rmSync(cwd, { recursive: true });
});
const snapshots = new Snapshots(undefined);
const artifacts = openArtifacts(join(cwd, "session.jsonl"));
const tool = bash({
  files: filesIn(cwd),
  shell,
  artifacts,
  maxOutput: 1 << 20,
  noise: "minimize" as const,
  maxShown: () => 16 * 1024,
  patch: { snapshots, tags: "shown" },
});
const call = { id: "1", signal: new AbortController().signal, progress() {} };
const look = async (wanted: { command: string; cwd?: string }) => {
  const { effect, paths } = await intentOf(tool, wanted);
  return { effect, paths: paths.map(({ path }) => path) };
};
const patch = (...rows: string[]) =>
  ["apply_patch <<'EOF'", "*** Begin Patch", ...rows, "*** End Patch", "EOF"].join("\n");
const text = (name: string) => readFileSync(join(cwd, name), "utf8");

beforeEach(async () => {
  await runTool(tool, { command: `cd ${cwd}; true` }, call);
  mkdirSync(join(cwd, "d"), { recursive: true });
  writeFileSync(join(cwd, "d", "a"), "1\n");
  writeFileSync(join(cwd, "a"), "1\n");
});

test("a patch after a cd is a write of its files, applied there without a shell", async () => {
  const input = { command: `cd d && ${patch("*** Update File: a", "*** Move to: b", "-1", "+artifact://0 $HOME")}` };
  expect(await look(input)).toEqual({ effect: "write", paths: [join(cwd, "d/b"), join(cwd, "d/a")] });
  const outcome = await runTool(tool, input, call);
  expect(outcome).toMatchObject({
    kind: "diff",
    data: { exit_code: 0, stderr: "", files: [{ path: "d/b", change: "moved", added: 1, removed: 1 }] },
  });
  expect(outcome.text).toStartWith(
    `Success. Updated the following files:\nM a\n\nd/a → d/b:\n[d/b#${snapshots.mint(join(cwd, "d/b"), text("d/b"))}]`,
  );
  expect([existsSync(join(cwd, "d/a")), text("d/b"), text("a"), shell.cwd]).toEqual([
    false,
    "artifact://0 $HOME\n",
    "1\n",
    cwd,
  ]);
});

test("a patch that brings in a syntax error says so, as an edit does", async () => {
  const outcome = await runTool(tool, { command: patch("*** Add File: bad.ts", "+const a = (1;") }, call);
  expect(outcome.meta?.diagnostics?.messages.join()).toContain("bad.ts:1");
});

test("a directory that the call names counts too", async () => {
  const input = { command: patch("*** Update File: a", "-1", "+2"), cwd: "d" };
  expect((await look(input)).paths).toEqual([join(cwd, "d/a")]);
  await runTool(tool, input, call);
  expect([text("d/a"), text("a")]).toEqual(["2\n", "1\n"]);
});

test("with anything beside the patch the shell runs the command", async () => {
  const input = { command: `cd d && ${patch("*** Update File: a", "-1", "+2").replace("'EOF'", "'EOF' && ls")}` };
  expect(await look(input)).toEqual({ effect: "exec", paths: [join(cwd, "d")] });
  expect(await runTool(tool, input, call)).toMatchObject({ kind: "run", failed: true, data: { exitCode: 127 } });
  expect(text("d/a")).toBe("1\n");
});

test("a patch that does not fit, or cannot be read, fails like the program", async () => {
  const unfit = await runTool(tool, { command: patch("*** Update File: a", "-9", "+2") }, call);
  expect(unfit).toMatchObject({
    failed: true,
    data: { exit_code: 1, stderr: "These lines are not in a:\n9\nNothing was applied." },
  });
  const unreadable = { command: "apply_patch <<'EOF'\nnonsense\nEOF" };
  expect(await runTool(tool, unreadable, call)).toMatchObject({
    failed: true,
    text: "A patch begins with the line '*** Begin Patch'\nNothing was applied.",
  });
});

test("a directory that is not there is told, and nothing is made", async () => {
  const outcome = await runTool(tool, { command: `cd nowhere && ${patch("*** Add File: x", "+1")}` }, call);
  expect(outcome).toMatchObject({
    failed: true,
    text: `There is no directory ${join(cwd, "nowhere")}; nothing was applied.`,
  });
  expect(existsSync(join(cwd, "nowhere"))).toBe(false);
});

test("a patch that was allowed in one directory is applied there, wherever the shell went since", async () => {
  const intent = await intentOf(tool, { command: patch("*** Update File: a", "-1", "+2") });
  await runTool(tool, { command: "cd d; true" }, call);
  expect(shell.cwd).toBe(join(cwd, "d"));
  expect((await intent.run(call)).failed).toBeUndefined();
  expect([text("a"), text("d/a")]).toEqual(["2\n", "1\n"]);
});

test("a patch does not write through a link that took the place of its directory", async () => {
  mkdirSync(join(cwd, "elsewhere"), { recursive: true });
  writeFileSync(join(cwd, "elsewhere/a"), "1\n");
  const intent = await intentOf(tool, { command: `cd d && ${patch("*** Update File: a", "-1", "+2")}` });
  rmSync(join(cwd, "d"), { recursive: true });
  symlinkSync("elsewhere", join(cwd, "d"));
  expect(await intent.run(call)).toMatchObject({ failed: true });
  expect(text("elsewhere/a")).toBe("1\n");
  rmSync(join(cwd, "d"));
});

test("a name with @ is a plain name here, in every hunk", async () => {
  writeFileSync(join(cwd, "@a"), "1\n");
  const wanted = { command: patch("*** Delete File: @a", "*** Add File: @a", "+2") };
  expect((await look(wanted)).paths).toEqual([join(cwd, "@a")]);
  await runTool(tool, wanted, call);
  expect([text("@a"), text("a")]).toEqual(["2\n", "1\n"]);
});

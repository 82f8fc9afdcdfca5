// The launchers as they stand in this tree.
import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json";
import { root } from "../need.ts";
import { run, type Scratch, scratch } from "../scratch.ts";

const launcher = (name: "bun" | "pith") => [Bun.which("node") ?? "node", join(root, "bin", name)];
const home = (dir: Scratch) => ({ PATH: process.env.PATH ?? "", HOME: dir.path, PITH_HOME: dir.at(".pith") });

test("the program ends with the exit code of what it started", async () => {
  using dir = scratch();
  for (const code of [0, 3, 130]) {
    const ended = await run([...launcher("bun"), "-e", `process.exit(${code})`], { cwd: dir.path, env: home(dir) });
    expect(ended).toEqual({ code, signal: null, out: "", err: "" });
  }
});

test("the program ends by the signal that ended what it started", async () => {
  using dir = scratch();
  const ended = await run([...launcher("bun"), "-e", 'process.kill(process.pid, "SIGTERM")'], {
    cwd: dir.path,
    env: home(dir),
  });
  expect(ended.signal).toBe("SIGTERM");
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGUSR2"] as const) {
  test(`${signal} sent to the launcher reaches the program once`, async () => {
    using dir = scratch();
    const program = `let seen = 0;
      process.on("${signal}", () => { seen++; setTimeout(() => process.exit(40 + seen), 100); });
      console.log("ready");
      setInterval(() => {}, 1000);`;
    // In a session of its own, as under a supervisor: at a terminal a typed Ctrl+C reaches the program by itself.
    const child = Bun.spawn([...launcher("bun"), "-e", program], {
      cwd: dir.path,
      env: home(dir),
      stdin: "ignore",
      stdout: "pipe",
      detached: true,
    });
    await child.stdout.getReader().read();
    child.kill(signal);
    expect(await child.exited).toBe(41);
  });
}

test("stdin, stdout and arguments pass through unchanged", async () => {
  using dir = scratch();
  const program = "process.stdout.write(JSON.stringify([process.argv.slice(1), await Bun.stdin.text()]))";
  const args = ["a b", "", "--flag", "$HOME", "ü\n"];
  const ended = await run([...launcher("bun"), "-e", program, ...args], {
    cwd: dir.path,
    env: home(dir),
    input: "ßtdin\0x",
  });
  expect(JSON.parse(ended.out)).toEqual([args, "ßtdin\0x"]);
});

test("pith starts from any directory, and through a link", async () => {
  using dir = scratch();
  symlinkSync(join(root, "bin", "pith"), dir.at("linked"));
  for (const command of [launcher("pith"), [launcher("pith")[0] ?? "", dir.at("linked")], [dir.at("linked")]]) {
    expect(await run([...command, "--version"], { cwd: dir.path, env: home(dir) })).toEqual({
      code: 0,
      signal: null,
      out: `${version}\n`,
      err: "",
    });
  }
});

test("pith works in the directory it is started in", async () => {
  using dir = scratch();
  dir.write({ "note.txt": "the note of this directory\n" });
  const ended = await run([...launcher("pith"), "tool", "read", '{"path":"note.txt"}'], {
    cwd: dir.path,
    env: home(dir),
  });
  expect(ended.out).toContain("the note of this directory");
  expect(ended.code).toBe(0);
});

test("a wrong flag ends the launcher with pith's own exit code", async () => {
  using dir = scratch();
  const ended = await run([...launcher("pith"), "--no-such-flag"], { cwd: dir.path, env: home(dir) });
  expect(ended.code).toBe(2);
  expect(ended.err).toContain("--no-such-flag");
});

const hanging = { "script.json": JSON.stringify({ turns: [{ hang: true }] }) };

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`a prompt interrupted by ${signal} ends with 130`, async () => {
    using dir = scratch();
    dir.write(hanging);
    const command = [...launcher("pith"), "-p", "wait", "--mode", "json", "--model", `faux/${dir.at("script.json")}`];
    const child = Bun.spawn(command, {
      cwd: dir.path,
      env: home(dir),
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
    });
    // The header is the first line of the record: from here on the run is under way.
    await child.stdout.getReader().read();
    child.kill(signal);
    expect(await child.exited).toBe(130);
  });
}

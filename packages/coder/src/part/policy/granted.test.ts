import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Question } from "@pith/agent";
import { type Scratch, scratch } from "@pith/kit/test";
import type { Values } from "../../setting/schema.ts";
import { coderIn, resultsOf } from "../../test/open.ts";

// What lies in a folder for temporary files counts as inside; the gate's home is in one.
const isTemporary = (path: string) => [tmpdir(), "/tmp", "/var/tmp"].some((folder) => path.startsWith(folder));
const made = join(import.meta.dir, "../../../../../dist");
const elsewhere = [homedir(), made].find((path) => !isTemporary(path)) ?? made;
mkdirSync(elsewhere, { recursive: true });
const lacking = Bun.which("bwrap") === null || isTemporary(elsewhere);

function folderElsewhere(): { path: string } & Disposable {
  const path = realpathSync(mkdtempSync(join(elsewhere, "pith-granted-")));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

interface How {
  approval?: "ask" | "write" | "auto";
  holds?: "session";
  set?: Values;
}

/** Runs commands in a mode, answers every question with yes, and tells what was asked. */
async function answered(dir: Scratch, commands: readonly (string | object)[], how: How = {}) {
  const { approval = "auto", holds, set } = how;
  const calls = commands.map((one) => ({
    calls: [{ tool: "bash", input: typeof one === "string" ? { command: one } : one }],
  }));
  const asked: Question[] = [];
  const coder = await coderIn(dir, [...calls, { text: "Done." }], { approval, ...(set && { set }) });
  coder.subscribe((event) => {
    if (event.type !== "question") return;
    asked.push(event.question);
    coder.answer(event.question.id, { say: "yes", ...(holds && { holds }) });
  });
  await coder.send({ text: "go" });
  const results = resultsOf(coder);
  await coder.close();
  return { asked, results };
}

/** A process of this machine that does nothing. */
function sleeper(): { pid: number; ended: Promise<unknown> } & Disposable {
  const child = Bun.spawn(["sleep", "60"]);
  return { pid: child.pid, ended: child.exited, [Symbol.dispose]: () => child.kill() };
}

/** A server that says one thing. */
async function serverHere(text: string): Promise<{ port: number } & AsyncDisposable> {
  const server = createServer((_, response) => void response.end(text)).listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.asyncDispose]: async () => void server.close() };
}

test.skipIf(lacking)("a yes to a write outside of the project makes that folder writable, and no other", async () => {
  using dir = scratch();
  using other = folderElsewhere();
  const [out, kept] = [join(other.path, "out"), join(other.path, "kept")];
  mkdirSync(`${out}/deep`, { recursive: true });
  mkdirSync(kept);
  writeFileSync(`${out}/old`, "old\n");
  const { asked, results } = await answered(dir, [
    `touch ${out}/new`,
    `echo more >> ${out}/old`,
    `mkdir -p ${out}/a/b && cp ${out}/old ${out}/a/b/`,
    `mv ${out}/old ${out}/moved; rm -rf ${out}/deep`,
    `sed -i s/more/less/ ${out}/moved; sh -c 'echo x > ${kept}/no'`,
  ]);
  expect(asked.map(({ access }) => access?.writes)).toEqual([[out], [out], [out], [out], [out, kept]]);
  expect(asked.every(({ intent, access }) => intent?.place === "in the sandbox" && !access?.leaves)).toBe(true);
  for (const result of results) expect(result).not.toContain("blocked");
  expect([existsSync(`${out}/new`), existsSync(`${out}/a/b/old`), existsSync(`${out}/deep`)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(readFileSync(`${out}/moved`, "utf8")).toBe("old\nless\n");
});

test.skipIf(lacking)("a yes for the session gives the same rights to the same command again", async () => {
  using dir = scratch();
  using other = folderElsewhere();
  const command = `touch ${other.path}/made && rm ${other.path}/made && echo it went well`;
  const { asked, results } = await answered(dir, [command, command], { holds: "session" });
  expect(asked).toHaveLength(1);
  expect(results).toEqual([expect.stringContaining("it went well"), expect.stringContaining("it went well")]);
});

test.skipIf(lacking)("a yes to what the sandbox cannot give says that the command leaves it, and it does", async () => {
  using dir = scratch();
  using other = folderElsewhere();
  dir.write({ ".ssh/id_rsa": "a key\n", "work/a.txt": "a\n" });
  using asleep = sleeper();
  const bare = join(other.path, "bare.git");
  const commit = "git -c user.name=a -c user.email=a@b.c commit -qm one";
  execFileSync(
    "sh",
    ["-c", `git init -q --bare ${bare}; git init -q; git add a.txt; ${commit}; git remote add o ${bare}`],
    {
      cwd: dir.at("work"),
    },
  );
  const { asked, results } = await answered(dir, [
    `kill -9 ${asleep.pid}`,
    "git push -q o HEAD:refs/heads/main",
    "mkdir -p .github/workflows && echo 'on: push' > .github/workflows/ci.yml",
    `cat ${dir.at(".ssh/id_rsa")}`,
  ]);
  expect(asked.map(({ access }) => access?.leaves)).toEqual(["sandbox", "sandbox", "sandbox", "sandbox"]);
  for (const result of results) expect(result).toContain("It ran outside of the sandbox");
  await asleep.ended;
  expect(execFileSync("git", ["-C", bare, "log", "--format=%s", "main"]).toString()).toBe("one\n");
  expect(readFileSync(dir.at("work/.github/workflows/ci.yml"), "utf8")).toBe("on: push\n");
  expect(results[3]).toContain("a key");
});

test.skipIf(lacking)("a yes to a host or a port of this machine is the only question about it", async () => {
  using dir = scratch();
  await using server = await serverHere("hello from here");
  const { asked, results } = await answered(
    dir,
    [
      `curl -sS http://127.0.0.1:${server.port}/`,
      `curl -sS http://localhost:${server.port}/ && curl -sS -m 2 https://example.org:8443/x`,
      { command: `curl -sS http://127.0.0.1:${server.port}/`, needs: "network", reason: "to see" },
    ],
    { approval: "write" },
  );
  expect(asked.map(({ access, intent }) => [intent?.place, access?.ports, access?.hosts])).toEqual([
    ["in the sandbox", [server.port], []],
    ["in the sandbox", [server.port], ["example.org"]],
    ["in the sandbox, with the network of this machine", [server.port], []],
  ]);
  for (const result of results) expect(result).toContain("hello from here");
  expect(results[1]).not.toContain("nobody allowed it");
});

test.skipIf(lacking)("a host that this machine does not know is no refusal by the sandbox after a yes", async () => {
  using dir = scratch();
  const { asked, results } = await answered(dir, [
    { command: "curl -sS -m 2 http://nowhere.invalid/", needs: "network", reason: "to see" },
  ]);
  expect(asked.map(({ intent }) => intent?.place)).toEqual(["in the sandbox, with the network of this machine"]);
  expect(results[0]).toContain("exited with code 6");
  expect(results[0]).not.toContain("The sandbox blocked");
});

test.skipIf(lacking)(
  "what no yes could grant is refused before anybody is asked, with the setting that would",
  async () => {
    using dir = scratch();
    const commands = [
      "curl -s http://10.1.2.3/",
      "curl -s http://registry.corp.internal/",
      "curl -s http://169.254.169.254/latest/meta-data/",
      "curl -s http://metadata.google.internal/",
      "curl -s https://closed.example.org/",
    ];
    const rules = [{ domain: "closed.example.org", verdict: "deny" as const }];
    const set = { "policy.rules": rules };
    const { asked, results } = await answered(dir, commands, { approval: "write", set });
    expect(asked).toEqual([]);
    expect(results[0]).toContain("sandbox.domains");
    expect(results[1]).toContain("sandbox.domains");
    expect(results[2]).toContain("the metadata address of a cloud");
    expect(results[3]).toContain("the metadata address of a cloud");
    expect(results[4]).toContain("closed.example.org");
    const named = await answered(dir, ["curl -s -m 1 http://registry.corp.internal/"], {
      approval: "write",
      set: { "sandbox.domains": "registry.corp.internal" },
    });
    expect(named.asked.map(({ access }) => access?.hosts)).toEqual([["registry.corp.internal"]]);
    const closed = await answered(dir, ["touch a.txt"], { approval: "ask", set: { "sandbox.mode": "read-only" } });
    expect([closed.asked, closed.results[0]]).toEqual([[], expect.stringContaining("sandbox.mode is read-only")]);
  },
);

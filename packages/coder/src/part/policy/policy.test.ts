import { afterAll, expect, test } from "bun:test";
import { existsSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type Effect, type Intent, touch } from "@pith/agent";
import { scratch } from "@pith/kit/test";
import { type Approval, approvals, insideOf } from "../../policy/approval.ts";
import { Grants } from "../../policy/grant/grant.ts";
import { type Given, guardIn } from "../../test/guard.ts";

const dir = scratch(afterAll);
const base = dir.path;
const project = dir.at("project");
dir.write({ "project/src/a": "", secret: "x" });
symlinkSync(join(base, "secret"), join(project, "to-file"));
symlinkSync(base, join(project, "to-folder"));
symlinkSync(join(base, "not-there-yet"), join(project, "dangling"));
symlinkSync(project, join(base, "alias"));

const told: string[] = [];
const grantsIn = (name: string) => new Grants({ file: dir.at(name), project, tell: (text) => void told.push(text) });

const guardOf = (choice: { approval: Approval }, given: Given = {}) => guardIn(dir, choice, given);

const ruling = (mode: Approval, effect: Effect, ...paths: string[]) =>
  guardOf({ approval: mode })({ effect, paths: paths.map((path) => touch(effect === "net" ? "read" : effect, path)) });
const decided = async (mode: Approval, effect: Effect, path: string) => (await ruling(mode, effect, path)).do;
const command = (text: string) => ({ command: text, cwd: project });

test("each mode lets run what it says and nothing more", async () => {
  const rows: [effect: Effect, path: string, ...rulings: string[]][] = [
    ["read", join(project, "a"), "allow", "allow", "allow", "allow", "allow"],
    ["read", join(base, "secret"), "ask", "ask", "ask", "allow", "ask"],
    ["write", join(project, "a"), "ask", "allow", "allow", "allow", "deny"],
    ["write", join(base, "a"), "ask", "ask", "ask", "allow", "deny"],
    ["net", project, "ask", "ask", "ask", "allow", "deny"],
  ];
  for (const [effect, path, ...rulings] of rows) {
    const decisions = await Promise.all(approvals.map((mode) => decided(mode, effect, path)));
    expect([effect, path, ...decisions]).toEqual([effect, path, ...rulings]);
  }
});

test("a path that leaves the project by a link, by dots, or by a link to nothing is outside", async () => {
  for (const name of ["to-file", "to-folder/secret", "../secret", "src/../../secret", "dangling", "to-folder/new/file"])
    expect([name, await decided("write", "write", join(project, name))]).toEqual([name, "ask"]);
  for (const name of ["new/deep/file", "src/../a", "to-folder/project/a"])
    expect([name, await decided("write", "write", join(project, name))]).toEqual([name, "allow"]);
  expect(await decided("write", "write", join(base, "alias", "a"))).toBe("allow");
  expect(await decided("write", "write", `${project}-other/a`)).toBe("ask");
});

test("one path outside is enough to ask, and a call without paths stays inside", async () => {
  expect((await ruling("write", "write", join(project, "a"), join(base, "b"))).do).toBe("ask");
  expect((await ruling("ask", "read")).do).toBe("allow");
});

test("a refusal names the tool, the mode, and what would let it run", async () => {
  const refused = async (mode: Approval, intent: Partial<Intent>, given: Given = {}) => {
    const said = await guardOf({ approval: mode }, given)(intent, "bash");
    return said.do === "ask" ? said.refusal : said.do === "deny" ? said.reason : "";
  };
  expect(await refused("ask", command("npm test"))).toMatch(
    /^Not run: bash .*--approval auto.*"command":"npm test \*"/s,
  );
  const outside = { effect: "read" as const, paths: [touch("read", join(base, "secret"))] };
  expect(await refused("auto", outside)).toMatch(/outside the project.*--approval yolo/);
  const unwatched = await refused("auto", outside, { modes: ["ask", "write", "auto", "plan"] });
  expect(unwatched).toContain("policy.rules");
  expect(unwatched).not.toContain("--approval");
  expect(await refused("plan", { effect: "write", paths: [touch("write", join(project, "a"))] })).toContain('"plan"');
  expect(await refused("yolo", command("rm -rf /"))).toContain("Nothing but a yes from a person");
});

test("a mode that is chosen while the conversation goes on counts from the next call on", async () => {
  const choice: { approval: Approval } = { approval: "ask" };
  const guard = guardOf(choice);
  const intent = { effect: "write" as const, paths: [touch("write", join(project, "a"))] };
  expect((await guard(intent)).do).toBe("ask");
  choice.approval = "write";
  expect((await guard(intent)).do).toBe("allow");
});

test("what is kept for the model may be read unasked, and written only where it keeps things itself", async () => {
  const own = insideOf({ cwd: project, roots: [], home: dir.at("home"), folder: dir.at("sessions", "s") });
  const guard = guardOf({ approval: "write" }, { inside: own });
  const decide = async (effect: "read" | "write", ...names: string[]) =>
    (await guard({ effect, paths: [touch(effect, dir.at(...names))] })).do;
  expect([await decide("read", "home/skills/a"), await decide("write", "home/skills/a")]).toEqual(["allow", "ask"]);
  expect([await decide("read", "sessions/s/1.log"), await decide("write", "sessions/s/1.log")]).toEqual([
    "allow",
    "ask",
  ]);
  expect(await decide("write", "sessions/s/local/plan.md")).toBe("allow");
  expect([await decide("read", "home/auth.json"), await decide("read", "sessions/other/1.log")]).toEqual([
    "ask",
    "ask",
  ]);
});

test("a folder beside a session, or the memory, that is a link makes nothing else inside", () => {
  dir.write({ "victim/x": "", "linked/home/.keep": "", "linked/s/.keep": "" });
  symlinkSync(dir.at("victim"), dir.at("linked/s/local"));
  symlinkSync(dir.at("victim"), dir.at("linked/t"));
  symlinkSync(dir.at("victim"), dir.at("linked/home/memory"));
  for (const name of ["s", "t"]) {
    const { kept, scratch: written } = insideOf({
      cwd: project,
      roots: [],
      home: dir.at("linked/home"),
      folder: dir.at("linked", name),
    });
    expect([...kept, ...written]).not.toContain(dir.at("victim"));
    expect(written).toEqual([]);
  }
});

test("who writes what git, a shell or a build server runs by itself is asked in every mode", async () => {
  dir.write({
    "project/bare/HEAD": "",
    "project/bare/objects/.keep": "",
    "project/bare/refs/.keep": "",
    "project/linked/HEAD": "",
    "project/linked/commondir": "",
    "project/half/HEAD": "",
    "project/half/objects/.keep": "",
    "project/bare/tree/.git": "gitdir: ../worktrees/tree",
    "project/bare/worktrees/tree/commondir": "../..",
    "project/bare/worktrees/tree/gitdir": join(project, "bare/tree/.git"),
  });
  const at = (path: string) => Promise.all(approvals.map((mode) => decided(mode, "write", path)));
  const always = ["ask", "ask", "ask", "ask", "deny"];
  const names = [
    ...[".git", ".git/config", "sub/.git/hooks/x", "sub/.git", ".GIT/config", "bare/config", "bare/hooks/deep/x"],
    ...["linked/config", "half/refs/heads/main", "bare/tree/.git"],
    ...[".github/workflows/x.yml", ".gitlab-ci.yml", ".husky/x", ".pith/config.yml", ".vscode/tasks.json", ".envrc"],
  ].map((name) => join(project, name));
  const homes = [".bashrc", ".ssh/authorized_keys", ".config/fish/config.fish"].map((name) => dir.at("user", name));
  for (const path of [...names, ...homes, dir.at("home/grants.yml"), dir.at("home/config.yml")])
    expect([path, ...(await at(path))]).toEqual([path, ...always]);
  for (const name of ["half/config", ".gitignore", ".github/x", "bare/tree/src/a"])
    expect([name, ...(await at(join(project, name)))]).toEqual([name, "ask", "allow", "allow", "allow", "deny"]);
  expect(await decided("ask", "read", join(project, ".git/config"))).toBe("allow");
  const together = ["new/HEAD", "new/objects/x", "new/refs/x", "new/config"].map((name) => join(project, name));
  expect((await ruling("yolo", "write", ...together)).do).toBe("ask");
  expect(await decided("yolo", "read", dir.at("user/.ssh/id_rsa"))).toBe("ask");
});

test("a home that is the project itself does not lay its keys open", async () => {
  const own = insideOf({ cwd: dir.at("user"), roots: [], home: dir.at("home"), folder: undefined });
  const guard = guardOf({ approval: "yolo" }, { inside: own });
  expect((await guard({ effect: "read", paths: [touch("read", dir.at("user/.ssh/id_rsa"))] })).do).toBe("ask");
  expect((await guard({ effect: "read", paths: [touch("read", dir.at("user/notes"))] })).do).toBe("allow");
});

test("a rule is about words of one part; the last that fits counts, and a project's only tighten", async () => {
  const rows: [command: string, mode: Approval, given: Given, expected: string][] = [
    ["git push origin", "yolo", { user: [{ command: "git push *", verdict: "deny" }] }, "deny"],
    ["ls; git push", "yolo", { user: [{ command: "git push *", verdict: "deny" }] }, "deny"],
    ["git -C . push", "yolo", { user: [{ command: "git push *", verdict: "deny" }] }, "deny"],
    ["/usr/bin/git push", "yolo", { user: [{ command: "git push *", verdict: "deny" }] }, "deny"],
    ["sh -c 'git push'", "yolo", { user: [{ command: "git push *", verdict: "deny" }] }, "deny"],
    ["env A=1 git push", "yolo", { user: [{ command: "git push *", verdict: "deny" }] }, "deny"],
    ["git stash push", "yolo", { user: [{ command: "git push *", verdict: "deny" }] }, "allow"],
    ["git $x", "yolo", { user: [{ command: "git push *", verdict: "deny" }] }, "ask"],
    ["$x push", "yolo", { user: [{ command: "git push *", verdict: "deny" }] }, "ask"],
    ["npm test", "write", { user: [{ command: "npm test *", verdict: "allow" }] }, "allow"],
    ["npm test; npm publish", "write", { user: [{ command: "npm test *", verdict: "allow" }] }, "ask"],
    ["npm test > /etc/x", "auto", { user: [{ command: "npm test *", verdict: "allow" }] }, "ask"],
    ["LD_PRELOAD=./x npm test", "auto", { user: [{ command: "npm test *", verdict: "allow" }] }, "ask"],
    ["./npm test", "write", { user: [{ command: "npm test *", verdict: "allow" }] }, "ask"],
    ["rm -rf /", "yolo", { user: [{ command: "rm *", verdict: "allow" }] }, "ask"],
    ["echo x > .git/config", "yolo", { user: [{ effect: "exec", verdict: "allow" }] }, "ask"],
    [
      "npm test",
      "write",
      {
        user: [
          { command: "npm *", verdict: "deny" },
          { command: "npm test *", verdict: "allow" },
        ],
      },
      "allow",
    ],
    [
      "npm test",
      "auto",
      { user: [{ command: "npm test *", verdict: "allow" }], project: [{ command: "npm *", verdict: "ask" }] },
      "ask",
    ],
    [
      "npm test",
      "auto",
      { user: [{ command: "npm *", verdict: "deny" }], project: [{ command: "npm test", verdict: "ask" }] },
      "deny",
    ],
    ["npm test", "plan", { user: [{ command: "npm test *", verdict: "allow" }] }, "deny"],
    ["cat secrets/a", "yolo", { user: [{ path: "secrets/**", verdict: "deny" }] }, "deny"],
    ["cat secrets/*", "yolo", { user: [{ path: "secrets/**", verdict: "deny" }] }, "deny"],
    ["cat s*/a", "yolo", { user: [{ path: "secrets/**", verdict: "deny" }] }, "ask"],
    ["cp -r . /tmp/x", "yolo", { user: [{ path: "secrets/**", verdict: "deny" }] }, "ask"],
    ["cat src/a", "yolo", { user: [{ path: "secrets/**", verdict: "deny" }] }, "allow"],
    ["curl https://evil.example/x", "yolo", { user: [{ domain: "*.example", verdict: "deny" }] }, "deny"],
  ];
  for (const [text, mode, given, expected] of rows)
    expect([text, (await guardOf({ approval: mode }, given)(command(text), "bash")).do]).toEqual([text, expected]);
});

test("a rule about a path counts for every tool and through links, one about a server for it alone", async () => {
  const read = (path: string): Partial<Intent> => ({ effect: "read", paths: [touch("read", join(project, path))] });
  const guard = guardOf(
    { approval: "yolo" },
    {
      user: [
        { path: "to-folder/**", verdict: "deny" },
        { tool: "wr*", effect: "write", verdict: "ask" },
        { server: "srv", verdict: "deny" },
      ],
    },
  );
  expect((await guard(read("to-folder/x"))).do).toBe("deny");
  expect((await guard(read("src/a"))).do).toBe("allow");
  const write = { effect: "write" as const, paths: [touch("write", join(project, "a"))] };
  expect((await guard(write, "write")).do).toBe("ask");
  expect((await guard(write, "edit")).do).toBe("allow");
  expect((await guard(read("src/a"), "mcp_x")).do).toBe("deny");
});

test("files that were named sensitive are asked about by the last pattern that fits", async () => {
  const files = [
    { pattern: "**/*", autoApprove: true },
    { pattern: "**/.env", autoApprove: false },
    { pattern: "**/.env.example", autoApprove: true },
  ];
  const guard = guardOf({ approval: "write" }, { files });
  const write = async (name: string) =>
    (await guard({ effect: "write", paths: [touch("write", join(project, name))] })).do;
  expect([await write("a.ts"), await write(".env"), await write("sub/.env"), await write(".env.example")]).toEqual([
    "allow",
    "ask",
    "ask",
    "allow",
  ]);
  const auto = guardOf({ approval: "auto" }, { files });
  expect((await auto(command("echo x > .env"))).do).toBe("ask");
  expect((await auto(command("echo x > a.ts"))).do).toBe("allow");
  const asking = guardOf({ approval: "ask" }, { files });
  expect((await asking({ effect: "write", paths: [touch("write", join(project, "a"))] })).do).toBe("allow");
  expect((await asking({ effect: "write", paths: [touch("write", join(base, "a"))] })).do).toBe("ask");
});

test("a yes for longer covers what it says, for the session or the project, and no more", async () => {
  const grants = grantsIn("grants.yml");
  const guard = guardOf({ approval: "write" }, { grants, asks: true });
  const asked = await guard(command("npm test -- --watch"), "bash");
  expect(asked).toMatchObject({ do: "ask", scope: "npm test" });
  if (asked.do === "ask") await asked.keep?.("project");
  const says = async (text: string, with_ = guard) => (await with_(command(text), "bash")).do;
  expect([await says("npm test"), await says("cd src && npm test")]).toEqual(["allow", "allow"]);
  for (const more of ["npm publish", "npm test; npm publish", "npm test > /etc/x", "PATH=. npm test", "npm run test"])
    expect([more, await says(more)]).toEqual([more, "ask"]);
  expect(statSync(dir.at("grants.yml")).mode & 0o777).toBe(0o600);
  // Another process reads it; another project does not have it.
  expect(await says("npm test", guardOf({ approval: "write" }, { grants: grantsIn("grants.yml") }))).toBe("allow");
  const other = new Grants({ file: dir.at("grants.yml"), project: dir.at("other"), tell: () => {} });
  expect(await says("npm test", guardOf({ approval: "write" }, { grants: other }))).toBe("ask");
  // It never turns a no into a yes, nor covers what is asked about in every mode.
  expect(await says("npm test", guardOf({ approval: "plan" }, { grants }))).toBe("deny");
  const denies = { grants, user: [{ command: "npm test", verdict: "deny" as const }] };
  expect(await says("npm test", guardOf({ approval: "write" }, denies))).toBe("deny");
});

test("what would be bad if not meant is kept word for word, and what nobody can look into not at all", async () => {
  const scope = async (text: string) => {
    const said = await guardOf({ approval: "write" }, { asks: true })(command(text), "bash");
    return said.do === "ask" ? said.scope : said.do;
  };
  const rows: [string, string | undefined][] = [
    ["npm test", "npm test"],
    ["npm run build -- -w", "npm run build"],
    ["pytest -x tests", "pytest"],
    ["./build.sh all", "./build.sh"],
    ["cargo build && cargo test", "cargo build, cargo test"],
    ["rm -rf build", "exactly rm -rf build"],
    ["git push origin main", "exactly git push origin main"],
    ["python3 tool.py x", "python3 tool.py"],
    ["python3 -c 'print(1)'", undefined],
    ["rm -rf /", undefined],
    ["echo 'x", undefined],
  ];
  for (const [text, expected] of rows) expect([text, await scope(text)]).toEqual([text, expected]);
  const grants = grantsIn("general.yml");
  await grants.add([{ command: "docker run *" }], "session");
  const guard = guardOf({ approval: "write" }, { grants });
  expect((await guard(command("docker run x"))).do).toBe("allow");
  expect((await guard(command("docker run --privileged -v /:/x y"))).do).toBe("ask");
  expect(existsSync(dir.at("general.yml"))).toBe(false);
});

test("a broken file of answers is named with its line and grants nothing", async () => {
  told.length = 0;
  dir.write({ "broken.yml": `${project}:\n  - command: npm test *\n  - comand: rm *\n  - verdict: allow\n` });
  const says = async (name: string) =>
    (await guardOf({ approval: "write" }, { grants: grantsIn(name) })(command("npm test"))).do;
  expect(await says("broken.yml")).toBe("allow");
  expect(told).toEqual([
    expect.stringContaining("broken.yml:3: unknown field"),
    expect.stringContaining("broken.yml:4:"),
  ]);
  dir.write({ "bad.yml": `${project}:\n  - [command: npm test *\n` });
  expect(await says("bad.yml")).toBe("ask");
  expect(told.at(-1)).toMatch(/bad\.yml:\d+: is not YAML/);
  const kept = grantsIn("bad.yml");
  await kept.add([{ command: "ls" }], "project");
  expect(told.at(-1)).toContain("holds for this session only");
  expect(await Bun.file(dir.at("bad.yml")).text()).toContain("[command");
});

test("an open question closes when an answer to another, or another mode, covers it", async () => {
  const choice: { approval: Approval } = { approval: "write" };
  const grants = grantsIn("open.yml");
  const guard = guardOf(choice, { grants, asks: true });
  const open = async (text: string) => {
    const asked = await guard(command(text));
    const state = { closed: false };
    if (asked.do === "ask") void asked.covered?.(new AbortController().signal).then(() => (state.closed = true));
    return state;
  };
  const [one, two] = [await open("npm test"), await open("cargo build")];
  await grants.add([{ command: "npm test *" }], "session");
  await Bun.sleep(0);
  expect([one.closed, two.closed]).toEqual([true, false]);
  choice.approval = "auto";
  grants.changed();
  await Bun.sleep(0);
  expect(two.closed).toBe(true);
});

test("git is judged by what the repository itself has configured", async () => {
  const says = async (text: string) => (await guardOf({ approval: "write" })(command(text))).do;
  const repository = {
    HEAD: "ref: refs/heads/main\n",
    config: "[core]\n\tbare = false\n",
    "objects/a": "",
    "refs/a": "",
  };
  for (const [name, text] of Object.entries(repository)) dir.write({ [`project/.git/${name}`]: text });
  expect(await says("git status")).toBe("allow");
  for (const config of [
    "[core]\n\tfsmonitor = ./x\n",
    '[filter "a"]\n\tclean = ./x\n',
    "[include]\n\tpath = ../x\n",
    '[diff "a"] textconv = "./x"\n',
    "[alias]\n\tstatus = !./x\n[core]\n\tfsmonitor = \\\n./x\n",
    "[log]\n\tshowSignature\n",
    "[core]\n\tpager = ./x\n",
    "[pager]\n\tlog = ./x\n",
    "broken [\n",
  ]) {
    dir.write({ "project/.git/config": config });
    expect([config, await says("git status")]).toEqual([config, "ask"]);
  }
  // Nothing is fetched, and hooks are not run.
  dir.write({ "project/.git/config": "[extensions]\n\tpartialClone = origin\n" });
  expect(await says("git status")).toBe("allow");
  dir.write({ "project/.git/config": "[core]\n\thooksPath = x\n", "project/.git/hooks/post-index-change": "x" });
  expect(await says("git status")).toBe("allow");
});

test("a pattern that matches a link leads where the link leads", async () => {
  const says = async (text: string) => (await guardOf({ approval: "write" })(command(text))).do;
  dir.write({ "project/docs/a.md": "", "project/docs/deep/b.md": "" });
  expect([await says("cat docs/*"), await says("cat docs/*/b.md")]).toEqual(["allow", "allow"]);
  symlinkSync(join(base, "secret"), join(project, "docs/deep/link"));
  expect([await says("cat docs/*"), await says("cat docs/*/link"), await says("cat docs/d*/l*")]).toEqual([
    "allow",
    "ask",
    "ask",
  ]);
  symlinkSync(join(base, "secret"), join(project, "docs/link.md"));
  expect([await says("cat docs/*"), await says("cat docs/a*"), await says("wc -l docs/*.md")]).toEqual([
    "ask",
    "allow",
    "ask",
  ]);
});

// A rule closes a place for reading. No tool tells anything of it, whichever way leads there.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { need } from "../need.ts";
import { pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const canary = "canary-of-the-closed-place";

const noGit = need("git") !== undefined;

function plant(dir: Scratch) {
  dir.write({
    "home/.pith/config.yml": [
      "sandbox.mode: off",
      "policy:",
      "  rules:",
      "    - { path: closed, verdict: deny }",
      "    - { path: '*.hidden.ts', verdict: deny }",
      "    - { path: shut.db, verdict: deny }",
      "    - { path: shut.png, verdict: deny }",
      "",
    ].join("\n"),
    "work/closed/deep/a.txt": `${canary}\n`,
    "work/src/one.hidden.ts": `export const c = "${canary}";\nexport function f() {\n  return c;\n}\n`,
    "work/src/two.ts": "export const open = 1;\n",
  });
  symlinkSync("closed", dir.at("work/way"));
  symlinkSync("src/one.hidden.ts", dir.at("work/plain.ts"));
  const pack = (...argv: string[]) => expect(Bun.spawnSync(argv, { cwd: dir.at("work") }).exitCode).toBe(0);
  pack("tar", "cf", "all.tar", "closed", "src");
  pack("tar", "czf", "src/all.tgz", "-C", "src", "one.hidden.ts", "two.ts");
  pack("sh", "-c", "gzip -k src/one.hidden.ts");
  const base = new Database(dir.at("work/shut.db"));
  base.run("create table t (v text)");
  base.run("insert into t values (?)", [canary]);
  base.close();
  dir.write({
    "work/shut.png": Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4", "base64").toString(
      "latin1",
    ),
  });
  if (noGit) return;
  const git = "git -c user.name=a -c user.email=a@b";
  pack(
    "sh",
    "-c",
    `${git} init -q . && git add -f closed src && ${git} commit -qm x && echo more >> closed/deep/a.txt`,
  );
  pack("sh", "-c", `echo old >> src/one.hidden.ts && ${git} stash -q && echo more >> closed/deep/a.txt && git add -A`);
}

const records = (dir: Scratch): string => {
  const folder = dir.at("home/.pith/sessions");
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((item) => (item.isFile() ? [readFileSync(join(item.parentPath, item.name), "latin1")] : []))
    .join("\n");
};

const calls: [string, unknown][] = [
  ["read", { path: "closed/deep/a.txt" }],
  ["read", { path: "way/deep/a.txt" }],
  ["read", { path: "a.txt" }],
  ["read", { path: "plain.ts" }],
  ["read", { path: "/proc/self/cwd/closed/deep/a.txt" }],
  ["read", { path: "closed" }],
  ["read", { path: "all.tar:closed/deep/a.txt" }],
  ["read", { path: "all.tar:closed/deep/a.txt:1-1" }],
  ["read", { path: "src/all.tgz:one.hidden.ts" }],
  ["read", { path: "src/one.hidden.ts.gz" }],
  ["read", { path: "shut.db:t" }],
  ["read", { path: "shut.db?q=select v from t" }],
  ["read", { path: "shut.png" }],
  ["search", { pattern: "canary", paths: ["."] }],
  ["search", { pattern: "canary", paths: ["."], gitignore: false }],
  ["search", { pattern: "canary", paths: ["closed", "way", "src", "plain.ts"] }],
  ["search", { pattern: "canary", paths: ["**/*.ts", "cl*/**"] }],
  ["search", { pattern: "canary", paths: ["all.tar", "src/all.tgz", "src/one.hidden.ts.gz"] }],
  ["search", { pattern: "canary", paths: ["/proc/self/cwd"] }],
  ["ast_grep", { pat: "export const $A = $B", paths: ["src"] }],
  ["ast_edit", { ops: [{ pat: '"$X"', out: '"y"' }], paths: ["src"] }],
  ["edit", { path: "src/one.hidden.ts", edits: [{ oldText: "export const c = 5", newText: "x" }] }],
  ["bash", { command: "cat closed/deep/a.txt" }],
  ["bash", { command: "cat way/deep/a.txt plain.ts" }],
  ["bash", { command: "git diff --no-index /dev/null closed/deep/a.txt" }],
  ["bash", { command: "git -C closed diff --no-index /dev/null deep/a.txt" }],
  ["bash", { command: "git grep --no-index canary" }],
  ["bash", { command: "tar xOf all.tar closed/deep/a.txt" }],
];

test.each(calls)("what a rule closes is not told by %s %j", async (tool, input) => {
  using dir = scratch();
  plant(dir);
  dir.write({
    "home/.pith/config.yml": `${readFileSync(dir.at("home/.pith/config.yml"), "utf8")}edit.mode: replace\n`,
  });
  const model = scripted(dir, { calls: [{ tool, input }] }, { text: "Done." });
  const { out } = await pith(dir, ["-p", "go", "--yolo", "--mode", "json", ...model]);
  const result = out.split("\n").filter((line) => line.includes("toolResult"));
  expect(result.length).toBeGreaterThan(0);
  expect([out.includes(canary), records(dir).includes(canary), out.includes("iVBORw0KGgo")]).toEqual([
    false,
    false,
    false,
  ]);
});

test.skipIf(noGit)(
  "what a rule closes is not told by git, as it is or as it was",
  async () => {
    using dir = scratch();
    plant(dir);
    const commands = [
      "git diff",
      "git diff --cached",
      "cd src && git -C .. diff HEAD",
      "git log -p",
      "git log --stat -1 -U0 HEAD",
      "git show",
      "git show HEAD -- ':(glob)**/a.txt'",
      "git show HEAD:closed/deep/a.txt",
      "git stash show -p",
      "git grep canary",
      "git grep canary HEAD",
      "git cat-file -p $(git rev-parse HEAD:closed/deep/a.txt)",
      "git rev-parse HEAD:closed/deep/a.txt | git cat-file --batch",
      "git archive HEAD",
      "git format-patch --stdout --root HEAD",
      "git diff-tree -p --root HEAD",
    ];
    const steps = commands.map((command) => ({ calls: [{ tool: "bash", input: { command } }] }));
    const { out } = await pith(dir, [
      "-p",
      "go",
      "--yolo",
      "--mode",
      "json",
      ...scripted(dir, ...steps, { text: "Done." }),
    ]);
    expect([out.match(/"toolResult"/g)?.length, out.includes(canary)]).toEqual([expect.any(Number), false]);
    const scoped = ["git diff -- src/two.ts", "git log -p -- src/two.ts", "git show --stat", "git log --oneline"];
    const open = scoped.map((command) => ({ calls: [{ tool: "bash", input: { command } }] }));
    const free = await pith(dir, [
      "-p",
      "go",
      "--yolo",
      "--mode",
      "json",
      ...scripted(dir, ...open, { text: "Done." }),
    ]);
    expect([free.out.includes("Not run"), free.out.includes(canary)]).toEqual([false, false]);
  },
  30_000,
);

test("names below a closed folder are not listed from above it", async () => {
  using dir = scratch();
  plant(dir);
  const steps = [
    { calls: [{ tool: "find", input: { paths: ["**/*"] } }] },
    { calls: [{ tool: "read", input: { path: "." } }] },
    { calls: [{ tool: "read", input: { path: "all.tar" } }] },
    { text: "Done." },
  ];
  const { out } = await pith(dir, ["-p", "go", "--yolo", "--mode", "json", ...scripted(dir, ...steps)]);
  const results = out
    .split("\n")
    .filter((line) => line.includes('"toolResult"'))
    .join("\n");
  expect([results.includes("two.ts"), results.includes("one.hidden.ts\\n"), results.includes("deep")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("a closed file is not attached, as text or as a picture, nor brought by a file of instructions", async () => {
  using dir = scratch();
  plant(dir);
  for (const name of ["closed/deep/a.txt", "way/deep/a.txt", "plain.ts", "shut.png"]) {
    const { code, err } = await pith(dir, ["-p", "go", `@${name}`, ...scripted(dir, { text: "Done." })]);
    expect([name, code, err]).toEqual([name, 2, expect.stringContaining("a rule forbids to read it")]);
  }
  dir.write({ "work/AGENTS.md": "See @closed/deep/a.txt and @src/two.ts\n" });
  await pith(dir, ["-p", "go", ...scripted(dir, { text: "Done." })]);
  expect([records(dir).includes("export const open"), records(dir).includes(canary)]).toEqual([true, false]);
});

test("a later rule opens a file of a closed folder again, for every tool", async () => {
  using dir = scratch();
  dir.write({
    "home/.pith/config.yml":
      "policy.rules:\n  - { path: closed/**, verdict: deny }\n  - { path: closed/open.txt, verdict: allow }\n",
    "work/closed/open.txt": "needle one\n",
    "work/closed/shut.txt": "needle two\n",
  });
  const steps = [
    { calls: [{ tool: "search", input: { pattern: "needle", paths: ["."] } }] },
    { calls: [{ tool: "read", input: { path: "closed/open.txt" } }] },
    { text: "Done." },
  ];
  const { out } = await pith(dir, ["-p", "go", "--yolo", "--mode", "json", ...scripted(dir, ...steps)]);
  expect([out.split("needle one").length > 3, out.includes("needle two")]).toEqual([true, false]);
});

test("what a rule asks about is not come across from above it without the question", async () => {
  using dir = scratch();
  dir.write({
    "home/.pith/config.yml": "policy.rules:\n  - { path: asks/**, verdict: ask }\n",
    "work/asks/a.txt": `${canary}\n`,
  });
  const steps = [{ calls: [{ tool: "search", input: { pattern: "canary", paths: ["."] } }] }, { text: "Done." }];
  const { out } = await pith(dir, ["-p", "go", "--yolo", "--mode", "json", ...scripted(dir, ...steps)]);
  expect(out.includes(canary)).toBe(false);
});

test.skipIf(noGit)("what a rule closes is not told by the history of a repository either", async () => {
  using dir = scratch();
  plant(dir);
  const git = (...argv: string[]) =>
    Bun.spawnSync(["git", "-c", "user.name=x", "-c", "user.email=x@x", ...argv], { cwd: dir.at("work") }).exitCode;
  expect([git("init", "-q", "."), git("add", "closed"), git("commit", "-qm", "one")]).toEqual([0, 0, 0]);
  const looks = ["git show HEAD:closed/deep/a.txt", "git log -p -- closed", "git -C closed show HEAD:./deep/a.txt"];
  const steps = looks.map((command) => ({ calls: [{ tool: "bash", input: { command } }] }));
  const { out } = await pith(dir, [
    "-p",
    "go",
    "--yolo",
    "--mode",
    "json",
    ...scripted(dir, ...steps, { text: "Done." }),
  ]);
  expect([out.includes(canary), out.split("the rule for path: closed").length > 3]).toEqual([false, true]);
});

test.skipIf(need("bwrap") !== undefined)(
  "what a rule closes is hidden from every command behind the wall, however it is found, and searches need no question",
  async () => {
    using dir = scratch();
    plant(dir);
    const rules = readFileSync(dir.at("home/.pith/config.yml"), "utf8").replace("sandbox.mode: off\n", "");
    dir.write({
      "home/.pith/config.yml": [
        `${rules}    - { path: "**/.env", verdict: deny }`,
        "    - { path: closed/open/b.txt, verdict: allow }",
        "    - { path: by/link.txt, verdict: deny }\n",
      ].join("\n"),
      "work/deep/er/.env": canary,
      "elsewhere/link.txt": canary,
      "work/closed/open/b.txt": "said openly\n",
      "work/move.py": `import os
for way in (os.rename, os.link, os.replace):
    for name in ('deep', 'deep/er', 'deep/er/.env', 'closed', 'src', 'src/one.hidden.ts'):
        try: way(name, 'moved'); print('CANARY' + '-moved', name)
        except OSError: pass
`,
      "work/all.py": `import os
for at, _, names in os.walk('.'):
    if '.git' not in at and not at.endswith('src'):
        for name in names:
            try: print(open(os.path.join(at, name), 'rb').read())
            except OSError as error: print(name, error.strerror)
for name in ('by/link.txt', 'src/one.hidden.ts'):
    try: print(open(name).read())
    except OSError as error: print(name, error.strerror)
`,
    });
    symlinkSync("../elsewhere", dir.at("work/by"));
    const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });
    const steps = [
      bash("rm -f all.tar; grep -rns canary . --exclude-dir=.git --exclude='*gz'; echo searched"),
      bash("python3 all.py"),
      bash("python3 move.py; python3 all.py"),
      { text: "Done." },
    ];
    const { out } = await pith(dir, ["-p", "go", "--mode", "json", ...scripted(dir, ...steps)]);
    expect([
      out.includes(canary) || out.includes("CANARY-moved"),
      out.includes("said openly"),
      out.includes("searched"),
    ]).toEqual([false, true, true]);
    expect(readFileSync(dir.at("work/deep/er/.env"), "utf8")).toBe(canary);
  },
  30_000,
);

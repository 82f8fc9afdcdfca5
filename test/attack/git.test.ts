// A repository comes from a stranger, and git does what its configuration says, down to running programs. Inspecting
// one with pith runs nothing of it and starts no git at all; writing to its configuration is asked about.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { need } from "../need.ts";
import { envOf, pith, scripted } from "../pith.ts";
import { run, type Scratch, scratch } from "../scratch.ts";

const noGit = need("git") !== undefined;
const realGit = Bun.which("git") ?? "git";

let dir: Scratch;
beforeEach(() => {
  dir = scratch();
  dir.write({ "home/.keep": "", "tmp/.keep": "", "work/a.txt": "one\n", "work/node_modules/x": "", "work/dist/y": "" });
  dir.write({ "work/.gitignore": "node_modules/\ndist/\n*.out\n" });
  symlinkSync("a.txt", dir.at("work", "link.txt"));
  program("bin/git", `echo "a git was started: $*" >> ${dir.at("sprung")}\nexec ${realGit} "$@"`);
});
afterEach(() => dir[Symbol.dispose]());

function program(name: string, body: string): string {
  dir.write({ [name]: `#!/bin/sh\n${body}\n` });
  chmodSync(dir.at(name), 0o755);
  return dir.at(name);
}
/** A program that writes its name down. */
const trap = (name: string): string => program(`traps/${name}`, `echo "${name}" >> ${dir.at("sprung")}`);
const sprung = (): string => (existsSync(dir.at("sprung")) ? readFileSync(dir.at("sprung"), "utf8").trim() : "nothing");

async function git(where: string, ...argv: string[]): Promise<string> {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"];
  const env = { ...envOf(dir), GIT_CONFIG_NOSYSTEM: "1" };
  const { out } = await run([realGit, ...identity, ...argv], { cwd: dir.at(where), env });
  return out.trim();
}
async function repository(where = "work"): Promise<void> {
  dir.write({ [`${where}/.keep`]: "" });
  await git(where, "init", "-q");
  await git(where, "add", ".");
  await git(where, "commit", "-qm", "first");
  dir.write({ [`${where}/a.txt`]: "two\n" });
}
const config = (where: string, ...pairs: [string, string][]) =>
  pairs.reduce((before, [key, value]) => before.then(() => git(where, "config", key, value)), Promise.resolve(""));

/** An ignore file that is not there, whose content would have to be fetched by a program that the repository names. */
async function promised(where: string): Promise<void> {
  const id = await git(where, "rev-parse", ":.gitignore");
  const objects = await git(where, "rev-parse", "--git-path", "objects");
  await git(where, "update-index", "--skip-worktree", ".gitignore");
  await config(
    where,
    ["core.repositoryformatversion", "1"],
    ["extensions.partialClone", "origin"],
    ["remote.origin.promisor", "true"],
    ["remote.origin.url", "."],
    ["remote.origin.uploadpack", trap("uploadpack")],
  );
  rmSync(dir.at(where, ".gitignore"));
  const file = `${objects}/${id.slice(0, 2)}/${id.slice(2)}`;
  rmSync(file.startsWith("/") ? file : dir.at(where, file));
}

/** Every way of looking that a mode without questions allows, and time for what happens beside them. */
const looks = [
  { calls: [{ tool: "find", input: { paths: "**/*" } }], delayMs: 400 },
  { calls: [{ tool: "search", input: { pattern: "one|two" } }] },
  { calls: [{ tool: "ast_grep", input: { pat: "$A", path: "." } }] },
  { calls: [{ tool: "read", input: { path: "." } }] },
  { calls: [{ tool: "read", input: { path: "a.txt" } }] },
  { text: "done" },
];
const PATH = () => `${dir.at("bin")}:${process.env.PATH}`;
const look = (mode: string) =>
  pith(dir, ["-p", "hi", "--approval", mode, ...scripted(dir, ...looks)], { env: { PATH: PATH() } });

interface Hostile {
  lay(): Promise<unknown>;
  /** Arguments of git that spring the trap, and the directory. */
  live: string[];
  at?: string;
  springs: string;
}
const hostile: Record<string, Hostile> = {
  "an ignore file that has to be fetched": {
    lay: () => promised("work"),
    live: ["check-ignore", "node_modules/x"],
    springs: "uploadpack",
  },
  "a file system monitor": {
    lay: () => config("work", ["core.fsmonitor", trap("fsmonitor")]),
    live: ["status"],
    springs: "fsmonitor",
  },
  "a clean filter": {
    lay() {
      dir.write({ "work/.gitattributes": "* filter=evil\n" });
      return config("work", ["filter.evil.clean", trap("clean")]);
    },
    live: ["add", "a.txt"],
    springs: "clean",
  },
  "a smudge filter": {
    lay() {
      dir.write({ "work/.gitattributes": "* filter=evil\n" });
      return config("work", ["filter.evil.smudge", trap("smudge")]);
    },
    live: ["checkout-index", "-f", "-a"],
    springs: "smudge",
  },
  "a text conversion": {
    lay() {
      dir.write({ "work/.gitattributes": "* diff=evil\n" });
      return config("work", ["diff.evil.textconv", trap("textconv")]);
    },
    live: ["diff"],
    springs: "textconv",
  },
  "an external diff": {
    lay: () => config("work", ["diff.external", trap("external")]),
    live: ["diff"],
    springs: "external",
  },
  hooks: {
    lay() {
      trap("pre-commit");
      return config("work", ["core.hooksPath", dir.at("traps")]);
    },
    live: ["commit", "-qam", "x"],
    springs: "pre-commit",
  },
  "an alias": {
    lay: () => config("work", ["alias.look", `!${trap("alias")}`]),
    live: ["look"],
    springs: "alias",
  },
  "a configuration that another includes": {
    lay() {
      dir.write({ "work/more": `[core]\n\tfsmonitor = ${trap("included")}\n` });
      return config("work", [`includeIf.gitdir:${dir.at("work")}/.path`, dir.at("work", "more")]);
    },
    live: ["status"],
    springs: "included",
  },
  "an ssh command": {
    lay: () =>
      config("work", ["core.sshCommand", trap("ssh")], ["remote.origin.url", "ssh://nobody@nowhere.invalid/x"]),
    live: ["fetch", "origin"],
    springs: "ssh",
  },
  "a repository inside": {
    async lay() {
      dir.write({ "work/inner/a.txt": "one\n", "work/inner/.gitignore": "*.out\n", "work/inner/node_modules/x": "" });
      symlinkSync("a.txt", dir.at("work", "inner", "link.txt"));
      await repository("work/inner");
      await promised("work/inner");
    },
    live: ["check-ignore", "z"],
    at: "work/inner",
    springs: "uploadpack",
  },
  "a submodule": {
    async lay() {
      dir.write({ "other/a.txt": "one\n", "other/.gitignore": "*.out\n" });
      await repository("other");
      await git("work", "submodule", "add", "-q", dir.at("other"), "module");
      await config("work/module", ["core.fsmonitor", trap("module")]);
      await config("work", ["submodule.module.update", `!${trap("update")}`]);
    },
    live: ["status"],
    springs: "module",
  },
  "a git directory somewhere else": {
    async lay() {
      await git("work", "init", "-q", "--separate-git-dir", dir.at("work", "meta"));
      await promised("work");
    },
    live: ["check-ignore", "node_modules/x"],
    springs: "uploadpack",
  },
  "a work tree whose repository lies elsewhere": {
    async lay() {
      dir.write({ "main/a.txt": "one\n", "main/.gitignore": "node_modules/\n" });
      await repository("main");
      rmSync(dir.at("work"), { recursive: true });
      await git("main", "worktree", "add", "-q", dir.at("work"));
      await promised("work");
      dir.write({ "work/node_modules/x": "" });
      symlinkSync("a.txt", dir.at("work", "link.txt"));
    },
    live: ["check-ignore", "node_modules/x"],
    springs: "uploadpack",
  },
};

test.skipIf(noGit).each(Object.entries(hostile))(
  "looking at a repository with %s runs nothing",
  async (_, trapped) => {
    await repository();
    await trapped.lay();
    rmSync(dir.at("sprung"), { force: true });
    for (const ended of await Promise.all(["ask", "plan"].map(look)))
      expect(ended).toMatchObject({ code: 0, out: "done\n" });
    expect(sprung()).toBe("nothing");
    await git(trapped.at ?? "work", ...trapped.live);
    expect(sprung()).toContain(trapped.springs);
  },
  30_000,
);

test.skipIf(noGit)(
  "to start where an ignore file would have to be fetched runs nothing, whatever is asked",
  async () => {
    await repository();
    await promised("work");
    for (const mode of ["ask", "plan"]) {
      const model = scripted(dir, { text: "hi", delayMs: 1500 });
      const ended = await pith(dir, ["-p", "hi", ...model, "--approval", mode], { env: { PATH: PATH() } });
      expect(ended).toMatchObject({ code: 0 });
      expect(`${mode}: ${sprung()}`).toBe(`${mode}: nothing`);
    }
  },
  15_000,
);

test.each([
  ".git/config",
  ".git/hooks/post-checkout",
  ".git/index",
  ".git/info/attributes",
  "deep/.git",
  "deep/.git/config",
  "bare/config",
  "bare/hooks/x",
  "half/refs/heads/main",
])("in mode write a model that writes %s is asked", async (path) => {
  for (const name of ["HEAD", "objects/.keep", "refs/.keep", "config"])
    dir.write({ [`work/.git/${name}`]: "old", [`work/bare/${name}`]: "old" });
  dir.write({ "work/half/HEAD": "", "work/half/objects/.keep": "", "work/deep/.keep": "" });
  const before = existsSync(dir.at("work", path)) ? readFileSync(dir.at("work", path), "utf8") : undefined;
  const calls = [path, "plain.txt"].map((path) => ({ tool: "write", input: { path, content: "evil" } }));
  const model = scripted(dir, ...calls.map((call) => ({ calls: [call] })), { text: "done" });
  const ended = await pith(dir, ["-p", "hi", "--approval", "write", "--mode", "json", ...model]);
  expect(ended.out).toContain("is run by git");
  const after = existsSync(dir.at("work", path)) ? readFileSync(dir.at("work", path), "utf8") : undefined;
  expect(after).toBe(before);
  expect(readFileSync(dir.at("work", "plain.txt"), "utf8")).toBe("evil");
});

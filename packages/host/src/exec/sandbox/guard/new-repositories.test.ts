import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch, until } from "@pith/kit/test";
import { need } from "../../../../../../test/need.ts";
import { sandboxed } from "../../../test/sandboxed.ts";
import { repositoriesOf } from "../plan/repository.ts";

const lacking = need("bwrap") !== undefined || need("git") !== undefined;
const { path: base } = scratch(afterAll);

/** A project with repositories in it, and a shell in a sandbox around it. */
function place(repositories: readonly string[] = [], isTrusted = () => false) {
  const here = sandboxed(join(base, crypto.randomUUID().slice(0, 8)), { name: "project", isTrusted });
  for (const name of repositories) makeRepository(here.at(`${name}/.git`));
  const attend = async (command: string) => {
    const signal = new AbortController().signal;
    const more = { side: "inside", timeoutMs: 20_000, signal, onData() {}, columns: 80, rows: 24 } as const;
    const got = await here.shell.runAtTerminal({ command, ...more });
    if (!got.ok) throw new Error(got.message);
    return await got.value.done;
  };
  return { ...here, attend };
}

function makeRepository(dir: string): void {
  for (const name of ["objects", "refs", "hooks"]) mkdirSync(join(dir, name), { recursive: true });
  writeFileSync(join(dir, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(dir, "config"), "[alias]\n\tmine = status\n");
}

test.skipIf(lacking)(
  "a repository far down, behind a thousand folders, is protected like the project's own",
  async () => {
    const deep = "a/b/c/d/e/f";
    using here = place([deep]);
    for (let i = 0; i < 1000; i++) mkdirSync(here.at(`${i}`));
    const said = await here.run(`echo x >> ${deep}/.git/config; echo x > ${deep}/.git/hooks/pre-push; mv a z`);
    expect(said).toContain("Read-only file system");
    expect(readFileSync(here.at(`${deep}/.git/config`), "utf8")).toBe("[alias]\n\tmine = status\n");
    expect(existsSync(here.at(`${deep}/.git/hooks/pre-push`))).toBe(false);
  },
);

test.skipIf(lacking)("what a command makes of a new repository must run nothing by itself", async () => {
  using here = place();
  await here.run(`git init -q 1/2/3/4/5; echo id > 1/2/3/4/5/.git/hooks/post-commit
git init -q quiet; git init -q later
git init -q --bare bare; printf '[core]\\n\\tfsmonitor = ./x\\n' >> bare/config`);
  await here.run("echo id > later/.git/hooks/pre-push");
  const taken = await here.taken();
  for (const path of ["1/2/3/4/5/.git/hooks", "bare/config"]) expect(taken).toContain(`taken back ${path}`);
  // It was known by then and could not be written, or it was not and is taken back.
  expect(existsSync(here.at("later/.git/hooks/pre-push"))).toBe(false);
  expect(existsSync(here.at("quiet/.git/config"))).toBe(true);
});

test.skipIf(lacking)("a job that was begun before a repository was made cannot put hooks into it", async () => {
  using here = place();
  const job = here.run("until [ -e go ]; do sleep 0.02; done; echo id > n/.git/hooks/pre-push; touch done");
  await here.run("git init -q n; git init -q other");
  await here.taken();
  writeFileSync(here.at("go"), "");
  await job;
  expect((await here.taken()).filter((one) => one.includes("n/.git"))).toEqual(["taken back n/.git/hooks"]);
});

test.skipIf(lacking)("of many repositories, those without a mount are looked after all the same", async () => {
  const names = Array.from({ length: 40 }, (_, i) => `r${String(i).padStart(2, "0")}`);
  using here = place(names, () => true);
  await here.run("for r in r*; do echo evil >> $r/.git/config; done 2>/dev/null");
  const taken = await here.taken();
  expect(taken.length).toBeGreaterThan(10);
  for (const name of names) {
    const kept = existsSync(here.at(`${name}/.git/config`));
    expect(kept ? readFileSync(here.at(`${name}/.git/config`), "utf8") : "evil").not.toContain(kept ? "evil" : "kept");
  }
});

test.skipIf(lacking)("a repository that somebody else makes between two commands is theirs", async () => {
  using here = place();
  await here.run("true");
  await here.taken();
  const began = Date.now();
  await until(() => Date.now() > began + 50, "the clock to move on");
  makeRepository(here.at("mine/.git"));
  writeFileSync(here.at("mine/.git/hooks/pre-push"), "mine\n");
  await until(() => Date.now() > began + 150, "the clock to move on");
  await here.run("touch mine/file");
  expect(await here.taken()).toEqual([]);
  expect(existsSync(here.at("mine/.git/hooks/pre-push"))).toBe(true);
});

test.skipIf(lacking)(
  "hooks and files that a repository's configuration names are protected where they lie",
  async () => {
    using here = place(["."]);
    mkdirSync(here.at("tools/hooks"), { recursive: true });
    writeFileSync(here.at("tools/hooks/pre-push"), "mine\n");
    writeFileSync(here.at("shared.config"), "[alias]\n");
    const config = "[core]\n\thooksPath = tools/hooks\n[include]\n\tpath = ../shared.config\n[core]\n\thooksPath = .\n";
    writeFileSync(here.at(".git/config"), config);
    await here.run(
      "echo x > tools/hooks/pre-push; echo x > tools/hooks/new; echo x > shared.config; mv tools t; echo x > own",
    );
    expect(readFileSync(here.at("tools/hooks/pre-push"), "utf8")).toBe("mine\n");
    expect([existsSync(here.at("tools/hooks/new")), existsSync(here.at("own"))]).toEqual([false, true]);
    expect(readFileSync(here.at("shared.config"), "utf8")).toBe("[alias]\n");
  },
);

test.skipIf(lacking)(
  "a linked work tree can be committed in where both sides name each other, and only there",
  async () => {
    const who = ["-c", "user.name=a", "-c", "user.email=b"];
    for (const sides of ["both", "one"] as const) {
      using here = place();
      const main = here.at("../main");
      const git = (...argv: string[]) => Bun.spawnSync(["git", "-C", main, ...who, ...argv]).exitCode;
      mkdirSync(main);
      for (const argv of [
        ["init", "-q"],
        ["commit", "-q", "--allow-empty", "-m", "first"],
      ])
        expect(git(...argv)).toBe(0);
      expect(git("worktree", "add", "-q", here.at("."))).toBe(0);
      if (sides === "one") writeFileSync(join(main, ".git/worktrees/project/gitdir"), "/elsewhere/.git\n");
      await here.run(`echo a > f; git add f; git ${who.join(" ")} commit -qm second; echo x >> ${main}/.git/config`);
      const log = Bun.spawnSync(["git", "-C", main, "log", "--all", "--format=%s"]).stdout.toString();
      expect([sides, log.includes("second")]).toEqual([sides, sides === "both"]);
      expect(readFileSync(join(main, ".git/config"), "utf8")).not.toMatch(/^x$/m);
    }
  },
);

test.skipIf(lacking)("in the sandbox a command at a terminal has one of its own, and the same walls", async () => {
  using here = place(["."]);
  const got = await here.attend("tty; echo x >> .git/config; exit 3");
  expect(got.text).toMatch(/^\/dev\/(?:pts\/\d+|console)$/m);
  expect(got.text).toContain("Read-only file system");
  expect(got.exitCode).toBe(3);
});

test("a folder that became a link to another project's submodule does not open that one's directory", () => {
  const at = (name: string) => join(base, "linked", name);
  makeRepository(at("other/.git/modules/m"));
  writeFileSync(at("other/.git/modules/m/config"), "[core]\n\tworktree = ../../../m\n");
  for (const folder of ["other/m", "project"]) mkdirSync(at(folder), { recursive: true });
  writeFileSync(at("other/m/.git"), "gitdir: ../.git/modules/m\n");
  symlinkSync(at("other/m"), at("project/m"));
  expect(repositoriesOf([at("other/m")], []).writable).toEqual([at("other/.git/modules/m")]);
  expect(repositoriesOf([at("project")], [at("project/m")]).writable).toEqual([]);
});

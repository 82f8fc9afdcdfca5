import { expect, test } from "bun:test";
import { existsSync, linkSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { type Scratch, scratch, until } from "@pith/kit/test";
import { need } from "../../../../../../test/need.ts";
import { sandboxed } from "../../../test/sandboxed.ts";
import { autorunAt, autorunInProject } from "../plan/autorun.ts";

const lacking = need("bwrap") !== undefined || need("git") !== undefined;

const names = autorunInProject.flatMap((row) => row.names.map((name) => name.replace("*", "x")));

test("every name of the table is found by its first part, in whatever folder it lies", () => {
  for (const name of names) {
    const first = `/work/a/b/${name.split("/")[0]}`;
    expect([name, autorunAt(first)]).toEqual([name, expect.arrayContaining([`/work/a/b/${name}`])]);
  }
  for (const name of ["husky", ".envrc.md", "my.envrc", "x.npmrc", "Jenkinsfile.md", "src"])
    expect([name, autorunAt(`/work/${name}`)]).toEqual([name, []]);
});

test.skipIf(lacking)("what a command makes of protected files, however deep, is taken back and named", async () => {
  using dir = scratch();
  dir.write({ "work/packages/a/package.json": "{}", "work/node_modules/b/c": "" });
  using here = sandboxed(dir.path);
  const made = names.map((name) => `packages/a/${name}`);
  const lines = made.map((path) => `mkdir -p '${path.replace(/\/[^/]*$/, "")}'; echo x > '${path}'`);
  await here.run(`${lines.join("\n")}\nmkdir -p node_modules/b/.vscode; echo x > node_modules/b/.vscode/tasks.json`);
  await here.run("ln -s /etc/passwd packages/.envrc; mkdir -p packages/.husky/_; echo x > packages/.husky/_/h");
  const taken = await here.taken();
  for (const path of [...made, "packages/.envrc", "packages/.husky/_/h"]) {
    expect(taken).toContain(`taken back ${path}`);
    expect([path, lstatSync(here.at(path), { throwIfNoEntry: false })]).toEqual([path, undefined]);
  }
  expect(existsSync(here.at("node_modules/b/.vscode/tasks.json"))).toBe(true);
});

/** Forty folders with a protected file each: more than have mounts. */
function many(dir: Scratch): string[] {
  const paths = Array.from({ length: 40 }, (_, at) => `p/${at}/.vscode/tasks.json`);
  for (const path of paths) dir.write({ [`work/${path}`]: "mine\n" });
  return paths;
}

test.skipIf(lacking)("what a command changes of protected files is as it was before, and named", async () => {
  using dir = scratch();
  const paths = many(dir);
  dir.write({ "work/frontend/.husky/pre-commit": "mine\n" });
  using here = sandboxed(dir.path);
  await here.run(
    "for f in p/*/.vscode/tasks.json frontend/.husky/pre-commit; do echo evil > $f; done; rm p/9/.vscode/tasks.json",
  );
  const taken = await here.taken();
  expect(taken.length).toBeGreaterThan(20);
  for (const path of [...paths, "frontend/.husky/pre-commit"].filter((one) => one !== "p/9/.vscode/tasks.json"))
    expect([path, readFileSync(here.at(path), "utf8")]).toEqual([path, "mine\n"]);
});

test.skipIf(lacking)(
  "what others write of protected files while nothing runs, or where a mount holds, stays",
  async () => {
    using dir = scratch();
    dir.write({ "work/a/.envrc": "one\n" });
    using here = sandboxed(dir.path);
    await here.run("true");
    await here.taken();
    // What is watched between two commands shows nothing outside.
    await Bun.sleep(50);
    dir.write({ "work/b/.envrc": "theirs\n" });
    // The same.
    await Bun.sleep(50);
    const running = here.run("touch begun; until [ -e go ]; do sleep 0.02; done");
    await until(() => existsSync(here.at("begun")), "the start");
    writeFileSync(here.at("a/.envrc"), "two\n");
    writeFileSync(here.at("go"), "");
    await running;
    expect(await here.taken()).toEqual([]);
    expect([readFileSync(here.at("a/.envrc"), "utf8"), readFileSync(here.at("b/.envrc"), "utf8")]).toEqual([
      "two\n",
      "theirs\n",
    ]);
  },
);

test.skipIf(lacking)(
  "a protected file that somebody outside replaced, and a command then wrote, is as it was before",
  async () => {
    using dir = scratch();
    dir.write({ "work/.envrc": "mine\n", "work/.git/HEAD": "ref: refs/heads/main\n", "work/.git/config": "[core]\n" });
    for (const name of ["objects", "refs"]) mkdirSync(dir.at("work/.git", name));
    using here = sandboxed(dir.path);
    const running = here.run(
      "touch begun; until [ -e go ]; do sleep 0.02; done; echo evil > .envrc; printf '[core]\\n\\tfsmonitor = ./x\\n' > .git/config",
    );
    await until(() => existsSync(here.at("begun")), "the start");
    for (const name of [".envrc", ".git/config"]) {
      writeFileSync(here.at(`${name}.new`), name === ".envrc" ? "mine\n" : "[core]\n[user]\n\tname = a\n");
      renameSync(here.at(`${name}.new`), here.at(name));
    }
    // Long enough for the change outside to be seen as one that runs nothing.
    await Bun.sleep(1200);
    writeFileSync(here.at("go"), "");
    await running;
    const taken = await here.taken();
    expect(taken).toEqual(expect.arrayContaining(["taken back .envrc", "taken back .git/config"]));
    expect(readFileSync(here.at(".envrc"), "utf8")).toBe("mine\n");
    expect(readFileSync(here.at(".git/config"), "utf8")).toBe("[core]\n[user]\n\tname = a\n");
  },
);

test.skipIf(lacking)("a rebase goes on in the sandbox, and what it would run later is taken back", async () => {
  using dir = scratch();
  using here = sandboxed(dir.path);
  const git = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main";
  await here.run(`${git} init -q; for i in 1 2 3; do echo $i > $i; git add .; ${git} commit -qm $i; done`);
  const edit = `GIT_SEQUENCE_EDITOR='sed -i s/^pick/edit/' ${git} rebase -i HEAD~2`;
  expect(await here.run(`${edit} 2>&1; git status`)).toContain("interactive rebase in progress");
  expect(await here.taken()).toEqual([]);
  await here.run("echo 'exec touch /tmp/ran' >> .git/rebase-merge/git-rebase-todo");
  expect(await here.taken()).toEqual(["taken back .git/rebase-merge/git-rebase-todo"]);
  expect(readFileSync(here.at(".git/rebase-merge/git-rebase-todo"), "utf8")).not.toContain("exec");
  expect(
    await here.run(`${git} rebase --continue 2>&1; ${git} rebase --continue 2>&1; git log --oneline | wc -l`),
  ).toMatch(/3\n$/);
});

test.skipIf(lacking)("keys that somebody outside replaces are hidden from the next command again", async () => {
  using dir = scratch();
  dir.write({ "home/.netrc": "CANARY one\n" });
  using here = sandboxed(dir.path, { name: "home" });
  await here.run("true");
  // Shells of the next commands stand by now.
  await Bun.sleep(200);
  dir.write({ "home/.netrc.new": "CANARY two\n" });
  renameSync(dir.at("home/.netrc.new"), dir.at("home/.netrc"));
  expect(await here.run("cat .netrc")).not.toContain("CANARY");
  const running = here.run("touch begun; until [ -e go ]; do sleep 0.02; done");
  await until(() => existsSync(here.at("begun")), "the start");
  dir.write({ "home/.netrc.new": "CANARY three\n" });
  renameSync(dir.at("home/.netrc.new"), dir.at("home/.netrc"));
  writeFileSync(here.at("go"), "");
  await running;
  expect(await here.taken()).toEqual([expect.stringMatching(/^replaced .*netrc$/)]);
});

test.skipIf(lacking)("a file where the folder of something protected would stand is no matter", async () => {
  using dir = scratch();
  using here = sandboxed(dir.path);
  expect(await here.run("touch .github .vscode .config; echo made")).toBe("made\n");
  expect(await here.run("ls -a | grep -c '^[.][gvc]'")).toBe("3\n");
  expect(await here.taken()).toEqual([]);
});

test.skipIf(lacking)("hooks that the user's own configuration names in each repository are protected", async () => {
  using dir = scratch();
  dir.write({ "home/.gitconfig": "[core]\n\thooksPath = tools/hooks\n", "work/tools/hooks/pre-commit": "mine\n" });
  using here = sandboxed(dir.path);
  expect(await here.run("echo evil > tools/hooks/pre-commit; mv tools t")).toContain("Read-only file system");
  expect(readFileSync(here.at("tools/hooks/pre-commit"), "utf8")).toBe("mine\n");
});

test.skipIf(lacking)("a protected file that a command wrote by another of its names is as it was before", async () => {
  using dir = scratch();
  dir.write({ "work/.envrc": "mine\n", "work/a/.envrc": "mine\n" });
  linkSync(dir.at("work/.envrc"), dir.at("work/other"));
  linkSync(dir.at("work/a/.envrc"), dir.at("work/another"));
  using here = sandboxed(dir.path);
  await here.run("echo evil > other; echo evil > another; ln .envrc third");
  expect(await here.taken()).toEqual(["taken back .envrc", "taken back a/.envrc"]);
  for (const path of [".envrc", "a/.envrc"]) expect(readFileSync(here.at(path), "utf8")).toBe("mine\n");
});

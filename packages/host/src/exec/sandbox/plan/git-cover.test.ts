import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Scratch, scratch } from "@pith/kit/test";
import { sandboxed } from "../../../test/sandboxed.ts";

const skips = !Bun.which("bwrap") || !Bun.which("git");

/** A repository with a commit, and a program beside it that leaves a file when git runs it. */
function repository(dir: Scratch): { project: string; evil: string; canary: string } {
  const [project, canary] = [dir.at("work"), dir.at("work/ran")];
  dir.write({ "work/a.txt": "one\n" });
  dir.write({ "work/evil.sh": `#!/bin/sh\necho ran >&2\necho x > ${canary}\necho x > /tmp/ran\n` });
  const evil = join(project, "evil.sh");
  Bun.spawnSync(["chmod", "+x", evil]);
  const git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"];
  for (const words of [
    ["init", "-q"],
    ["add", "."],
    ["commit", "-qm", "x"],
  ])
    expect(Bun.spawnSync([...git, ...words], { cwd: project }).exitCode).toBe(0);
  return { project, evil, canary };
}

const looks = "git status; git diff; git log -1 --show-signature; git log --alternate-refs -1; ls /tmp/ran";

/** Ways to have git run a program, by what is added to the configuration; EVIL is the program. */
const configured: readonly string[] = [
  "[core]\n\tfsmonitor = EVIL\n",
  "# note \\\n[core]\n\tfsmonitor = EVIL\n",
  "[a]\n\tbar = x # c \\\n[core]\n\tfsmonitor = EVIL\n",
  "[a]\n\tname = x\\\\\n[core]\n\tfsmonitor = EVIL\n",
  "[core]\n\tfsmonitor = \\\nEVIL\n",
  '[core] fsmonitor = "EVIL"\n',
  "[CORE]\n\tfsMonitor = EVIL\n",
  "[core]\n\tpager = EVIL\n[pager]\n\tstatus = EVIL\n\tdiff = EVIL\n",
  "[diff]\n\texternal = EVIL\n",
  '[diff "x"]\n\ttextconv = EVIL\n',
  '[filter "x"]\n\tclean = EVIL\n\tsmudge = EVIL\n',
  "[include]\n\tpath = ../more\n",
  '[includeIf "gitdir:**"]\n\tpath = ../more\n',
  "[core]\n\thooksPath = hooks\n",
  "[core]\n\talternateRefsCommand = EVIL\n",
  "[gpg]\n\tprogram = EVIL\n[log]\n\tshowSignature = true\n",
  "[core]\n\tworktree = EVIL/..\n\tfsmonitor = EVIL\n",
  "[alias]\n\tstatus = !EVIL\n[core]\n\tfsmonitor = EVIL\n",
  '[core]\n\tsshCommand = EVIL\n[extensions]\n\tpartialClone = o\n[remote "o"]\n\turl = ssh://x/y\n\tpromisor = true\n',
];

test.skipIf(skips)(
  "nothing that the configuration of a repository names runs in the sandbox",
  async () => {
    for (const more of configured) {
      using dir = scratch();
      const { project, evil, canary } = repository(dir);
      const config = readFileSync(join(project, ".git/config"), "utf8");
      const fsmonitor = `[core]\n\tfsmonitor = ${evil}\n`;
      dir.write({
        "work/.git/config": config + more.replaceAll("EVIL", evil),
        "work/more": fsmonitor,
        "work/.gitattributes": "* diff=x filter=x\n",
        "work/a.txt": "two\n",
      });
      using place = sandboxed(dir.path);
      for (const side of ["inside", "reading"] as const) {
        const said = await place.run(looks, { side });
        expect([more, side, said.includes("a.txt"), /^ran$|^\/tmp\/ran$/m.test(said), existsSync(canary)]).toEqual([
          more,
          side,
          true,
          false,
          false,
        ]);
        rmSync(canary, { force: true });
      }
    }
  },
  120_000,
);

test.skipIf(skips)("hooks, and a commondir that leads elsewhere, count for nothing in the sandbox", async () => {
  using dir = scratch();
  const { project, evil, canary } = repository(dir);
  const script = readFileSync(evil, "utf8");
  for (const hook of ["pre-commit", "post-index-change", "post-checkout", "reference-transaction"]) {
    dir.write({ [`work/.git/hooks/${hook}`]: script });
    Bun.spawnSync(["chmod", "+x", join(project, ".git/hooks", hook)]);
  }
  const config = `[core]\n\tbare = false\n\tfsmonitor = ${evil}\n`;
  dir.write({ "work/cm/config": config, "work/cm/HEAD": "ref: refs/heads/main\n", "work/.git/commondir": "../cm \n" });
  mkdirSync(dir.at("work/cm/objects"));
  mkdirSync(dir.at("work/cm/refs"));
  using place = sandboxed(dir.path);
  const said = await place.run("git status; git -c user.name=a -c user.email=a@b commit -qam more; ls /tmp/ran");
  expect([/^ran$|^\/tmp\/ran$/m.test(said), existsSync(canary)]).toEqual([false, false]);
});

test.skipIf(skips)("a configuration that is a link, or too large to read, has git run nothing", async () => {
  using dir = scratch();
  const { project, evil, canary } = repository(dir);
  const config = join(project, ".git/config");
  const bad = `${readFileSync(config, "utf8")}[core]\n\tfsmonitor = ${evil}\n`;
  const commondir = join(project, ".git/commondir");
  const ways: Readonly<Record<string, () => void>> = {
    "too large": () => writeFileSync(config, `# ${"x".repeat(1 << 20)}\n${bad}`),
    "a link": () => symlinkSync("../more", config),
    "a way by a link": () => {
      dir.write({ "work/cm/config": bad, "work/cm/HEAD": "ref: refs/heads/main\n", "work/way": "../cm\n" });
      for (const name of ["objects", "refs"]) mkdirSync(dir.at("work/cm", name));
      symlinkSync("../way", commondir);
    },
  };
  dir.write({ "work/more": bad });
  for (const [name, make] of Object.entries(ways)) {
    for (const path of [config, commondir]) rmSync(path, { force: true });
    make();
    using place = sandboxed(dir.path);
    for (const side of ["inside", "reading"] as const) {
      const said = await place.run(looks, { side });
      const ran = [/^ran$|^\/tmp\/ran$/m.test(said), existsSync(canary)];
      expect([name, side, ...ran, said.includes("No commits yet")]).toEqual([name, side, false, false, false]);
    }
  }
});

test.skipIf(skips)(
  "a repository that the user trusts is what it says it is, and an ordinary one is not covered",
  async () => {
    using dir = scratch();
    const { project, evil } = repository(dir);
    const plain = readFileSync(join(project, ".git/config"), "utf8");
    dir.write({ "work/.git/config": `${plain}[core]\n\tfsmonitor = ${evil}\n` });
    using trusted = sandboxed(dir.path, { isTrusted: () => true });
    expect(await trusted.run("git status")).toContain("ran");
    dir.write({ "work/.git/config": `${plain}[remote "o"]\n\turl = https://example.com/x\n[lfs]\n\tx = y\n` });
    using place = sandboxed(dir.path);
    expect(await place.run("git remote -v; git config user.nickname x")).toContain("https://example.com/x");
  },
);

test.skipIf(skips)("a commit that skipped hooks says which, and names trust", async () => {
  using dir = scratch();
  const { project, evil } = repository(dir);
  const commit = "git -c user.name=a -c user.email=a@b commit --allow-empty -qm more 2>&1; ls /tmp/ran 2>/dev/null";
  const said = (hook: string) =>
    `pith: the hook ${hook} was not run, because nobody trusts this repository yet: pith trust\n`;
  for (const hook of ["pre-commit", "commit-msg", "post-index-change"])
    Bun.spawnSync(["cp", evil, join(project, ".git/hooks", hook)]);
  {
    using place = sandboxed(dir.path);
    for (const side of ["inside", "reading"] as const)
      expect(await place.run(commit, { side, writes: side === "inside" ? "project" : "layers" })).toBe(
        said("pre-commit") + said("commit-msg"),
      );
    expect(await place.run("git status --short")).not.toContain("pith:");
  }
  // As husky has it: a folder that git is pointed to, whose files run those above.
  dir.write({ "work/app/.husky/pre-push": "", "work/app/.husky/pre-commit": "", "work/app/.husky/_/pre-commit": "" });
  const config = readFileSync(join(project, ".git/config"), "utf8");
  dir.write({ "work/.git/config": `${config}[core]\n\thooksPath = app/.husky/_\n` });
  using place = sandboxed(dir.path);
  expect(await place.run(commit)).toBe(said("pre-commit"));
  using trusted = sandboxed(dir.path, { isTrusted: () => true });
  expect(await trusted.run(commit)).not.toContain("pith:");
});

test.skipIf(skips)("sixty repositories are covered like one", async () => {
  using dir = scratch();
  const { project, evil, canary } = repository(dir);
  Bun.spawnSync(["sh", "-c", `for i in $(seq 60); do mkdir r$i; cp -r .git r$i/.git; done`], { cwd: project });
  for (let at = 1; at <= 60; at++)
    writeFileSync(join(project, `r${at}/.git/config`), `[core]\n\tbare = false\n\tfsmonitor = ${evil}\n`);
  using place = sandboxed(dir.path);
  const said = await place.run("for r in r*; do git -C $r status --short | grep -c a.txt; done; ls /tmp/ran");
  expect([said.match(/^1$/gm)?.length, said.includes("/tmp/ran\n"), existsSync(canary)]).toEqual([60, false, false]);
});

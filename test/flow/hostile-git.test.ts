// Repositories that have git run their programs, in ways that a reader of configurations may miss.
import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { need } from "../need.ts";
import { pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const lacking = need("git") !== undefined;

/** Lines of a configuration by which git runs EVIL. */
const lines: readonly string[] = [
  "[core]\n\tfsmonitor = EVIL\n",
  "[core]\n\tfsmonitor = \\\nEVIL\n",
  '[core] fsmonitor = "EVIL"\n',
  "[CORE]\n\tFSmonitor=EVIL\n",
  "# note \\\n[core]\n\tfsmonitor = EVIL\n",
  "; note \\\n[core]\n\tfsmonitor = EVIL\n",
  "[user]\n\tname = x # c \\\n[core]\n\tfsmonitor = EVIL\n",
  "[user]\n\tname = x\\\\\n[core]\n\tfsmonitor = EVIL\n",
  '[user]\n\tname = "x\\\\"\n[core]\n\tfsmonitor = EVIL\n',
  "[user]\n\tname = x \\\n\\\n[core]\n\tname = y\n[core]\n\tfsmonitor = EVIL\n",
  "\ufeff[core]\n\tfsmonitor = EVIL\n",
  "[core]\r\n\tfsmonitor = EVIL\r\n",
  "[user] name = a\n[core]\nbare = false\n\tfsmonitor\t=\tEVIL ; c\n",
  '[core]\n\tfsmonitor = EV""IL\n',
  "[core]\n\tpager = EVIL\n[pager]\n\tstatus = EVIL\n\tdiff = EVIL\n\tlog = EVIL\n\tbranch = EVIL\n",
  "[diff]\n\texternal = EVIL\n",
  '[diff "x"]\n\ttextconv = EVIL\n',
  '[diff "x"]\n\tcommand = EVIL\n',
  '[filter "x"]\n\tclean = EVIL\n\tsmudge = EVIL\n\trequired = true\n',
  '[filter "x"]\n\tprocess = EVIL\n',
  "[include]\n\tpath = ../more\n",
  "[include]\n\tpath = more\n",
  '[includeIf "gitdir:**"]\n\tpath = ../more\n',
  '[includeIf "onbranch:**"]\n\tpath = ../more\n',
  '[includeIf "hasconfig:remote.*.url:**"]\n\tpath = ../more\n[remote "o"]\n\turl = https://h/x\n',
  "[core]\n\thooksPath = .\n",
  "[core]\n\talternateRefsCommand = EVIL\n",
  "[gpg]\n\tprogram = EVIL\n[log]\n\tshowSignature = true\n",
  '[gpg "ssh"]\n\tprogram = EVIL\n[gpg]\n\tformat = ssh\n[log]\n\tshowSignature = true\n',
  "[alias]\n\tstatus = !EVIL\n\tst = !EVIL\n[core]\n\tfsmonitor = EVIL\n",
  '[core]\n\tsshCommand = EVIL\n[extensions]\n\tpartialClone = o\n[remote "o"]\n\turl = ssh://x/y\n\tpromisor = true\n',
  '[remote "o"]\n\turl = "ext::EVIL"\n\tpromisor = true\n\tpartialCloneFilter = blob:none\n[protocol "ext"]\n\tallow = always\n',
  '[remote "o"]\n\turl = "ext::EVIL x"\n\tpartialclonefilter = blob:none\n[protocol]\n\tallow = always\n',
  '[remote "o"]\n\turl = x:y\n\tpromisor = true\n\tuploadpack = EVIL\n\tvcs = ../evil\n',
  "[credential]\n\thelper = !EVIL\n[core]\n\taskPass = EVIL\n\teditor = EVIL\n\tfsmonitor = EVIL\n",
  "[extensions]\n\tworktreeConfig = true\n",
  '[core]\n\tattributesFile = ../.gitattributes\n[diff "x"]\n\ttextconv = EVIL\n',
  '[trailer "x"]\n\tcommand = EVIL\n[core]\n\tgitProxy = EVIL\n\tfsmonitor = EVIL\n',
  "[column]\n\tui = always\n[interactive]\n\tdiffFilter = EVIL\n[core]\n\tfsmonitor = EVIL\n",
  "[submodule]\n\trecurse = true\n[core]\n\tfsmonitor = EVIL\n",
];

const git = (cwd: string, ...words: string[]) =>
  Bun.spawnSync(["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main", ...words], {
    cwd,
    env: { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" },
  });

/** An ordinary repository with a commit and a change, and a program beside it that leaves a file where it runs. */
function ordinary(top: string): string {
  mkdirSync(top, { recursive: true });
  const evil = join(top, "evil");
  writeFileSync(
    evil,
    `#!/bin/sh\necho ran > "${top}/RAN"\n[ -d /var/tmp/pith-* ] && echo ran > /tmp/RAN-${basename(top)}\nexit 0\n`,
  );
  chmodSync(evil, 0o755);
  for (const hook of ["post-index-change", "pre-commit"]) {
    writeFileSync(join(top, hook), `#!/bin/sh\nexec "${evil}"\n`);
    chmodSync(join(top, hook), 0o755);
  }
  writeFileSync(join(top, "a.txt"), "one\n");
  for (const words of [
    ["init", "-q"],
    ["add", "."],
    ["commit", "-qm", "x"],
  ])
    expect(git(top, ...words).exitCode).toBe(0);
  writeFileSync(join(top, "a.txt"), "two\n");
  writeFileSync(join(top, ".gitattributes"), "* diff=x filter=x\n");
  const fsmonitor = `[core]\n\tfsmonitor = ${evil}\n`;
  for (const file of ["more", ".git/more", ".git/config.worktree"]) writeFileSync(join(top, file), fsmonitor);
  return evil;
}

const append = (file: string, text: string) => writeFileSync(file, text, { flag: "a" });

/** Other places of a configuration than `.git/config`, or of what it says. */
const shapes: Record<string, (top: string, evil: string) => void> = {
  "a commondir": (top, evil) => {
    const common = join(top, "cm ");
    for (const name of ["objects", "refs"]) mkdirSync(join(common, name), { recursive: true });
    writeFileSync(join(common, "config"), `[core]\n\tbare = false\n\tfsmonitor = ${evil}\n`);
    writeFileSync(join(top, ".git/commondir"), "../cm \n");
  },
  "a long commondir": (top, evil) => {
    append(join(top, ".git/config"), `[core]\n\tfsmonitor = ${evil}\n`);
    writeFileSync(join(top, ".git/commondir"), "\n".repeat(5000));
  },
  "a file .git": (top, evil) => moved(top, "g", evil),
  "a file .git of two lines": (top, evil) => moved(top, "g\nh", evil),
  "a .git in a .git": (top, evil) => {
    moved(top, "g", evil);
    mkdirSync(join(top, "other"));
    git(join(top, "other"), "init", "-q");
    Bun.spawnSync(["mv", join(top, "g"), join(top, "other/.git/g")]);
    writeFileSync(join(top, ".git"), "gitdir: other/.git/g\n");
  },
  "a link .git": (top, evil) => {
    moved(top, "g", evil);
    rmSync(join(top, ".git"));
    symlinkSync("g", join(top, ".git"));
  },
  "a bare repository": (top, evil) => {
    append(join(top, ".git/config"), `\tfsmonitor = ${evil}\n\tworktree = .\n\tbare = false\n`);
    for (const name of readdirSync(join(top, ".git"))) Bun.spawnSync(["mv", join(top, ".git", name), join(top, name)]);
    rmSync(join(top, ".git"), { recursive: true });
  },
  "a linked work tree": (top, evil) => {
    git(top, "worktree", "add", "-q", "w");
    append(join(top, ".git/config"), `[core]\n\tfsmonitor = ${evil}\n`);
    append(join(top, "w/a.txt"), "more\n");
  },
  "a linked work tree of another": (top, evil) => {
    git(top, "worktree", "add", "-q", "w");
    const common = join(top, "cm");
    Bun.spawnSync(["cp", "-r", join(top, ".git"), common]);
    append(join(common, "config"), `[core]\n\tfsmonitor = ${evil}\n`);
    writeFileSync(join(top, ".git/worktrees/w/commondir"), "../../../cm\n");
  },
  "a submodule": (top, evil) => {
    mkdirSync(join(top, "s"));
    ordinary(join(top, "s"));
    git(top, "-c", "protocol.file.allow=always", "submodule", "add", "-q", "./s", "sub");
    git(top, "submodule", "absorbgitdirs");
    for (const dir of [".git/modules/sub", "s/.git"])
      if (existsSync(join(top, dir))) append(join(top, dir, "config"), `[core]\n\tfsmonitor = ${evil}\n`);
  },
  hooks: (top) => {
    for (const hook of ["post-index-change", "pre-commit", "reference-transaction", "post-checkout"])
      Bun.spawnSync(["cp", join(top, "pre-commit"), join(top, ".git/hooks", hook)]);
  },
};

function moved(top: string, name: string, evil: string): void {
  append(join(top, ".git/config"), `[core]\n\tfsmonitor = ${evil}\n`);
  Bun.spawnSync(["mv", join(top, ".git"), join(top, name)]);
  writeFileSync(join(top, ".git"), `gitdir: ${name}\n`);
}

/** Makes all of them in a project; the names say what is wrong with each. */
function hostile(dir: Scratch): string[] {
  const all = lines.map((text, at): [string, (top: string, evil: string) => void] => [
    `c${at}`,
    (top, evil) => {
      const first = text.startsWith("\ufeff");
      const file = join(top, ".git/config");
      const said = text.replaceAll("EVIL", evil).replace('EV""IL', `${dirname(evil)}/ev""il`);
      if (/promisor|partial/.test(text)) {
        // What is missing is fetched, by a program that the configuration names.
        const blob = git(top, "rev-parse", ":a.txt").stdout.toString().trim();
        rmSync(join(top, ".git/objects", blob.slice(0, 2), blob.slice(2)));
      }
      if (first) writeFileSync(file, `${said}[core]\n\trepositoryformatversion = 0\n`);
      else append(file, said);
    },
  ]);
  const more = Object.entries(shapes).map(([name, make]) => [name.replaceAll(" ", "-"), make] as const);
  return [...all, ...more].map(([name, make]) => {
    const top = dir.at("work", name);
    make(top, ordinary(top));
    return name;
  });
}

const looks = "git status; git diff; git log -1 -p; git show --stat; git blame a.txt; git log --alternate-refs";
const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });

/** Runs commands in a mode; the answer holds what they said. */
async function answers(dir: Scratch, commands: readonly string[], mode: string, sandbox: string): Promise<string> {
  const model = scripted(dir, ...commands.map(bash), { text: "done" });
  const argv = ["-p", "go", "--mode", "json", "--approval", mode, "--sandbox", sandbox, ...model];
  const { out } = await pith(dir, argv);
  expect(out.split('"tool_execution_end"').length).toBe(commands.length + 1);
  return out;
}

/** The repositories that have run something since the last look. */
const ran = (folders: readonly string[]): string[] =>
  folders.filter((folder) => {
    const file = join(folder, "RAN");
    const is = existsSync(file);
    rmSync(file, { force: true });
    return is;
  });

test.skipIf(lacking)(
  "nothing that git reads of fifty hostile repositories runs, in or out of the sandbox, without trust",
  async () => {
    using dir = scratch();
    const names = hostile(dir);
    expect(names.length).toBeGreaterThan(50);
    const folders = names
      .flatMap((name) => ["", "w", "sub", "s", "other"].map((one) => dir.at("work", name, one)))
      .filter((one) => existsSync(one));
    // Git itself, asked by nobody careful, runs most of them.
    for (const folder of folders) Bun.spawnSync(["sh", "-c", looks], { cwd: folder });
    expect(ran(folders).length).toBeGreaterThan(20);
    const found: string[] = [];
    for (const mode of ["plan", "auto"]) {
      const all = folders.map((folder) => `(cd '${folder}'; ${looks})`).join("\n");
      const out = await answers(dir, [`{ ${all}\n} >/dev/null; ls /tmp`], mode, "workspace");
      found.push(...ran(folders), ...(out.match(/RAN-[\w-]+/g) ?? []));
    }
    const alone = folders.flatMap((folder) => ["status", "diff"].map((word) => `git -C '${folder}' ${word}`));
    for (let at = 0; at < alone.length; at += 40) await answers(dir, alone.slice(at, at + 40), "write", "off");
    found.push(...ran(folders));
    expect(found).toEqual([]);
  },
  300_000,
);

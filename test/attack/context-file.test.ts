// Context files of a project go to a server and into the record before anybody was asked, so only the project's own
// files may be read.
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pith } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const secret = "-----BEGIN PRIVATE KEY-----";

/** A repository below which pith is started, with a key beside it. */
function repository(): Scratch {
  const dir = scratch();
  dir.write({ "home/.ssh/id": secret, "work/.git/HEAD": "ref: refs/heads/main\n", "work/CLAUDE.md": "Be kind." });
  return dir;
}

async function asked(dir: Scratch) {
  const ended = await pith(dir, ["-p", "hi", "--model", "faux/echo"]);
  expect(ended).toMatchObject({ code: 0, out: "hi\n" });
  return { recorded: records(dir.at("home", ".pith", "sessions")), err: ended.err };
}

const records = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");

const leads: [what: string, put: (dir: Scratch, path: string) => void, why: string][] = [
  ["a link to a key", (_, path) => symlinkSync("../home/.ssh/id", path), "leads out"],
  ["a link to a link to a key", (dir, path) => twice(dir, path), "leads out"],
  ["a link to the environment", (_, path) => symlinkSync("/proc/self/environ", path), "leads out"],
  ["an endless device", (_, path) => symlinkSync("/dev/zero", path), "is not a file"],
  ["a pipe nobody writes to", (_, path) => void Bun.spawnSync(["mkfifo", path]), "is not a file"],
  ["a file without end", (_, path) => void Bun.spawnSync(["truncate", "-s", "8G", path]), "is too large"],
  ["a directory", (_, path) => mkdirSync(path), "is not a file"],
];

function twice(dir: Scratch, path: string): void {
  symlinkSync("../home/.ssh", dir.at("work", "docs"));
  symlinkSync("docs/id", path);
}

test.each(leads)(
  "%s in the place of AGENTS.md is left out at once, told once, and the next file counts",
  async (_, put, why) => {
    using dir = repository();
    put(dir, dir.at("work", "AGENTS.md"));
    const { recorded, err } = await asked(dir);
    expect(recorded).not.toContain(secret);
    expect(recorded).toContain("Be kind.");
    expect(err.match(/AGENTS\.md: \S*\/AGENTS\.md: .*/g)).toEqual([expect.stringContaining(why)]);
  },
);

test("a link to another file of the repository is read", async () => {
  using dir = repository();
  dir.write({ "work/docs/agents.md": "Be brave." });
  symlinkSync("docs/agents.md", dir.at("work", "AGENTS.md"));
  const { recorded, err } = await asked(dir);
  expect(recorded).toContain("Be brave.");
  expect(err).not.toContain("AGENTS.md");
});

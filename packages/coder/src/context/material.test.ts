import { expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { type Scratch, scratch } from "@pith/kit/test";
import { capabilitiesIn } from "../test/capabilities.ts";
import { hashesOf, materialFrom } from "./material.ts";

const skill = (about: string) => `---\nname: deploy\ndescription: ${about}\n---\nDo it.\n`;

/** A project as it stood for a while: nothing in it is so new that it may change without another time. */
function standing(dir: Scratch) {
  dir.write({
    "user/.keep": "",
    "home/AGENTS.md": "Be brief.",
    "work/AGENTS.md": "Use tabs. See @more.md and @later.md",
    "work/more.md": "More.",
    "work/.claude/skills/deploy/SKILL.md": skill("how to deploy"),
    "work/.pith/rules/one.md": "---\nalwaysApply: true\n---\nNo any.",
  });
  symlinkSync(dir.at("work/mine.md"), dir.at("work/CLAUDE.local.md"));
  const old = ["work/AGENTS.md", "work/.claude/skills", "work/.claude/skills/deploy", "work/.pith/rules"];
  for (const name of [...old, "work/.pith/rules/one.md"]) utimesSync(dir.at(name), 1000, 1000);
  let revision = 0;
  const capabilities = capabilitiesIn(dir.at("work"), dir.at("home"), dir.at("user"));
  const material = materialFrom({ capabilities, skipped: () => {}, revision: () => revision });
  return { material, set: () => void revision++ };
}

test("what is told of configuration is not looked for again while nothing of it has changed", () => {
  using dir = scratch();
  const { material, set } = standing(dir);
  const first = material();
  expect(Object.keys(hashesOf(first))).toHaveLength(5);
  // What others write beside it is nobody's matter.
  writeFileSync(dir.at("work/main.ts"), "x");
  writeFileSync(dir.at("home/history"), "x");
  expect(material()).toBe(first);
  expect(hashesOf(material())).toBe(hashesOf(first));
  set();
  expect(material()).not.toBe(first);
  expect(hashesOf(material())).toEqual(hashesOf(first));
});

/** The system counts by its own ticks. */
function untilStamped(file: string, change: (file: string) => void): void {
  const { ctimeMs } = statSync(file);
  while (statSync(file).ctimeMs === ctimeMs) change(file);
}

const sameTime = (dir: Scratch, name: string, words: RegExp, others: string): void =>
  untilStamped(dir.at(name), (file) => {
    writeFileSync(file, readFileSync(file, "utf8").replace(words, others));
    utimesSync(file, 1000, 1000);
  });

const changes: Record<string, (dir: Scratch) => void> = {
  "a file of instructions was changed": (dir) => writeFileSync(dir.at("work/AGENTS.md"), "Use spaces."),
  "a file of instructions went": (dir) => rmSync(dir.at("home/AGENTS.md")),
  "a file of instructions came": (dir) => writeFileSync(dir.at("work/.cursorrules"), "Be kind."),
  "a folder of instructions came": (dir) =>
    dir.write({ "user/.codeium/windsurf/memories/global_rules.md": "Be kind." }),
  "an imported file was changed": (dir) => writeFileSync(dir.at("work/more.md"), "Less."),
  "an imported file came": (dir) => writeFileSync(dir.at("work/later.md"), "Now."),
  "a file of instructions was changed and kept its size and time": (dir) =>
    sameTime(dir, "work/AGENTS.md", /tabs/, "cats"),
  "a rule was changed and kept its size and time": (dir) => sameTime(dir, "work/.pith/rules/one.md", /any/, "way"),
  "a link leads to something now": (dir) => writeFileSync(dir.at("work/mine.md"), "Mine."),
  "a skill was changed": (dir) => dir.write({ "work/.claude/skills/deploy/SKILL.md": skill("another way") }),
  "a skill went": (dir) => rmSync(dir.at("work/.claude/skills/deploy"), { recursive: true }),
  "a skill came": (dir) =>
    dir.write({ "work/.claude/skills/test/SKILL.md": skill("how to test").replace("deploy", "test") }),
  "a rule came": (dir) => dir.write({ "work/.pith/rules/two.md": "---\nalwaysApply: true\n---\nNo console." }),
  "a rule was put in the place of another": (dir) => {
    dir.write({ "new.md": "---\nalwaysApply: true\n---\nNo way." });
    renameSync(dir.at("new.md"), dir.at("work/.pith/rules/one.md"));
  },
};

test.each(Object.entries(changes))("the next request is not told that %s", (_, change) => {
  using dir = scratch();
  const { material } = standing(dir);
  const before = hashesOf(material());
  expect(hashesOf(material())).toBe(before);
  change(dir);
  expect(hashesOf(material())).not.toEqual(before);
});

test("a skill that comes in the moment in which its folder was looked at is missed", () => {
  using dir = scratch();
  const { material } = standing(dir);
  mkdirSync(dir.at("work/.agents/skills"), { recursive: true });
  const before = hashesOf(material());
  const moment = new Date();
  utimesSync(dir.at("work/.agents/skills"), moment, moment);
  material();
  dir.write({ "work/.agents/skills/test/SKILL.md": skill("how to test").replace("deploy", "test") });
  utimesSync(dir.at("work/.agents/skills"), moment, moment);
  expect(hashesOf(material())).not.toEqual(before);
});

// Only who may give a file away can try it.
test.skipIf(process.getuid?.() !== 0)("a file is still told that was given to somebody else meanwhile", () => {
  using dir = scratch();
  mkdirSync(dir.at("work"));
  chmodSync(dir.at("work"), 0o777);
  const { material } = standing(dir);
  const rule = () => Object.keys(hashesOf(material())).filter((name) => name.startsWith("rule:"));
  expect(rule()).toHaveLength(1);
  untilStamped(dir.at("work/.pith/rules/one.md"), (file) => chownSync(file, 12345, 12345));
  expect(rule()).toEqual([]);
});

test.skipIf(process.getuid?.() !== 0)(
  "a stranger's file is still told in a directory that all may write to now",
  () => {
    using dir = scratch();
    dir.write({ "work/AGENTS.md": "" });
    chmodSync(dir.at("work"), 0o755);
    const { material } = standing(dir);
    chownSync(dir.at("work/AGENTS.md"), 12345, 12345);
    const files = () => material().files.map(({ path }) => path);
    expect(files()).toContain(dir.at("work/AGENTS.md"));
    chmodSync(dir.at("work"), 0o777);
    expect(files()).not.toContain(dir.at("work/AGENTS.md"));
    chmodSync(dir.at("work"), 0o755);
    expect(files()).toContain(dir.at("work/AGENTS.md"));
  },
);

// What a model is told in some projects, to the letter, with how many tokens that is. A change of it shows in the diff:
// PITH_GOLDEN=write writes the files anew.
import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "@pith/kit/test";
import { countText } from "@pith/llm";
import { capabilitiesIn } from "../test/capabilities.ts";
import { plainSettings } from "../test/settings.ts";
import { materialFrom } from "./material.ts";
import { systemPrompt, type WantedWords } from "./prompt.ts";
import { ownWords } from "./worded.ts";

const rule = (head: string, text: string) => `---\n${head}\n---\n${text}\n`;
const skill = (name: string, more = "") => rule(`name: ${name}\ndescription: how to ${name}\n${more}`.trim(), "Do it.");

const projects: Record<string, { files: Record<string, string>; wanted?: WantedWords }> = {
  empty: { files: {} },
  full: {
    files: {
      "work/AGENTS.md": "Use tabs. See @docs/style.md\n",
      "work/docs/style.md": "Short names.\n",
      "work/CLAUDE.md": "Run the tests.\n",
      "work/package.json": '{ "scripts": { "test": "true", "build": "true" } }',
      "work/.gitignore": "dist\n",
      "work/dist/out.js": "",
      "work/src/deep/a.ts": "",
      "work/src/deep/AGENTS.md": "Only here.\n",
      "work/.git/HEAD": "ref: refs/heads/topic\n",
      "work/.pith/skills/deploy/SKILL.md": skill("deploy"),
      "work/.claude/skills/review/SKILL.md": skill("review"),
      "work/.pith/skills/hidden/SKILL.md": skill("hidden", "disable-model-invocation: true"),
      "work/.pith/rules/always.md": rule("alwaysApply: true", "No any."),
      "work/.cursor/rules/ts.mdc": rule("description: for TypeScript\nglobs: '*.ts'", "Only for TypeScript."),
      "home/AGENTS.md": "Be brief.\n",
    },
  },
  custom: {
    files: {
      "work/.pith/SYSTEM.md": "You are ours.\n{{tools}}\n{{skills}}\n{{rules}}\n{{cwd}} stays.\n",
      "work/.pith/APPEND_SYSTEM.md": "And polite.\n",
      "work/.pith/skills/deploy/SKILL.md": skill("deploy"),
      "work/.pith/rules/always.md": rule("alwaysApply: true", "No any."),
    },
  },
  appended: { files: { "work/AGENTS.md": "Use tabs.\n" }, wanted: { append: "By a flag." } },
};

test.each(Object.entries(projects))("the model is told the same as ever in a project that is %s", (name, project) => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "home/.keep": "", "user/.keep": "", ...project.files });
  const capabilities = capabilitiesIn(dir.at("work"), dir.at("home"), dir.at("user"));
  const skipped = (text: string) => expect(text).toBe("nothing is left out");
  const { pieces, blocks } = systemPrompt({
    place: { cwd: dir.at("work"), userHome: dir.at("user"), platform: "linux", now: Date.UTC(2026, 4, 6) },
    capabilities,
    material: materialFrom({ capabilities, skipped }),
    wanted: project.wanted,
    own: () => ownWords(plainSettings({}), []),
    tools: () => [{ name: "read", description: "Reads a file. And more.", parameters: {} }],
    skipped,
  });
  const plain = (text: string) => text.replaceAll(dir.path, "");
  const rows = pieces.map(
    ({ part, file, text }) => `${part} ${plain(file ?? "")} ${Math.ceil(countText(plain(text)))} tokens`,
  );
  const told = blocks.map((block, at) => `=== block ${at + 1}\n${plain(block)}\n`).join("");
  const golden = join(import.meta.dir, "../../../../test/data/prompt", `${name}.txt`);
  const now = `${rows.map((row) => row.replace("  ", " ")).join("\n")}\n${told}`;
  if (process.env.PITH_GOLDEN === "write") writeFileSync(golden, now);
  expect(now).toBe(readFileSync(golden, "utf8"));
});

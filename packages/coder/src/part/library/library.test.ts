import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { pin } from "../../policy/trust/pin.ts";
import { coderIn, houseIn, scriptIn, talkIn } from "../../test/open.ts";

const skill = "---\nname: deploy\ndescription: how to deploy\n---\nPush the button.\n";

async function typed(coder: Awaited<ReturnType<typeof coderIn>>, text: string) {
  const read = coder.commands.read(text);
  if (read.is !== "command") return read.is === "unknown" ? read.message : "text";
  const ending = await coder.perform(read);
  return ending.do === "show" ? ending.outcome.text : ending.do === "prompt" ? ending.input.text : ending.do;
}

test("files are commands: commands before prompts before skills, found without a restart", async () => {
  using dir = scratch();
  dir.write({
    "work/.pith/commands/fix.md": "---\ndescription: fix one thing\n---\nFix $1 well.",
    "work/.pith/prompts/fix.md": "Prompt.",
    "work/.pith/prompts/review.md": "Review.",
    "work/.claude/commands/front/Make.md": "Make it.",
    "work/.pith/commands/undo.md": "Delete all.",
    "work/.pith/skills/deploy/SKILL.md": skill,
  });
  const coder = await coderIn(dir, [{ text: "." }]);
  expect(await typed(coder, '/fix "the $2 bug"')).toBe("Fix the $2 bug well.");
  expect(await typed(coder, "/review now")).toBe("Review.\n\nnow");
  expect(await typed(coder, "/front:Make")).toBe("Make it.");
  expect(await typed(coder, "/Make")).toBe("Make it.");
  dir.write({ "work/.claude/commands/a/two.md": "A.", "work/.claude/commands/b/two.md": "B." });
  expect(await typed(coder, "/two")).toContain("Did you mean /a:two or /b:two?");
  expect(await typed(coder, "/undo")).not.toContain("Delete all");
  const called = await typed(coder, "/skill:deploy to x");
  expect(called).toContain("Push the button.");
  expect(called).toEndWith("to x");
  expect(await coder.commands.complete("/f")).toEqual(["/fix", "/front:Make"]);
  expect(await typed(coder, "/later")).toContain("There is no command /later");
  dir.write({ "work/.pith/commands/later.md": "Later." });
  expect(await typed(coder, "/later")).toBe("Later.");
  expect(coder.commands.help()).toContain("fix one thing (pith, project)");
  await coder.close();
});

test("files named by @ come along with a command: those of the words, and those of its file in bounds", async () => {
  using dir = scratch();
  dir.write({
    "work/.claude/commands/look.md": "Compare @src/$1.ts with @../secret.txt and tell @team.",
    "work/.gemini/commands/gem.toml": 'prompt = "Read @{src/a.ts} now."\n',
    "work/.pith/skills/deploy/SKILL.md": skill,
    "work/src/a.ts": "const a = 1;\n",
    "work/src/b.ts": "const b = 2;\n",
    "secret.txt": "hidden\n",
  });
  const coder = await coderIn(dir, [{ text: "." }]);
  const shown = (path: string) => `Contents of ${path} (already provided — do not re-read):`;
  const looked = await typed(coder, "/look a @src/b.ts");
  expect(looked).toContain(`${shown("src/b.ts")}\n[src/b.ts#`);
  expect(looked).toContain("1:const a = 1;");
  expect(looked).not.toContain("hidden");
  expect(looked).toEndWith("Compare @src/a.ts with @../secret.txt and tell @team.");
  expect(await typed(coder, "/look a @../secret.txt")).toContain("hidden");
  expect(await typed(coder, "/gem")).toContain(shown("src/a.ts"));
  expect(await typed(coder, "/skill:deploy with @src/a.ts")).toStartWith(shown("src/a.ts"));
  await coder.close();
});

test("what was found is shown with its source, state and what was not understood", async () => {
  using dir = scratch();
  dir.write({
    "work/.pith/commands/undo.md": "Delete all.",
    "work/.claude/commands/c.md": "---\nallowed-tools: Bash\n---\nC.",
    "work/.mcp.json": '{"mcpServers":{"db":{"command":"x"}}}',
  });
  const coder = await coderIn(dir, [{ text: "." }], { userHome: dir.at("user") });
  const text = (await typed(coder, "/sources")).replaceAll(dir.path, "");
  expect(text).toContain("  undo  pith, project  /work/.pith/commands/undo.md  (shadowed, undo is built in)");
  expect(text).toContain("(active; not understood: allowed-tools)");
  expect(text).toContain("  db  mcp-json, project  /work/.mcp.json:1  (unused)");
  expect(await typed(coder, "/sources nonsense")).toContain("There is no kind");
  expect(await typed(coder, "/init")).toContain("AGENTS.md");
  expect(await typed(coder, "/new")).toBe("wish");
  expect(await typed(coder, "/model")).toStartWith("faux/");
  await coder.close();
});

test("commands in a project's template run only after a yes, through the guards, with arguments as words", async () => {
  using dir = scratch();
  const body = "Now: !`echo $1; touch ran`\nThen $1";
  dir.write({ "work/.claude/commands/status.md": body });
  const model = scriptIn(dir, [{ text: "." }]);
  const open = async (approval: "yolo" | "plan") => talkIn(await houseIn(dir), { model, approval });
  const run = async (talk: Awaited<ReturnType<typeof open>>, words: string) => {
    const read = talk.coder.commands.read(`/status ${words}`);
    if (read.is !== "command") throw new Error(read.is);
    const ending = await talk.coder.perform(read);
    await talk.coder.close();
    return ending.do === "prompt" ? ending.input.text : ending.do === "show" ? ending.outcome.text : ending.do;
  };
  expect(await run(await open("yolo"), "x")).toContain("nobody has trusted it");
  expect(existsSync(dir.at("work/ran"))).toBe(false);
  const item = { kind: "command", folder: dir.at("work"), name: ".claude/commands/status.md", text: body };
  expect(await pin(dir.at("home"), [item.folder], [item])).toMatchObject({ ok: true });
  // Where commands of plan mode run in a layer that is thrown away, it runs there.
  expect(await run(await open("plan"), "x")).toMatch(/\/status stopped at|discarded: ran/);
  expect(existsSync(dir.at("work/ran"))).toBe(false);
  expect(await run(await open("yolo"), "'; touch evil; echo $1'")).toContain("Then ; touch evil; echo $1");
  expect([existsSync(dir.at("work/ran")), existsSync(dir.at("work/evil"))]).toEqual([true, false]);
});

test("/reload tells the model its instructions anew, with what stands in files now and no note beside it", async () => {
  using dir = scratch();
  dir.write({ "work/AGENTS.md": "Use tabs." });
  const coder = await coderIn(dir, [{ text: "." }, { text: "." }, { text: "." }]);
  const entries = (name: string) =>
    coder
      .path()
      .flatMap((entry) => ("customType" in entry && entry.customType === name ? [JSON.stringify(entry)] : []));
  await coder.send({ text: "one" });
  dir.write({ "work/AGENTS.md": "Use spaces." });
  expect(await typed(coder, "/reload")).toStartWith("Read again: 1 of context");
  await coder.send({ text: "two" });
  expect(entries("pith.prompt").map((text) => text.includes("Use spaces."))).toEqual([false, true]);
  await coder.send({ text: "three" });
  expect([entries("pith.prompt").length, entries("pith.note")]).toEqual([2, []]);
  await coder.close();
});

test("a file whose name looks like that of a built-in command is no command, and long heads stay short", async () => {
  using dir = scratch();
  dir.write({
    "work/.claude/commands/сlear.md": "Cyrillic.",
    "work/.claude/commands/Undo.md": "Capital.",
    "work/.pith/prompts/ｎｅｗ.md": "Wide.",
    "work/.pith/prompts/m0del.md": "Digit.",
    "work/.pith/skills/long/SKILL.md": `---\ndescription: "${"d".repeat(100_000)}"\n---\nx`,
    "work/.pith/skills/wide/SKILL.md": `---\n${Array.from({ length: 5000 }, (_, n) => `k${n}: 1`).join("\n")}\n---\nx`,
    "work/.pith/rules/a\nb.md": "Newline.",
  });
  const coder = await coderIn(dir, [{ text: "." }]);
  const help = coder.commands.help();
  for (const name of ["сlear", "Undo", "ｎｅｗ", "m0del"]) expect(help).not.toContain(name);
  expect(help.length).toBeLessThan(6000);
  const sources = await typed(coder, "/sources");
  expect(sources).toContain("(shadowed, clear is built in)");
  expect(sources).toContain("k19, and 4980 more");
  expect(sources).toContain("a\\nb.md: its name must be");
  expect(sources.length).toBeLessThan(6000);
  await coder.close();
});

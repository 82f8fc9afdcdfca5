import { expect, test } from "bun:test";
import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { until } from "../../packages/kit/src/test/index.ts";
import { full } from "../full.ts";
import { need } from "../need.ts";
import { scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { tmuxed } from "../tmux.ts";

const write = (path: string, content: string) => ({ calls: [{ tool: "write", input: { path, content } }] });
const records = (home: string): string[] =>
  readdirSync(home, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".jsonl") && name.includes("--"),
  );

test.skipIf(need("tmux") !== undefined)(
  "/tree goes back to what was said, which stands in the composer again",
  async () => {
    using dir = scratch();
    using at = tmuxed(dir, scripted(dir, { text: "One." }, { text: "Two." }));
    await at.idle();
    for (const [said, answered] of [
      ["first words", "One."],
      ["second words", "Two."],
    ] as const) {
      at.type(`${said}\r`);
      await at.sees(answered);
      await at.idle();
    }
    at.type("/tree\r");
    await at.sees("tree (default,");
    await at.sees("(here)");
    at.type("second");
    await at.sees("tree (default, 1 entry)");
    at.type("\r");
    await at.sees("Summarize with custom prompt");
    at.type("\x1b");
    // A letter right behind Escape would be another key.
    await at.gone("Summarize with custom prompt");
    await at.sees("search: second");
    await at.sees("tree (default, 1 entry)");
    at.type("\r");
    await at.sees("No summary");
    at.type("\r");
    await at.sees("❯ second words");
    await at.gone("Two.");
    at.type(" again\r");
    await at.sees("❯ second words again");
    await at.sees("Two.");
    await at.leave();
  },
);

test.skipIf(need("tmux") !== undefined)(
  "/tree marks a place with a label, filters, and says where one is",
  async () => {
    using dir = scratch();
    using at = tmuxed(dir, scripted(dir, { text: "One." }));
    await at.idle();
    at.type("first words\r");
    await at.sees("One.");
    await at.idle();
    at.type("/tree\r");
    await at.sees("(here)");
    at.type("L");
    await at.sees("label:");
    at.type("mark\r");
    await at.sees("[mark]");
    at.type("\x1bu");
    await at.sees("tree (user-only, 1 entry)");
    at.type("\x1bl");
    await at.sees("tree (labeled-only, 1 entry)");
    at.type("\r");
    await at.sees("Already at this point.");
    await at.leave();
  },
);

test("/tree takes half of the window, at least five rows, around the chosen one, pages left and right", async () => {
  using dir = scratch();
  const timestamp = "2026-01-01T00:00:00.000Z";
  const id = "00000000-0000-7000-8000-000000000001";
  const head = { type: "session", version: 3, id, timestamp, cwd: dir.at("work") };
  const key = (i: number) => String(i).padStart(8, "0");
  const said = Array.from({ length: 100 }, (_, i) => ({
    type: "message",
    id: key(i + 1),
    parentId: i === 0 ? null : key(i),
    timestamp,
    message: { role: "user", content: `words ${i + 1}.`, timestamp: 0 },
  }));
  dir.write({ "s.jsonl": [head, ...said].map((row) => `${JSON.stringify(row)}\n`).join("") });
  for (const [rows, seen] of [
    [40, 20],
    [24, 12],
    [8, 5],
  ] as const) {
    const at = full(dir, ["-r", dir.at("s.jsonl"), ...scripted(dir, { text: "One." })], { rows });
    await at.idle();
    at.type("/tree\r");
    const row = /^([❯ ]) • words (\d+)\./gm;
    const listed = () => [...at.grid().matchAll(row)].map(([, sign, n]) => ({ chosen: sign === "❯", n: Number(n) }));
    const chosen = (n: number) => until(() => listed().some((one) => one.chosen && one.n === n), `row ${n}`);
    await chosen(100);
    expect(listed()).toHaveLength(seen);
    at.type("\x1b[D");
    await chosen(100 - seen);
    const middle = listed().findIndex((one) => one.chosen);
    expect([listed().length, middle]).toEqual([seen, Math.floor(seen / 2)]);
    at.type("\x1b[D");
    await chosen(100 - 2 * seen);
    at.type("\x1b[C");
    await chosen(100 - seen);
    at.type("\x1b[H");
    await chosen(1);
    at.type("\x1b[A");
    await chosen(100);
    at.type("\x1b");
    await until(() => listed().length === 0 || !at.grid().includes("tree ("), "a closed tree");
    await at.leave();
  }
});

test("/tree is as it was when one comes back to it, and stays near what was chosen", async () => {
  using dir = scratch();
  const at = full(dir, scripted(dir, { text: "One." }, { text: "Two." }));
  await at.idle();
  for (const [said, answered] of [
    ["first words", "One."],
    ["second words", "Two."],
  ] as const) {
    at.type(`${said}\r`);
    await at.sees(answered);
    await at.idle();
  }
  at.type("/tree\r");
  await at.sees("tree (default, 4 entries)");
  at.type("\x1bu");
  await at.sees("❯ • second words");
  at.type("first");
  await at.sees("❯ • first words");
  at.type("\r");
  await at.sees("No summary");
  at.type("\x1b");
  await at.sees("tree (user-only, 1 entry)");
  await at.sees("search: first");
  at.type("L\x1b[200~pasted\x1b[201~");
  await at.sees("label: pasted");
  at.type("\x03");
  await at.gone("label: pasted");
  await at.gone("tree (user-only");
  await at.leave();
});

test.skipIf(need("tmux") !== undefined)(
  "/resume finds a session by a word that was said in it, and goes on with it",
  async () => {
    using dir = scratch();
    using first = tmuxed(dir, scripted(dir, { text: "The password of the day is xylophone." }));
    await first.idle();
    first.type("tell me\r");
    await first.sees("xylophone");
    await first.idle();
    await first.leave();
    using at = tmuxed(dir, scripted(dir, { text: "Hello." }, { text: "Again." }));
    await at.idle();
    at.type("something else\r");
    await at.sees("Hello.");
    await at.idle();
    at.type("/resume\r");
    await at.sees("find:");
    at.type("xylophone");
    await at.sees("assistant: ");
    at.type("\r");
    await at.sees("The password of the day");
    await at.gone("something else");
    await at.leave();
  },
);

test.skipIf(need("tmux") !== undefined)("-r alone is the picker", async () => {
  using dir = scratch();
  using first = tmuxed(dir, scripted(dir, { text: "One." }));
  await first.idle();
  first.type("only this\r");
  await first.sees("One.");
  await first.idle();
  await first.leave();
  using at = tmuxed(dir, ["-r", ...scripted(dir, { text: "One." }, { text: "Two." })]);
  await at.sees("only this");
  at.type("\r");
  await at.sees("One.");
  await at.leave();
});

test.skipIf(need("tmux") !== undefined)("/diff takes one hunk back and leaves the other", async () => {
  using dir = scratch();
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  dir.write({ "work/a.txt": `${lines.join("\n")}\n` });
  const changed = lines.with(1, "changed early").with(18, "changed late");
  using at = tmuxed(dir, ["--yolo", ...scripted(dir, write("a.txt", `${changed.join("\n")}\n`), { text: "Done." })]);
  await at.idle();
  at.type("go\r");
  await at.sees("Done.");
  await at.idle();
  at.type("/diff\r");
  await at.sees("changes of the session: 2 hunks");
  await at.sees("changed early");
  at.type("\x1bz");
  await at.sees("changes of the session: 1 hunk");
  expect(readFileSync(dir.at("work/a.txt"), "utf8")).toBe(`${lines.with(18, "changed late").join("\n")}\n`);
  at.type("\x03");
  await at.leave();
});

test("/theme shows each theme and is as it was when it is left; Enter keeps one", async () => {
  using dir = scratch();
  const at = full(dir, scripted(dir, { text: "Hi." }), { columns: 160, env: { COLORTERM: "truecolor" } });
  await at.idle();
  const accent = { titanium: "38;2;139;174;199", ember: "38;2;235;150;76" };
  expect(at.bytes()).toContain(accent.titanium);
  at.type("/theme\r");
  await at.sees("themes for dark backgrounds");
  expect(at.bytes()).not.toContain(accent.ember);
  at.type("ember");
  await at.sees("❯ ember");
  expect(at.bytes()).toContain(accent.ember);
  at.type("\r");
  await at.sees("the theme is ember from now on");
  expect(readFileSync(dir.at("home/.pith/config.yml"), "utf8")).toContain("ember");
  await at.leave();
});

test.skipIf(need("tmux") !== undefined)(
  "/settings changes a setting, says when it counts, and refuses what it is not",
  async () => {
    using dir = scratch();
    using at = tmuxed(dir, scripted(dir, { text: "Hi." }));
    await at.idle();
    at.type("/settings\r");
    await at.sees("applies from the next session");
    at.type("retry.max");
    await at.sees("❯ retry.max");
    at.type("\r");
    at.type("\x15many\r");
    await at.sees("expected");
    at.type("\x157\r");
    await at.sees("7 (global)");
    expect(readFileSync(dir.at("home/.pith/config.yml"), "utf8")).toMatch(/max: 7|retry\.max: 7/);
    at.type("\x03");
    await at.leave();
  },
);

test("tasks stand above what is typed, marked where they may be behind", async () => {
  using dir = scratch();
  const ops = (...list: object[]) => ({ calls: [{ tool: "todo", input: { ops: list } }] });
  const init = ops({ op: "init", list: [{ phase: "Build", items: ["parser\u202e\u001b[2J", "printer"] }] });
  const at = full(
    dir,
    scripted(dir, init, ops({ op: "done", task: "no such task" }), { text: "Well." }, { text: "So." }),
  );
  await at.idle();
  at.type("go\r");
  await at.sees("Build 0 of 2");
  await at.sees("may be behind");
  expect(at.bytes()).not.toContain("\x1b[2Jprinter");
  expect(at.grid()).not.toContain("\u202e");
  await at.leave();
});

test("/name, /fork, /export, /copy and /debug do what they say", async () => {
  using dir = scratch();
  dir.write({ "bin/xclip": `#!/bin/sh\ncat > "${dir.at("copied")}"\n` });
  const at = full(dir, scripted(dir, { text: "Take:\n\n```sh\necho one\n```\n\n```sh\necho two\n```" }), {
    columns: 120,
    env: { PATH: `${dir.at("bin")}:${process.env.PATH}`, DISPLAY: ":9" },
  });
  await Bun.write(dir.at("bin/xclip"), `#!/bin/sh\ncat > "${dir.at("copied")}"\n`);
  (await import("node:fs")).chmodSync(dir.at("bin/xclip"), 0o755);
  await at.idle();
  at.type("/copy\r");
  await at.sees("no message to copy yet");
  at.type("go\r");
  await at.sees("echo two");
  await at.idle();
  at.type("/copy code 2\r");
  await at.sees("Copied the code");
  expect(readFileSync(dir.at("copied"), "utf8")).toBe("echo one\n");
  at.type("/name My\u001b[31m work\r");
  await at.sees("was renamed");
  at.type("/export md out.md\r");
  await at.sees("The session is in");
  expect(readFileSync(dir.at("work/out.md"), "utf8")).toContain("echo one");
  at.type("/fork\r");
  await at.sees("This is a copy");
  expect(records(dir.at("home")).length).toBe(2);
  at.type("/debug\r");
  await at.sees("an archive of session");
  at.type("\r");
  await at.sees("The report is");
  await at.leave();
});

test("dialogs are said and typed at where a screen is listened to", async () => {
  using dir = scratch();
  const at = full(dir, ["--screen-reader", ...scripted(dir, { text: "One." })]);
  await at.wrote("pith");
  at.type("first words\r");
  await at.wrote("One.");
  at.type("/tree\r");
  await at.wrote("answer: One.");
  at.type("\x1b[A");
  await at.wrote("> answer: One.");
  at.type("\x03");
  at.type("/theme\r");
  await at.wrote("titanium");
  at.type("\x03");
  at.type("/context\r");
  await at.wrote("tokens are used");
  at.type("\x03");
  at.type("/transc");
  await at.wrote("suggested: /transcript, 1 of 1");
  await at.leave();
  expect(at.tape()).not.toMatch(/[\u2500-\u259f]/);
});

test("names of strangers are names in every dialog", async () => {
  using dir = scratch();
  const evil = "\u001b]0;owned\u0007\u009b2J\u202e";
  dir.write({ "home/.pith/themes/x.json": `{"name": "${JSON.stringify(evil).slice(1, -1)}"` });
  symlinkSync("/dev/zero", dir.at("home/.pith/themes/zero.json"));
  const at = full(dir, scripted(dir, { text: `Said ${evil}` }));
  await at.idle();
  at.type("hello\r");
  await at.sees("Said");
  await at.idle();
  for (const [command, seen] of [
    ["/tree", "tree ("],
    ["/theme", "themes for"],
    ["/debug", "debug"],
  ] as const) {
    at.type(`${command}\r`);
    await at.sees(seen);
    if (command === "/theme") {
      at.type("zero");
      await at.sees("❯ zero");
      at.type("\x1b");
    }
    at.type("\x1b");
    await at.gone(seen);
  }
  expect(at.bytes()).not.toContain("\x1b]0;owned");
  expect(at.bytes()).not.toContain("\u009b2J");
  await at.leave();
});

test("/undo and /keep complete the files that were changed, also those with spaces", async () => {
  using dir = scratch();
  const write = (path: string) => ({ tool: "write", input: { path, content: "2\n" } });
  const calls = [write("alpha.txt"), write("beta file.txt")];
  const at = full(dir, ["--yolo", ...scripted(dir, { calls }, { text: "One." })]);
  await at.idle();
  at.type("go\r");
  await at.sees("One.");
  await at.idle();
  at.type("/undo beta f");
  await at.sees("❯ beta file.txt");
  at.type("\t");
  await at.sees("❯ /undo beta file.txt");
  at.type("\r");
  await at.sees("(1 file)");
  at.type("/keep alpha.txt\r");
  await at.sees("Kept alpha.txt as");
  at.type("/undo alpha.txt\r");
  await at.sees("This session has no change of alpha.txt");
  expect(readdirSync(dir.at("work")).filter((name) => name.endsWith(".txt"))).toEqual(["alpha.txt"]);
  await at.leave();
});

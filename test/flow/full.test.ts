import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { until } from "../../packages/kit/src/test/index.ts";
import { full } from "../full.ts";
import { need } from "../need.ts";
import { main, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";
import { tmuxed } from "../tmux.ts";

const asking = ["--approval", "ask"];
const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });

/** All that is kept of what is typed. */
function drafts(dir: Scratch): string {
  const folder = dir.at("home/.pith/drafts");
  if (!existsSync(folder)) return "";
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => readFileSync(dir.at("home/.pith/drafts", name), "utf8"))
    .join("\n");
}

test.skipIf(need("tmux") !== undefined)(
  "a conversation on the whole screen: what is said, streamed and called stands there in order",
  async () => {
    using dir = scratch();
    using at = tmuxed(dir, [
      "--yolo",
      ...scripted(dir, { text: "I look.", ...bash("echo found it") }, { text: "# Done\n\nIt was **there**." }),
    ]);
    await at.idle();
    at.type("where is it?\r");
    await at.sees("It was there.");
    await at.idle();
    const rows = at.tape().split("\n");
    const order = ["❯ where is it?", "I look.", "bash echo found it", "found it", "Done", "It was there."];
    const places = order.map((text) => rows.findIndex((row) => row.includes(text)));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    await at.idle();
    expect(await at.leave()).toBe(0);
  },
);

test.skipIf(need("tmux") !== undefined)(
  "a question shows what will run and takes y, but not what was typed ahead of it",
  async () => {
    using dir = scratch();
    using at = tmuxed(dir, [...asking, ...scripted(dir, bash("touch made"), { text: "Made." })]);
    await at.idle();
    at.type("go\r");
    await at.sees("$ touch made");
    at.type("yes, and so on");
    await at.sees("es, and so on");
    expect(existsSync(dir.at("work/made"))).toBe(false);
    at.type("\x15");
    await at.takesKeys();
    at.type("y");
    await at.sees("Made.");
    expect(existsSync(dir.at("work/made"))).toBe(true);
    await at.leave();
  },
);

test.skipIf(need("tmux") !== undefined)("what is typed while pith starts is kept", async () => {
  using dir = scratch();
  using at = tmuxed(dir, scripted(dir, { text: "Heard {{user}}." }));
  at.type("early words");
  await at.sees("❯ early words");
  at.type("\r");
  await at.sees("Heard early words.");
  await at.leave();
});

test("a start that fails gives the terminal back and says why", async () => {
  using dir = scratch();
  const at = full(dir, ["--model", "nobody/nothing"]);
  expect(await at.child.exited).toBe(2);
  expect(at.tape()).toContain("pith: ");
  expect(at.bytes()).toContain("\x1b[?2004l");
});

test("what is typed survives a kill, and the next pith there has it", async () => {
  using dir = scratch();
  const first = full(dir, scripted(dir, { text: "." }));
  await first.idle();
  first.type("half a thou");
  await first.sees("❯ half a thou");
  await until(() => drafts(dir).includes("half a thou"), "a draft");
  first.child.kill("SIGKILL");
  await first.child.exited;
  const next = full(dir, scripted(dir, { text: "." }));
  await next.sees("❯ half a thou");
  await next.leave();
});

test.skipIf(need("tmux") !== undefined)("Escape stops the turn and brings back what waited, for good", async () => {
  using dir = scratch();
  using at = tmuxed(dir, ["--yolo", ...scripted(dir, bash("sleep 30"), { text: "Never." })]);
  await at.idle();
  at.type("go\r");
  await at.sees("running bash");
  at.type("and this later\x1b\r");
  await at.sees("later: and this later");
  at.type("\x1b");
  await at.sees("❯ and this later");
  await at.sees("Interrupted.");
  await at.gone("later:");
  at.type("\x03");
  await at.idle();
  expect(await at.leave()).toBe(0);
  using again = tmuxed(dir, ["-c", ...scripted(dir, { text: "." }, { text: "Heard: {{user}}" })]);
  await again.idle();
  again.type("hello\r");
  await again.sees("Heard: hello");
  expect(again.tape()).not.toContain("and this later");
  await again.leave();
});

test("Ctrl+C clears what is typed, stops a turn, and twice leaves with 130 while one runs", async () => {
  using dir = scratch();
  const at = full(dir, ["--yolo", ...scripted(dir, bash("sleep 30"), { text: "Never." })]);
  await at.idle();
  at.type("draft");
  await at.sees("❯ draft");
  at.type("\x03");
  await at.idle();
  await at.takesKeys();
  at.type("go\r");
  await at.sees("running bash");
  expect(await at.leave()).toBe(130);
});

test("a long conversation that is resized stands in the terminal once, in order", async () => {
  using dir = scratch();
  const lines = Array.from({ length: 60 }, (_, at) => `line number ${at} of the answer`).join("\n\n");
  const at = full(dir, scripted(dir, { text: lines }, { text: "Second." }));
  await at.idle();
  at.type("go\r");
  await at.wrote("line number 59");
  await at.idle();
  at.resize(60, 20);
  await at.idle();
  at.resize(100, 30);
  // Both sizes are painted.
  await Bun.sleep(300);
  await at.idle();
  at.type("more\r");
  await at.sees("Second.");
  await at.idle();
  const rows = at.tape().split("\n");
  for (let n = 0; n < 60; n++)
    expect([n, rows.filter((row) => row.includes(`line number ${n} of`)).length]).toEqual([n, 1]);
  expect(rows.findIndex((row) => row.includes("number 59"))).toBeLessThan(
    rows.findIndex((row) => row.includes("Second.")),
  );
  await at.leave();
});

test("those who listen hear every row once, as plain lines, and answer by typing", async () => {
  using dir = scratch();
  const at = full(dir, [
    "--screen-reader",
    ...asking,
    ...scripted(dir, { text: "Look.", ...bash("touch said") }, { text: "All done." }),
  ]);
  await at.wrote(">");
  at.type("go\r");
  await at.wrote("runs: touch said");
  await at.takesKeys();
  at.type("y");
  await at.wrote("All done.");
  expect(
    at
      .tape()
      .split("\n")
      .filter((row) => row.includes("All done.")),
  ).toHaveLength(1);
  expect(at.bytes()).not.toContain("\x1b[2J");
  await at.leave();
});

test.skipIf(need("tmux") !== undefined)(
  "a resumed session stands below a line that counts what is above it",
  async () => {
    using dir = scratch();
    const turns = Array.from({ length: 3 }, (_, at) => ({
      text: Array.from({ length: 300 }, (_, row) => `row ${at}/${row}`).join("\n\n"),
    }));
    const argv = scripted(dir, ...turns);
    using first = tmuxed(dir, argv);
    await first.idle();
    for (const [at] of turns.entries()) {
      first.type(`turn ${at}\r`);
      await first.wrote(`row ${at}/299`);
      await first.idle();
    }
    await first.leave();
    using again = tmuxed(dir, ["-c", ...argv]);
    await again.wrote("row 2/299");
    await again.wrote("messages above: /transcript shows them");
    expect(again.tape()).not.toContain("row 0/0\n");
    await again.leave();
  },
);

test.skipIf(need("tmux") !== undefined)("single hunks of an edit can be left out, and the model is told", async () => {
  using dir = scratch();
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  dir.write({ "work/a.txt": `${lines.join("\n")}\n` });
  const content = `${lines.with(1, "first change").with(35, "second change").join("\n")}\n`;
  const argv = scripted(
    dir,
    { calls: [{ tool: "read", input: { path: "a.txt" } }] },
    { calls: [{ tool: "write", input: { path: "a.txt", content } }] },
    { text: "Told: {{result}}" },
  );
  using at = tmuxed(dir, [...asking, ...argv], { rows: 40 });
  await at.idle();
  at.type("go\r");
  await at.sees("Space leaves a hunk out");
  await at.takesKeys();
  at.type("2");
  await at.sees("(left out)");
  at.type("y");
  await at.wrote("refused 1 hunk");
  const text = readFileSync(dir.at("work/a.txt"), "utf8");
  expect([text.includes("first change"), text.includes("second change")]).toEqual([true, false]);
  await at.leave();
});

test.skipIf(need("tmux") !== undefined)(
  "a question of the model is answered from its list, and a no can have a reason",
  async () => {
    using dir = scratch();
    const ask = {
      tool: "ask",
      input: { questions: [{ id: "q", question: "Which colour?", options: [{ label: "Red" }, { label: "Green" }] }] },
    };
    using at = tmuxed(
      dir,
      [
        ...asking,
        ...scripted(
          dir,
          { calls: [ask] },
          { text: "So: {{result}}", ...bash("touch x") },
          { text: "Then: {{result}}" },
        ),
      ],
      { rows: 40 },
    );
    await at.idle();
    at.type("a draft that stays");
    await at.sees("a draft that stays");
    at.type("\x15go\r");
    // Its card says the same, and earlier.
    await at.sees("up/down, 1-");
    await at.takesKeys();
    at.type("\x1b[B\r");
    await at.wrote("So: ");
    await at.sees("$ touch x");
    at.type("kept words");
    await at.sees("❯ kept words");
    await at.takesKeys();
    at.type("r");
    await at.sees("says no with what you type");
    at.type("not today\r");
    await at.wrote("not today");
    await at.sees("❯ kept words");
    expect(at.tape()).toContain("Green");
    at.type("\x15");
    await at.leave();
  },
);

test.skipIf(need("tmux") !== undefined)(
  "what was said and shown can be seen whole: ctrl+o, /transcript, and Escape closes",
  async () => {
    using dir = scratch();
    using at = tmuxed(dir, ["--yolo", ...scripted(dir, bash("seq 1 200"), { text: "Counted." })]);
    await at.idle();
    at.type("go\r");
    await at.sees("Counted.");
    await at.idle();
    expect(at.tape()).not.toMatch(/^ *100$/m);
    at.type("\x0f");
    await at.sees("Esc closes");
    await at.sees("bash seq 1 200");
    at.type("\x1b");
    await at.gone("Esc closes");
    at.type("/transcript\r");
    await at.sees("the whole conversation");
    at.type("\x1b");
    await at.idle();
    await at.leave();
  },
);

test.skipIf(need("tmux") !== undefined)(
  "a command of one's own shows its output while it runs, and Escape ends it alone",
  async () => {
    using dir = scratch();
    using at = tmuxed(dir, scripted(dir, { text: "." }));
    await at.idle();
    at.type("!echo begun; sleep 30\r");
    await at.sees("begun");
    at.type("\x1b");
    await at.sees("cancelled");
    await at.idle();
    await at.leave();
  },
);

test("Ctrl+Z goes to the shell with the terminal as it was, and fg brings all of it back", async () => {
  using dir = scratch();
  dir.write({ "work/.keep": "", "home/.keep": "" });
  const argv = scripted(dir, { text: "Answered." });
  const at = full(dir, [], { shell: ["bash", "--norc", "-i"], env: { PS1: "shell> " } });
  await at.sees("shell>");
  at.type(`${[process.execPath, main, ...argv].join(" ")}\r`);
  await at.sees("❯");
  at.type("say\r");
  await at.sees("Answered.");
  await at.idle();
  at.type("half");
  await at.sees("❯ half");
  at.type("\x1a");
  await at.sees("Stopped");
  at.type("stty -a | grep -o ' icanon'\r");
  await at.sees(" icanon");
  at.type("fg\r");
  await at.sees("❯ half");
  at.type(" more");
  await at.sees("❯ half more");
  expect(at.tape().split("Answered.").length).toBe(2);
  at.type("\x15/tree\r");
  await at.sees("tree (default");
  at.type("\x1a");
  await until(() => at.tape().split("Stopped").length === 3, "the shell again");
  at.type("fg\r");
  await at.sees("tree (default");
  at.type("\x1b");
  await at.gone("tree (default");
  at.child.kill("SIGKILL");
});

test("who looks elsewhere is called when the turn is over", async () => {
  using dir = scratch();
  const at = full(dir, scripted(dir, { delayMs: 300, text: "Over." }), { env: { TERM_PROGRAM: "ghostty" } });
  await at.idle();
  at.type("go\r");
  at.type("\x1b[O");
  await at.sees("Over.");
  await until(() => at.bytes().includes("\x1b]9;pith: The turn has ended."), "a call");
  expect(at.bytes()).toContain("\x1b]9;4;3;0");
  expect(at.bytes()).toContain("\x1b]9;4;0;0");
  await at.leave();
});

test.skipIf(need("tmux") !== undefined)("keys of one's own hold, and a wrong line of their file is named", async () => {
  using dir = scratch();
  dir.write({ "home/.pith/keybindings.yml": "app.history.search: f7\napp.nothing: f8\n" });
  using at = tmuxed(dir, scripted(dir, { text: "." }));
  await at.sees("app.nothing");
  at.type("\x1b[18~");
  await at.sees("typed before");
  at.type("\x1b");
  await at.gone("typed before");
  await at.leave();
});

test("a window of one cell, a paste of ten megabytes and a hostile answer leave screen and record whole", async () => {
  using dir = scratch();
  const evil = "\u001b]0;owned\u0007\u001b[2J\u202eabc\u009b31m";
  const at = full(dir, scripted(dir, { text: `Evil: ${evil} end` }));
  await at.idle();
  at.resize(1, 1);
  // So small a window shows nothing that could be waited for.
  await Bun.sleep(150);
  at.resize(80, 24);
  await at.idle();
  at.type("go\r");
  await at.sees(" end");
  await at.idle();
  at.type(`\x1b[200~${"a line of a paste\r".repeat(580_000)}\x1b[201~`);
  await at.sees("[paste #1 +");
  at.type("\r");
  // No model takes that much; it is in the record all the same.
  await at.sees("does not fit");
  await at.idle();
  expect(at.bytes()).not.toContain("\x1b]0;owned");
  expect(await at.leave()).toBe(0);
  const [folder = ""] = readdirSync(dir.at("home/.pith/sessions"));
  const [file = ""] = readdirSync(dir.at("home/.pith/sessions", folder)).filter((name) => name.endsWith(".jsonl"));
  const entries = readFileSync(dir.at("home/.pith/sessions", folder, file), "utf8")
    .trimEnd()
    .split("\n");
  const roles = entries.map((line) => (JSON.parse(line) as { message?: { role: string } }).message?.role);
  expect(roles.filter(Boolean)).toEqual(["user", "assistant", "user"]);
});

test("a signal to end gives the terminal back and keeps what is typed", async () => {
  using dir = scratch();
  const at = full(dir, scripted(dir, { text: "." }));
  await at.idle();
  at.type("not lost");
  await at.sees("❯ not lost");
  at.child.kill("SIGTERM");
  await at.child.exited;
  expect(at.bytes()).toContain("\x1b[?2004l");
  const next = full(dir, scripted(dir, { text: "." }));
  await next.sees("❯ not lost");
  await next.leave();
});

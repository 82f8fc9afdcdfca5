// The line prompt as a person meets it: keys and pastes, questions, and readable answers.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../packages/kit/src/test/index.ts";
import { createVirtualTerminal } from "../../packages/tui/src/test/index.ts";
import { envOf, main, pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const bash = (command: string) => ({ calls: [{ tool: "bash", input: { command } }] });
const untilThere = (name: string) => `until [ -e ${name} ]; do sleep 0.02; done`;

/** A window in which a program runs: what is written is what a person sees. */
function sit(dir: Scratch, command: readonly string[], env: Readonly<Record<string, string>> = {}) {
  dir.write({ "work/.keep": "", "tmp/.keep": "" });
  const window = createVirtualTerminal(80, 24);
  let bytes = "";
  const child = Bun.spawn([...command], {
    cwd: dir.at("work"),
    env: envOf(dir, { NO_COLOR: "1", TERM: "xterm", LANG: "C.UTF-8", ...env }),
    terminal: {
      cols: 80,
      rows: 24,
      data: (_, data) => {
        bytes += Buffer.from(data).toString();
        window.write(Buffer.from(data).toString());
      },
    },
  });
  const seen = () => window.tape().join("\n").trimEnd();
  return {
    child,
    seen,
    bytes: () => bytes,
    async sees(text: string) {
      await until(() => seen().includes(text), text, 12_000).catch(() => {
        throw new Error(`${text} is not in:\n${seen()}`);
      });
    },
    /** The last row, as it stands; alone, the prompt of a session in which nothing runs. */
    async ends(row = "❯") {
      const last = () => seen().split("\n").slice(-2);
      const holds = () => last().at(-1) === row && !/^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏•] /.test(last()[0] ?? "");
      await until(holds, row, 12_000).catch(() => {
        throw new Error(`${row} is not at the end of:\n${seen()}`);
      });
    },
    type: (text: string) => child.terminal?.write(text),
    resize(columns: number, rows: number) {
      window.resize(columns, rows);
      child.terminal?.resize(columns, rows);
    },
  };
}
const talk = (dir: Scratch, argv: readonly string[], env?: Readonly<Record<string, string>>) =>
  sit(dir, [process.execPath, main, "--line", ...argv], env);
const pasted = (text: string) => `\x1b[200~${text}\x1b[201~`;

function entries(dir: Scratch): Record<string, unknown>[] {
  const sessions = dir.at("home", ".pith", "sessions");
  const [name = ""] = readdirSync(sessions, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(".jsonl"));
  return readFileSync(join(sessions, name), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
const said = (dir: Scratch): string[] =>
  entries(dir).flatMap(({ message }) => {
    const { role, content } = (message ?? {}) as { role?: string; content?: string | { text?: string }[] };
    if (role !== "user") return [];
    return [typeof content === "string" ? content : (content ?? []).map(({ text }) => text ?? "").join("")];
  });

test("a pasted block is one message, and nothing of a long line is cut", async () => {
  using dir = scratch();
  const desk = talk(dir, scripted(dir, { text: "Three." }, { text: "Long." }, { text: "Typed." }));
  await desk.ends();
  desk.type(`see ${pasted("one\ntwo\r\nthree\n")}`);
  await desk.sees("  three");
  desk.type(" please\r");
  await desk.sees("Three.");
  await desk.ends();
  const long = `日本語 ${"x".repeat(10_000)} end`;
  desk.type(pasted(long));
  await desk.ends("❯ [paste #1 10008 chars]");
  desk.type("\r");
  await desk.sees("Long.");
  await desk.ends();
  const typed = "words ".repeat(1000).trim();
  desk.type(typed);
  desk.type("\r");
  await desk.sees("Typed.");
  desk.type("/quit\r");
  expect(await desk.child.exited).toBe(0);
  expect(said(dir)).toEqual(["see one\ntwo\nthree\n please", long, typed]);
});

test("in a terminal that can move nothing a pasted block is one message too, and backspace erases", async () => {
  using dir = scratch();
  const desk = talk(dir, scripted(dir, { text: "One." }, { text: "Two." }), { TERM: "dumb" });
  await desk.ends(">");
  desk.type("ab日");
  await desk.ends("> ab日");
  desk.type("\x7f\x7fc d\x17e");
  await desk.ends("> ac e");
  desk.type("\r");
  await desk.sees("One.");
  await desk.ends(">");
  desk.type("one\ntwo\nthree\n");
  await desk.sees("Two.");
  desk.type("\x04");
  expect(await desk.child.exited).toBe(0);
  expect(said(dir)).toEqual(["ac e", "one\ntwo\nthree"]);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are the subject
  expect(desk.bytes()).not.toMatch(/\x1b/);
});

test("what is typed can be edited character by character, and what was typed comes back with Up", async () => {
  using dir = scratch();
  const desk = talk(dir, scripted(dir, { text: "First." }, { text: "Second." }));
  await desk.ends();
  desk.type("wörld 日本👨‍👩‍👧\x7f\x7f");
  await desk.ends("❯ wörld 日");
  desk.type("\x1b[Hhello \x1b[F!\x1b[D\x7f");
  await desk.ends("❯ hello wörld !");
  desk.type("\r");
  await desk.sees("First.");
  await desk.ends();
  desk.type("draft\x1b[A");
  await desk.ends("❯ hello wörld !");
  desk.type("\x1b[B");
  await desk.ends("❯ draft");
  desk.type("\x15\x1b[A\x1b[F\x17\x17again\r");
  await desk.sees("Second.");
  expect(desk.seen()).not.toContain("^[");
  desk.type("\x04");
  expect(await desk.child.exited).toBe(0);
  expect(said(dir)).toEqual(["hello wörld !", "hello again"]);
});

test("a line that wraps stays whole in a window of another size", async () => {
  using dir = scratch();
  const desk = talk(dir, scripted(dir, { text: "Seen." }));
  await desk.ends();
  const words = "word ".repeat(40).trim();
  desk.type(words);
  const typed = () => desk.seen().split("\n❯ ")[1]?.replace(/\s/g, "");
  await until(() => typed() === words.replaceAll(" ", ""), "what was typed");
  desk.resize(50, 20);
  desk.type("s");
  await until(() => typed() === `${words.replaceAll(" ", "")}s`, `what was typed, in:\n${desk.seen()}`);
  desk.type("\r");
  await desk.sees("Seen.");
  desk.type("\x04");
  expect(await desk.child.exited).toBe(0);
});

test("what comes while somebody types stands above it, and a question below everything else", async () => {
  using dir = scratch();
  const model = scripted(dir, { text: "Let me.", ...bash("touch made") }, { text: "Done." });
  const argv = ["--approval", "write", ...model];
  const desk = talk(dir, argv);
  await desk.ends();
  desk.type("go\r");
  await desk.sees("Esc no");
  desk.type(`!echo be''gun; ${untilThere("go")}; echo en''ded\r`);
  await desk.sees("  begun");
  desk.type("half of a");
  await desk.ends("❯ half of a");
  dir.write({ "work/go": "" });
  await desk.sees("  ended");
  await desk.sees("exit 0");
  await desk.ends("❯ half of a");
  expect(desk.seen().split("$ touch made")).toHaveLength(2);
  expect(desk.seen().lastIndexOf("y yes")).toBeGreaterThan(desk.seen().lastIndexOf("exit 0"));
  desk.type("\x15/help\r");
  await desk.sees("/move <directory>");
  expect(readdirSync(dir.at("work"))).not.toContain("made");
  desk.type("y");
  await desk.ends("❯ y");
  // Typed too soon behind other keys it stands there as text; Enter makes the answer of it, and never a message.
  await until(() => {
    if (desk.seen().endsWith("❯ y")) desk.type("\r");
    return readdirSync(dir.at("work")).includes("made");
  }, "the file");
  await desk.sees("Done.");
  desk.type("\x04");
  expect(await desk.child.exited).toBe(0);
  expect(readdirSync(dir.at("work"))).toContain("made");
});

test("an answer is read as Markdown, its words stay whole, and nothing in it is obeyed or lost", async () => {
  using dir = scratch();
  const parts = ["## Title", "some **strong** words ".repeat(8).trim(), "- one\n- two", "\x1b]0;no end to \u202eit"];
  const text = [...parts, "**".repeat(4000), "The end."].join("\n\n");
  const desk = talk(dir, scripted(dir, { text, chunkSize: 7 }));
  await desk.ends();
  desk.type("go\r");
  await desk.sees("The end.");
  const seen = desk.seen();
  expect(seen).toContain("\n  ## Title\n\n  some strong words some strong words");
  expect(seen).toContain("\n  • one\n  • two\n");
  expect(seen).toContain("]0;no end to <202e>it");
  for (const row of seen.split("\n")) expect(row).not.toMatch(/(?:som|stron|word)$/);
  desk.type("\x04");
  expect(await desk.child.exited).toBe(0);
});

test("something shows that the model works, and leaves nothing behind", async () => {
  using dir = scratch();
  const desk = talk(dir, scripted(dir, { thinking: ["hm", "hm"], delayMs: 700, chunkDelayMs: 700, text: "At last." }));
  await desk.ends();
  desk.type("go\r");
  await desk.sees(" thinking");
  desk.type("more");
  await desk.ends("❯ more");
  await desk.sees("At last.");
  await until(() => !/thinking|answering/.test(desk.seen()), "nothing but the answer");
  await desk.ends("❯ more");
  desk.type("\x15\x04");
  expect(await desk.child.exited).toBe(0);
});

test("who goes on sees what was said last", async () => {
  using dir = scratch();
  const lines = Array.from({ length: 30 }, (_, at) => `- item **${at}**`).join("\n");
  expect(await pith(dir, ["-p", "list\nthem all", ...scripted(dir, { text: lines })])).toMatchObject({ code: 0 });
  const desk = talk(dir, ["-c", ...scripted(dir, { text: lines }, { text: "On." })]);
  await desk.sees("• item 29");
  await desk.ends();
  expect(desk.seen()).toContain("❯ list");
  expect(desk.seen()).toContain("  • item 0\n");
  desk.type("\x04");
  expect(await desk.child.exited).toBe(0);
});

test("a reminder of the model's is a short note, and what waits is told once", async () => {
  using dir = scratch();
  const todo = {
    calls: [{ tool: "todo", input: { ops: [{ op: "init", list: [{ phase: "P", items: ["a", "b"] }] }] } }],
  };
  const wait = bash(`touch there; ${untilThere("go")}`);
  const desk = talk(dir, ["--yolo", ...scripted(dir, todo, wait, { text: "Stopping." }, { text: "Really." })]);
  await desk.ends();
  desk.type("go\r");
  await until(() => readdirSync(dir.at("work")).includes("there"), "the command");
  desk.type("first\r");
  desk.type("second\r");
  await desk.sees("next: second");
  expect(desk.seen().split("next: first")).toHaveLength(2);
  dir.write({ "work/go": "" });
  await desk.sees("note: You stopped with");
  await desk.ends();
  expect(desk.seen()).not.toContain("next: ");
  expect(desk.seen()).not.toContain("system-reminder");
  desk.type("\x04");
  await desk.child.exited;
});

test("a list that is wider than the window stays one: what follows a name stands below itself", async () => {
  using dir = scratch();
  const at = sit(dir, [process.execPath, main, "--", "--line", ...scripted(dir, { text: "." })]);
  await at.sees("Type what you want.");
  await at.ends();
  at.type("/help\r");
  await at.sees("/debug [what]");
  await at.ends();
  const rows = at.seen().split("\n");
  const list = rows.slice(
    rows.findIndex((row) => /^ {2}\/\w/.test(row)),
    rows.findLastIndex((row) => row.startsWith("  /")),
  );
  expect(list.length).toBeGreaterThan(20);
  expect(list.filter((row) => !/^ {2}(?:\/| {2})/.test(row))).toEqual([]);
  at.type("\x04");
  expect(await at.child.exited).toBe(0);
});

test("a command of other programs is answered with what there is, and no model is asked", async () => {
  using dir = scratch();
  const desk = talk(dir, scripted(dir, { text: "Asked." }));
  await desk.ends();
  for (const name of ["login", "logout"]) {
    desk.type(`/${name}\r`);
    await desk.sees(`There is no command /${name}.`);
    await desk.ends(`❯ /${name}`);
    desk.type("\x15");
  }
  desk.type("\x04");
  expect(await desk.child.exited).toBe(0);
  expect(desk.seen()).not.toContain("Asked.");
});

test("/new and /clear begin another session at the same prompt, and the first one is kept", async () => {
  using dir = scratch();
  const desk = talk(dir, scripted(dir, { text: "Once." }, { text: "Twice." }));
  await desk.ends();
  desk.type("one\r");
  await desk.sees("Once.");
  await desk.ends();
  for (const [at, name] of ["new", "clear"].entries()) {
    desk.type(`/${name}\r`);
    await until(() => desk.seen().split("A new session; /resume goes back.").length === at + 2, "a new session");
    await desk.ends();
  }
  desk.type("another\r");
  await until(() => desk.seen().split("Once.").length === 3, "the script from its beginning");
  await desk.ends();
  desk.type("\x04");
  expect(await desk.child.exited).toBe(0);
  const kept = readdirSync(dir.at("home", ".pith", "sessions"), { recursive: true, encoding: "utf8" });
  expect(kept.filter((name) => name.endsWith(".jsonl"))).toHaveLength(2);
});

test("a picture of a command reaches a terminal that was said to show it, and nobody else", async () => {
  const picture = "\x1bPq#0;2;0;0;0#0~~@@\x1b\\";
  const forced = { PITH_FORCE_IMAGE_PROTOCOL: "sixel" };
  for (const [env, shown] of [
    [{ ...forced, PITH_ALLOW_SIXEL_PASSTHROUGH: "1" }, true],
    [forced, false],
    [{ PITH_ALLOW_SIXEL_PASSTHROUGH: "1" }, false],
    [{ ...forced, PITH_ALLOW_SIXEL_PASSTHROUGH: "1", TERM: "dumb" }, false],
  ] as const) {
    using dir = scratch();
    dir.write({ "work/picture": `before\n${picture}\x1b]0;title\x07after\n` });
    const desk = talk(dir, scripted(dir, { text: "Nice." }), env);
    await desk.ends("TERM" in env ? ">" : "❯");
    desk.type("!cat picture\r");
    await desk.sees("exit 0");
    desk.type("see?\r");
    await desk.sees("Nice.");
    desk.type("\x04");
    expect(await desk.child.exited).toBe(0);
    expect(desk.bytes().includes(picture)).toBe(shown);
    expect(desk.bytes()).not.toContain("title");
    expect(JSON.stringify(entries(dir))).not.toContain("~~@@");
  }
});

test("after Ctrl+D what runs may finish, and Ctrl+C still ends it", async () => {
  using dir = scratch();
  const desk = talk(dir, ["--yolo", ...scripted(dir, bash("touch there; sleep 100"), { text: "Late." })]);
  await desk.ends();
  desk.type("go\r");
  await until(() => readdirSync(dir.at("work")).includes("there"), "the command");
  desk.type("\x04");
  await desk.sees("pith leaves when the turn ends");
  desk.type("\x03");
  await desk.sees("Interrupted.");
  expect(await desk.child.exited).toBe(0);
});

test("Ctrl+Z gives the terminal to the shell and fg takes it back; a kill leaves it as it was", async () => {
  using dir = scratch();
  const shell = sit(dir, ["bash", "--norc", "--noprofile", "-i"], { PS1: "$ " });
  const mode = () => shell.type("stty -a | tr ' ' '\\n' | grep icanon; echo shown\r");
  await shell.ends("$");
  const command = [process.execPath, main, "--line", ...scripted(dir, { text: "Here." })];
  shell.type(`${command.map((word) => `'${word}'`).join(" ")}\r`);
  await shell.ends();
  shell.type("half");
  await shell.ends("❯ half");
  shell.type("\x1a");
  await shell.sees("Stopped");
  mode();
  await shell.sees("\nicanon\nshown");
  shell.type("fg\r");
  await shell.ends("❯ half");
  shell.type(" way\r");
  await shell.sees("Here.");
  await shell.ends();
  const pids = readFileSync(`/proc/${shell.child.pid}/task/${shell.child.pid}/children`, "utf8").trim().split(" ");
  process.kill(Number(pids[0]), "SIGTERM");
  await shell.ends("$");
  mode();
  await until(() => shell.seen().split("\nicanon\nshown").length === 3, shell.seen());
  shell.type("exit\r");
  await shell.child.exited;
});

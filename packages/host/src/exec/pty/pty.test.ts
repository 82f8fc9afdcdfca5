// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { scratch, until } from "@pith/kit/test";
import type { ShellCommand, TerminalRun } from "../shell/command.ts";
import { Shell } from "../shell/shell.ts";

const folder = scratch();
const dir = folder.path;
const shell = new Shell({ cwd: dir, env: process.env, startup: "skip" });
afterAll(() => {
  shell[Symbol.dispose]();
  folder[Symbol.dispose]();
});

async function open(command: string, more: Partial<ShellCommand> = {}) {
  const base = { columns: 60, rows: 12, timeoutMs: 10_000, signal: new AbortController().signal, onData() {} };
  const opened = await shell.runAtTerminal({ ...base, command, ...more });
  if (!opened.ok) throw new Error(opened.message);
  const sees = async (text: string) => {
    await until(() => shown(opened.value).includes(text), `${text} in ${shown(opened.value)}`);
    expect(shown(opened.value)).toContain(text);
  };
  return { ...opened.value, sees };
}
const shown = (pty: Pick<TerminalRun, "screen">) => Bun.stripANSI(pty.screen().rows.join("\n"));

test("a program has a terminal of the right size and a person's keys", async () => {
  const pty = await open("tty -s && stty size; read -p 'name? ' x; echo hello $x");
  await pty.sees("name?");
  expect(shown(pty)).toContain("12 60");
  pty.write("you\r");
  expect(await pty.done).toMatchObject({ end: "exit", exitCode: 0, text: "12 60\nname? you\nhello you" });
});

test("state goes in and comes out as with any other command", async () => {
  await (await open("x=5; mkdir -p deep; cd deep")).done;
  const { text, cwd } = await (await open("echo $x $PAGER $GIT_TERMINAL_PROMPT; pwd")).done;
  expect(text).toBe(`5 cat 0\n${join(dir, "deep")}`);
  expect(cwd).toBe(join(dir, "deep"));
  expect(
    await shell.run({ command: "echo $x", timeoutMs: 5000, signal: new AbortController().signal, onData() {} }),
  ).toMatchObject({ ok: true });
});

test("a new size reaches the program", async () => {
  // A shell that waits for a program goes on when Ctrl+C comes in the very moment in which the program ends by itself.
  const pty = await open("trap 'stty size' WINCH; echo ready; while :; do sleep 77 & wait; done");
  await pty.sees("ready");
  pty.resize(90, 20);
  await pty.sees("20 90");
  pty.write("\x03");
  expect(await pty.done).toMatchObject({ signal: "SIGINT" });
});

test("out of time and interrupted are told as without a terminal, and nothing is left", async () => {
  const late = await open("echo begun; setsid sleep 77 & sleep 77", { timeoutMs: 1500 });
  expect(await late.done).toMatchObject({ end: "timeout", text: "begun" });
  const stop = new AbortController();
  const pty = await open("echo go; sleep 77", { signal: stop.signal });
  await pty.sees("go");
  stop.abort();
  expect(await pty.done).toMatchObject({ end: "abort" });
});

test("colours are drawn in our own words, and nothing else a program writes gets out", async () => {
  const said = [
    "\\033[1;31mred\\033[0m \\033]0;title\\007\\033[38;2;1;2;3mrgb\\033[0m \\033[7mback\\033[0m \\033[?2004h\\n",
    "link \\033]8;;http://x\\033\\\\to\\033]8;;\\033\\\\ \\033P+q\\033\\\\end\\n",
    `\\033[41m${"w".repeat(60)}\\033[0m\\n`,
    "\\033[32mgreen to the end",
  ];
  const pty = await open(`printf '${said.join("")}'; sleep 5`);
  await pty.sees("to the end");
  const { rows } = pty.screen();
  expect(rows.slice(0, 4)).toEqual([
    "\x1b[0;1;38;5;1mred\x1b[0m \x1b[0;38;2;1;2;3mrgb\x1b[0m \x1b[0;7mback\x1b[0m",
    "link \x1b[0;4mto\x1b[0m end",
    `\x1b[0;48;5;1m${"w".repeat(60)}\x1b[0m`,
    "\x1b[0;38;5;2mgreen to the end\x1b[0m",
  ]);
  expect(rows.slice(4).join("")).toBe("");
  pty.write("\x03");
  await pty.done;
});

test("a program that asks the terminal gets an answer, and says which arrows it wants", async () => {
  const pty = await open("printf '\\033[6n'; IFS= read -rs -d R x; printf '\\033[?1h'; echo \"at ${x#*[}\"; sleep 5");
  await pty.sees("at 1;1");
  expect(pty.screen().arrows).toBe("application");
  pty.write("\x03");
  await pty.done;
});

test("a long session keeps its end, lines that were wrapped are whole again", async () => {
  const { text } = await (await open("seq 1 7000; printf 'w%.0s' {1..150}")).done;
  expect(text.slice(0, 3)).toBe("199");
  expect(text.split("\n").at(-1)).toBe("w".repeat(150));
});

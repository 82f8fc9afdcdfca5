import { expect, test } from "bun:test";
import { EventEmitter } from "node:events";
import type { InputEvent } from "../input/event.ts";
import { createFakeTimers } from "../test/timers.ts";
import { detectCapabilities, type TerminalEnv } from "./capability.ts";
import { type ProcessLike, restoreOnExit, suspendable } from "./lifetime.ts";
import type { TerminalFact } from "./negotiation.ts";
import { createTerminal, notification, restoreBytes } from "./terminal.ts";

const detect = (env: TerminalEnv) => detectCapabilities(env, "linux");
const kitty = { KITTY_WINDOW_ID: "1", TERM: "xterm-kitty", LANG: "C.UTF-8" };
const iterm = { TERM_PROGRAM: "iTerm.app", TERM: "xterm-256color" };

test("synchronized output follows the user, then the terminal's word, then its name", () => {
  const ladder: [TerminalEnv, boolean][] = [
    [{ PITH_NO_SYNC_OUTPUT: "1", PITH_FORCE_SYNC_OUTPUT: "1", ...kitty }, false],
    [{ PITH_TUI_SYNC_OUTPUT: "0", PITH_FORCE_SYNC_OUTPUT: "1", ...kitty }, false],
    [{ PITH_FORCE_SYNC_OUTPUT: "1", TERM: "screen", STY: "1" }, true],
    [{ PITH_TUI_SYNC_OUTPUT: "1", TERM: "dumb" }, true],
    [{ TERM_FEATURES: "T2CwSySc", TERM: "screen", STY: "1" }, true],
    [{ WT_SESSION: "x", TERM: "screen" }, true],
    [{ ...kitty }, true],
    [{ ...kitty, TMUX: "x" }, false],
    [{ TERM: "xterm-256color" }, false],
  ];
  for (const [env, on] of ladder) expect([env, detect(env).sync]).toEqual([env, on]);
  expect(detect({ PITH_FORCE_SYNC_OUTPUT: "1" }).syncFixed).toBe(true);
});

test("rectangles, pictures and placeholders are for those who have them, and the user's word is last", () => {
  expect(
    [detect(kitty), detect({ ...kitty, TMUX: "1" }), detect({ ...kitty, PITH_NO_DECCARA: "1" })].map(
      (each) => each.rectangles,
    ),
  ).toEqual([true, false, false]);
  for (const protocol of ["kitty", "iterm2", "sixel", "off"] as const)
    for (const env of [kitty, iterm, {}])
      expect(detect({ ...env, PITH_FORCE_IMAGE_PROTOCOL: protocol }).images).toBe(protocol);
  expect([kitty, iterm, { TERM: "foot" }, { TERM: "xterm" }].map((env) => detect(env).images)).toEqual([
    "kitty",
    "iterm2",
    "sixel",
    "off",
  ]);
  expect([kitty, iterm, { TERM_PROGRAM: "ghostty" }].map((env) => detect(env).placeholders)).toEqual([
    true,
    false,
    true,
  ]);
  for (const env of [kitty, iterm]) {
    expect(detect({ ...env, PITH_NO_KITTY_PLACEHOLDERS: "1" }).placeholders).toBe(false);
    expect(detect({ ...env, PITH_KITTY_PLACEHOLDERS: "1" }).placeholders).toBe(true);
  }
});

test("colours follow NO_COLOR before everything", () => {
  const cases: [TerminalEnv, string][] = [
    [{ ...kitty, NO_COLOR: "1", FORCE_COLOR: "3" }, "none"],
    [{ ...kitty, FORCE_COLOR: "1" }, "16"],
    [kitty, "true"],
    [{ TERM: "xterm-256color" }, "256"],
    [{ TERM: "xterm" }, "16"],
    [{ TERM: "dumb" }, "none"],
  ];
  for (const [env, level] of cases) expect(detect(env).colours).toBe(level as "none");
});

test("notifications can be switched off and carry nothing but text", () => {
  for (const off of ["off", "0", "false"])
    expect(notification(detect({ ...kitty, PITH_NOTIFICATIONS: off }).notifications, "a", "b")).toBe("");
  expect(notification(detect(kitty).notifications, "done\x1b]0;x\x07", "b;c")).toBe(
    "\x1b]99;i=pith:d=0;done␛]0,x␇\x1b\\\x1b]99;i=pith:p=body;b,c\x1b\\",
  );
  expect(notification(detect({ TMUX: "1" }).notifications, "a", "b")).toBe("\x07");
});

test("the real cursor is the default, for those who read with their fingers or write with an input method", () => {
  expect(detect({}).cursor).toBe("hardware");
  expect(detect({ PITH_HARDWARE_CURSOR: "1" }).cursor).toBe("hardware");
  expect(detect({ PITH_HARDWARE_CURSOR: "0" }).cursor).toBe("drawn");
});

class Out extends EventEmitter {
  columns = 80;
  rows = 24;
  bytes = "";
  broken = false;
  write(bytes: string) {
    if (this.broken) throw new Error("EIO");
    this.bytes += bytes;
    return true;
  }
}
class In extends EventEmitter {
  raw = false;
  setRawMode(on: boolean) {
    this.raw = on;
  }
  resume() {}
  pause() {}
  type(text: string) {
    this.emit("data", Buffer.from(text));
  }
}

function stage(env: TerminalEnv = { TERM: "xterm-256color" }) {
  const input = new In();
  const output = new Out();
  const timers = createFakeTimers();
  const events: InputEvent[] = [];
  const facts: TerminalFact[] = [];
  const told = { closed: 0, resized: 0 };
  const terminal = createTerminal({
    input,
    output,
    timers,
    capabilities: detect(env),
    title: "pith",
    received: (heard) => events.push(...heard),
    learned: (fact) => facts.push(fact),
    closed: () => told.closed++,
    resized: () => told.resized++,
  });
  terminal.start();
  return {
    input,
    output,
    timers,
    events,
    facts,
    told,
    terminal,
    keys: () => events.map((each) => (each.type === "key" ? each.combo : each.type)),
  };
}

test("starting asks in order, and what a terminal answers never becomes a key", async () => {
  const { input, output, facts, keys } = stage();
  expect(input.raw).toBe(true);
  const order = [
    "\x1b[?2004h",
    "\x1b]0;pith",
    "\x1b[?u\x1b[c",
    "\x1b]11;?",
    "\x1b[?2031h",
    "\x1b]99;i=pith:p=?;\x1b\\\x1b[c",
    "\x1b[?2026$p\x1b[c",
    "\x1b[?2048$p\x1b[c",
    "\x1b[?2031$p\x1b[c",
  ].map((each) => output.bytes.indexOf(each));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order[0]).toBeGreaterThanOrEqual(0);
  const answers =
    "\x1b[?0u\x1b[?62c\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?62c\x1b]99;i=pith;p=title\x1b\\\x1b[?62c\x1b[?2026;2$y\x1b[?62c\x1b[?2048;0$y\x1b[?62c\x1b[?2031;2$y\x1b[?62c";
  for (const byte of answers) input.type(byte);
  await Bun.sleep(1);
  expect(keys()).toEqual([]);
  expect(facts).toEqual([
    { fact: "background", rgb: [0, 0, 0] },
    { fact: "sync", on: true },
    { fact: "keyboard", protocol: "kitty" },
  ]);
  expect(output.bytes).toContain("\x1b[>5u");
  input.type("\x1b[?997;2n");
  expect(facts.at(-1)).toEqual({ fact: "appearance", scheme: "light" });
});

test("a terminal that answers nothing gets the older key protocol and works", async () => {
  const { input, output, timers, keys } = stage();
  timers.advance(1000);
  await Bun.sleep(1);
  expect(output.bytes).toContain("\x1b[>4;2m");
  input.type("ü");
  expect(keys()).toEqual(["ü"]);
});

test("a lone Escape arrives after a moment, one that begins an arrow key does not", () => {
  const { input, timers, keys } = stage();
  timers.advance(1000);
  input.type("\x1b");
  timers.advance(29);
  expect(keys()).toEqual([]);
  input.type("[A");
  timers.advance(100);
  input.type("\x1b");
  timers.advance(30);
  expect(keys()).toEqual(["up", "escape"]);
});

test("an answer that comes in pieces over a slow line is not typed into the text, and the next key arrives", () => {
  for (const cut of [1, 2, 3, 8, 20]) {
    const { input, timers, keys } = stage();
    const answer = "\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\";
    input.type(answer.slice(0, cut));
    timers.advance(90);
    input.type(`${answer.slice(cut)}x`);
    expect([cut, keys()]).toEqual([cut, ["x"]]);
  }
  const { input, timers, keys } = stage();
  input.type("\x1b]11;rgb:never");
  timers.advance(1000);
  input.type("x");
  expect(keys()).toEqual(["x"]);
});

test("a paste whose end was lost does not swallow the keyboard for ever", () => {
  const { input, timers, events } = stage();
  input.type("\x1b[200~half of it\x1b[20");
  timers.advance(5000);
  input.type("x");
  expect(events.map((each) => (each.type === "paste" ? each.text : each.type))).toEqual(["half of it\x1b[20", "key"]);
});

test("letters cut in the middle of their bytes arrive whole", () => {
  const { input, keys } = stage();
  for (const byte of Buffer.from("한")) input.emit("data", Buffer.from([byte]));
  expect(keys()).toEqual(["한"]);
});

test("no background is asked for again in a multiplexer", async () => {
  const { output, timers, input } = stage({ TERM: "tmux-256color", TMUX: "x" });
  input.type("\x1b[?62c\x1b]11;rgb:00/00/00\x07\x1b[?62c\x1b[?62c\x1b[?62c\x1b[?62c");
  await Bun.sleep(1);
  const asked = output.bytes.split("]11;?").length;
  timers.advance(120_000);
  expect(output.bytes.split("]11;?").length).toBe(asked);
});

test("a closed tty is told once and writing goes on into nothing", () => {
  const { output, told, terminal } = stage();
  output.broken = true;
  terminal.write("x");
  terminal.write("y");
  expect(told.closed).toBe(1);
  terminal.stop();
});

test("stopping and crashing both leave a terminal that a shell can use", () => {
  const { input, output, terminal } = stage();
  terminal.stop();
  expect(input.raw).toBe(false);
  expect(output.bytes.endsWith(`${restoreBytes}\x1b[23;0t`)).toBe(true);
  const process = new EventEmitter() as unknown as ProcessLike & { emit(event: string, signal?: string): boolean };
  const killed: string[] = [];
  process.kill = (_, signal) => killed.push(String(signal)) as unknown as true;
  let written = "";
  input.raw = true;
  restoreOnExit(process, input, (bytes) => {
    written += bytes;
  });
  process.emit("SIGTERM", "SIGTERM");
  process.emit("exit");
  expect(input.raw).toBe(false);
  expect(written).toBe(`\r\n${restoreBytes}`);
  expect(killed).toEqual(["SIGTERM"]);
});

test("Ctrl+Z or a stop from outside gives the terminal away before the group stops and takes it back", () => {
  const process = new EventEmitter() as unknown as ProcessLike & { emit(event: string): boolean };
  const log: string[] = [];
  process.kill = (pid, signal) => log.push(`${pid} ${signal}`) as unknown as true;
  const suspend = suspendable(
    process,
    () => log.push("leave"),
    () => log.push("back"),
  );
  suspend();
  process.emit("SIGCONT");
  process.emit("SIGTSTP");
  process.emit("SIGCONT");
  expect(log).toEqual(["leave", "0 SIGTSTP", "back", "leave", "0 SIGTSTP", "back"]);
});

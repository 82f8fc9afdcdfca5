import { createDecoder } from "../input/decoder.ts";
import type { InputEvent, TerminalReply } from "../input/event.ts";
import { createProber, type Prober } from "../input/probe.ts";
import type { Tty } from "../screen/grid.ts";
import type { Timers } from "../screen/scheduler.ts";
import { oneLine } from "../text/clean.ts";
import type { TerminalCapabilities } from "./capability.ts";

/** The two ends of a tty, as the process has them. */
export interface TtyIn {
  setRawMode?(on: boolean): unknown;
  on(event: "data" | "end", call: (chunk: Uint8Array) => void): unknown;
  off(event: "data" | "end", call: (chunk: Uint8Array) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}
export interface TtyOut {
  readonly columns?: number;
  readonly rows?: number;
  write(bytes: string): unknown;
  on(event: "resize" | "error" | "drain", call: (error?: unknown) => void): unknown;
  off(event: "resize" | "error" | "drain", call: (error?: unknown) => void): unknown;
}

export interface TerminalOptions {
  input: TtyIn;
  output: TtyOut;
  capabilities: TerminalCapabilities;
  timers: Timers;
  /** All events of one read, so that they are answered by one frame. */
  received(events: readonly InputEvent[]): void;
  resized(): void;
  /** The other end is gone: nothing can be shown any more. */
  closed(): void;
  /** What the terminal said about itself. */
  learned?(fact: TerminalFact): void;
  title?: string;
}

export type TerminalFact =
  | { readonly fact: "sync"; readonly on: boolean }
  | { readonly fact: "background"; readonly rgb: readonly [number, number, number] }
  | { readonly fact: "appearance"; readonly scheme: "dark" | "light" }
  | { readonly fact: "keyboard"; readonly protocol: "kitty" | "modify-other-keys" };

export interface Terminal extends Tty {
  /** Takes the terminal, also if a shell had it in the meantime. */
  start(): void;
  stop(): void;
  setTitle(text: string): void;
  /** Whether something goes on, for a terminal that shows that beside its title (OSC 9;4). */
  setProgress(is: "busy" | "failed" | "none"): void;
  /** What is typed goes to a program as it comes, until this is disposed of; a stop in between changes nothing. */
  lend(take: (bytes: Uint8Array) => void): Disposable;
  /** Whether clicks and the wheel are told; the terminal's own selection then needs Shift. */
  setMouse(on: boolean): void;
  notify(title: string, body: string): void;
  readonly prober: Prober;
}

/**
 * How long what has begun is waited for: a lone ESC becomes the Escape key, a broken sequence is dropped, a paste
 * without an end is one.
 */
const patience = { key: 30, sequence: 1000, paste: 5000 };
/** While answers are under way, a lone ESC is more likely the beginning of one. */
const answering = 100;
const pollEvery = 30_000;

export function createTerminal(options: TerminalOptions): Terminal {
  const { input, output, capabilities, timers } = options;
  const prober = createProber(write, timers);
  const decoder = createDecoder((type) => prober.expects(type));
  const utf8 = new TextDecoder();
  let cancelFlush: (() => void) | undefined;
  let cancelPoll: (() => void) | undefined;
  let notifies = capabilities.notifications;
  let running = false;
  let dead = false;
  let busy = false;
  let lent: ((bytes: Uint8Array) => void) | undefined;
  let told = "";
  let inBand: { columns: number; rows: number } | undefined;

  function write(bytes: string) {
    if (dead) return;
    try {
      if (output.write(bytes) === false) busy = true;
    } catch {
      die();
    }
  }
  function die() {
    if (dead) return;
    dead = true;
    options.closed();
  }
  function sort(heard: readonly (InputEvent | TerminalReply)[]) {
    const events: InputEvent[] = [];
    for (const each of heard) {
      if (each.type === "key" || each.type === "paste" || each.type === "mouse" || each.type === "focus")
        events.push(each);
      else if (prober.hear(each) === "free") unasked(each);
    }
    if (events.length > 0) options.received(events);
  }
  function unasked(reply: TerminalReply) {
    if (reply.type === "appearance") options.learned?.({ fact: "appearance", scheme: reply.scheme });
    else if (reply.type === "size") {
      inBand = { columns: reply.columns, rows: reply.rows };
      options.resized();
    }
  }
  function onData(chunk: Uint8Array) {
    if (lent) return lent(chunk);
    cancelFlush?.();
    cancelFlush = undefined;
    sort(decoder.feed(typeof chunk === "string" ? chunk : utf8.decode(chunk, { stream: true })));
    const { waiting } = decoder;
    if (!waiting) return;
    const delay = waiting === "key" && prober.pending > 0 ? answering : patience[waiting];
    cancelFlush = timers.after(delay, () => sort(decoder.flush()));
  }
  function onResize() {
    inBand = undefined;
    options.resized();
  }

  function onDrain() {
    busy = false;
  }

  /** A way of telling that the terminal knows; asked for again when a program gives the terminal back. */
  function ask(mode: string) {
    told += mode;
    if (!lent) write(mode);
  }

  // Every question is asked at once; the answers come in their own time and change what they change.
  async function introduce() {
    told = "";
    const keyboard = prober.ask("keyboard", "\x1b[?u");
    const background = askColour();
    write("\x1b[?2031h");
    void prober.ask("notification", "\x1b]99;i=pith:p=?;\x1b\\").then((reply) => {
      if (reply && notifies !== "off") notifies = "osc99";
    });
    const modes = [2026, 2048, 2031].map((mode) =>
      prober.ask("mode", `\x1b[?${mode}$p`, (reply) => reply.mode === mode),
    );
    const [sync, resize, appearance] = await Promise.all([...modes]);
    if (!running) return;
    if (sync && !capabilities.syncFixed)
      options.learned?.({ fact: "sync", on: sync.state === "set" || sync.state === "reset" });
    if (resize && (resize.state === "set" || resize.state === "reset")) ask("\x1b[?2048h");
    const kitty = await keyboard;
    if (!running) return;
    ask(kitty ? "\x1b[>5u" : "\x1b[>4;2m");
    options.learned?.({ fact: "keyboard", protocol: kitty ? "kitty" : "modify-other-keys" });
    await background;
    if (capabilities.pollsColour && (!appearance || appearance.state === "unknown")) poll();
  }
  async function askColour() {
    const reply = await prober.ask("colour", "\x1b]11;?\x1b\\", (each) => each.slot === 11);
    if (reply && running) options.learned?.({ fact: "background", rgb: reply.rgb });
    return reply;
  }
  function poll() {
    cancelPoll = timers.after(pollEvery, () => {
      void askColour().then((reply) => reply && running && poll());
    });
  }

  return {
    get columns() {
      return inBand?.columns || output.columns || 80;
    },
    get rows() {
      return inBand?.rows || output.rows || 24;
    },
    write,
    get busy() {
      return busy;
    },
    prober,
    async cursorRow() {
      const reply = await prober.ask("position", "\x1b[6n");
      return reply?.row;
    },
    start() {
      if (!running) {
        running = true;
        input.on("data", onData);
        input.on("end", die);
        output.on("resize", onResize);
        output.on("error", die);
        output.on("drain", onDrain);
      }
      // Also after a stop that nobody announced: the shell has changed the mode, and whoever remembers it as raw would
      // not set it again.
      input.setRawMode?.(false);
      input.setRawMode?.(true);
      input.resume();
      write(`\x1b[?2004h\x1b[?1004h${options.title === undefined ? "" : `\x1b[22;0t${titleBytes(options.title)}`}`);
      if (capabilities.id !== "dumb") void introduce();
    },
    stop() {
      if (!running) return;
      running = false;
      cancelFlush?.();
      cancelPoll?.();
      input.off("data", onData);
      input.off("end", die);
      output.off("resize", onResize);
      output.off("drain", onDrain);
      write(restoreBytes + (options.title === undefined ? "" : "\x1b[23;0t"));
      try {
        input.setRawMode?.(false);
      } catch {
        // The tty is gone; so is its mode.
      }
      input.pause();
    },
    setMouse: (on) => write(on ? "\x1b[?1000h\x1b[?1006h" : "\x1b[?1000l\x1b[?1006l"),
    setTitle: (text) => write(titleBytes(text)),
    setProgress: (is) =>
      capabilities.progress &&
      write(`\x1b]9;4;${{ busy: 3, failed: 2, none: 0 }[is]};${is === "failed" ? 100 : 0}\x1b\\`),
    lend(take) {
      const mine = (bytes: Uint8Array) => take(typeof bytes === "string" ? Buffer.from(bytes) : bytes);
      lent = mine;
      // What a program would take for keys is not told while it has the terminal.
      write(quiet.on);
      return {
        [Symbol.dispose]() {
          if (lent !== mine) return;
          lent = undefined;
          write(quiet.off + told);
        },
      };
    },
    notify: (title, body) => write(notification(notifies, title, body)),
  };
}

/** Puts a terminal back as a shell expects it, whatever state it was left in. Safe to send twice. */
export const restoreBytes =
  "\x1b[?2026l\x1b[<u\x1b[>4;0m\x1b[?2004l\x1b[?1004l\x1b[?2031l\x1b[?2048l\x1b[?1000l\x1b[?1006l\x1b[?7h\x1b[?25h\x1b[0m";

/** Pastes without marks, no word of the focus, keys in their plain form; and back. */
const quiet = {
  on: "\x1b[<u\x1b[>4;0m\x1b[?2004l\x1b[?1004l\x1b[?2031l\x1b[?2048l",
  off: "\x1b[?2004h\x1b[?1004h\x1b[?2031h",
};

const titleBytes = (text: string) => `\x1b]0;${oneLine(text).slice(0, 200)}\x1b\\`;

export function notification(how: TerminalCapabilities["notifications"], title: string, body: string): string {
  const clean = (text: string) => oneLine(text).replaceAll(";", ",").slice(0, 300);
  if (how === "off") return "";
  if (how === "osc99") return `\x1b]99;i=pith:d=0;${clean(title)}\x1b\\\x1b]99;i=pith:p=body;${clean(body)}\x1b\\`;
  return how === "osc9" ? `\x1b]9;${clean(title)}: ${clean(body)}\x1b\\` : "\x07";
}

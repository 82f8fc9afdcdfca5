import { tryOr } from "@pith/kit";
import { type DecodedEvent, Decoder } from "../input/decoder.ts";
import type { InputEvent, TerminalReply } from "../input/event.ts";
import { Prober } from "../input/probe.ts";
import type { Tty } from "../screen/grid.ts";
import { oneLine } from "../text/clean.ts";
import type { TerminalCapabilities } from "./capability.ts";
import { Negotiation, type NegotiationOptions } from "./negotiation.ts";

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

export interface TerminalOptions extends NegotiationOptions {
  input: TtyIn;
  output: TtyOut;
  /** Takes all events of one read, so that one frame answers them. */
  received(events: readonly InputEvent[]): void;
  resized(): void;
  /** Called when the other end is gone: nothing can be shown any more. */
  closed(): void;
  title?: string;
  /** `none`: the terminal is not asked what it can do. */
  questions?: "none" | undefined;
}

/**
 * Milliseconds without a byte after which a lone ESC becomes the Escape key, a broken sequence is dropped and a paste
 * without an end is taken as one.
 */
const patience = { key: 30, sequence: 1000, paste: 5000 };
/** The same for a lone ESC while answers are under way: it is more likely the beginning of one. */
const answering = 100;

export const createTerminal = (options: TerminalOptions): Terminal => new Terminal(options);

/** A tty that is set up for the screen, with its keys decoded, and given back to the shell as it was. */
export class Terminal implements Tty {
  readonly prober: Prober;
  readonly #options: TerminalOptions;
  readonly #decoder: Decoder;
  readonly #negotiation: Negotiation;
  readonly #utf8 = new TextDecoder();
  #cancelFlush: (() => void) | undefined;
  #isRunning = false;
  #isDead = false;
  #isBusy = false;
  /** Takes the bytes of the terminal while it is lent to a program. */
  #borrower: ((bytes: Uint8Array) => void) | undefined;
  #reported: { columns: number; rows: number } | undefined;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.prober = new Prober((bytes) => this.write(bytes), options.timers);
    this.#decoder = new Decoder((type) => this.prober.expects(type));
    this.#negotiation = new Negotiation(options, this.prober, (mode) => this.#borrower || this.write(mode));
  }

  get columns(): number {
    return this.#reported?.columns || this.#options.output.columns || 80;
  }
  get rows(): number {
    return this.#reported?.rows || this.#options.output.rows || 24;
  }

  get busy(): boolean {
    return this.#isBusy;
  }

  write(bytes: string): void {
    if (this.#isDead) return;
    try {
      if (this.#options.output.write(bytes) === false) this.#isBusy = true;
    } catch {
      this.#die();
    }
  }

  async cursorRow(): Promise<number | undefined> {
    return (await this.prober.ask("position", "\x1b[6n"))?.row;
  }

  /** Takes the terminal, also if a shell had it in the meantime. */
  start(): void {
    const { input, output, title, questions } = this.#options;
    if (!this.#isRunning) {
      this.#isRunning = true;
      input.on("data", this.#read);
      input.on("end", this.#die);
      output.on("resize", this.#resized);
      output.on("error", this.#die);
      output.on("drain", this.#drained);
    }
    // Off first: after a stop that nobody announced the shell has changed the mode, and a runtime that remembers it as
    // raw would not set it again.
    input.setRawMode?.(false);
    input.setRawMode?.(true);
    input.resume();
    this.#control(`\x1b[?2004h\x1b[?1004h${title === undefined ? "" : `\x1b[22;0t${titleBytes(title)}`}`);
    if (!this.#isDumb && questions !== "none") void this.#negotiation.run();
  }

  stop(): void {
    if (!this.#isRunning) return;
    const { input, output, title } = this.#options;
    this.#isRunning = false;
    this.#cancelFlush?.();
    this.#negotiation.stop();
    input.off("data", this.#read);
    input.off("end", this.#die);
    output.off("resize", this.#resized);
    output.off("drain", this.#drained);
    this.#control(restoreBytes + (title === undefined ? "" : "\x1b[23;0t"));
    // A tty that is gone has no mode.
    tryOr(() => input.setRawMode?.(false));
    input.pause();
  }

  setTitle(text: string): void {
    this.#control(titleBytes(text));
  }

  /** Shows whether something goes on, where the terminal shows that beside its title (OSC 9;4). */
  setProgress(is: "busy" | "failed" | "none"): void {
    const code = { busy: "3;0", failed: "2;100", none: "0;0" }[is];
    if (this.#options.capabilities.progress) this.write(`\x1b]9;4;${code}\x1b\\`);
  }

  notify(title: string, body: string): void {
    this.write(notification(this.#negotiation.notifications, title, body));
  }

  /** Passes typed bytes to a program as they come, until this is disposed of; a stop in between changes nothing. */
  lend(take: (bytes: Uint8Array) => void): Disposable {
    const borrower = (bytes: Uint8Array) => take(typeof bytes === "string" ? Buffer.from(bytes) : bytes);
    this.#borrower = borrower;
    this.#control(plainInput.on);
    return {
      [Symbol.dispose]: () => {
        if (this.#borrower !== borrower) return;
        this.#borrower = undefined;
        this.#control(plainInput.off + this.#negotiation.modes);
      },
    };
  }

  get #isDumb(): boolean {
    return this.#options.capabilities.id === "dumb";
  }

  /** A dumb terminal would print control sequences. */
  #control(bytes: string): void {
    if (!this.#isDumb) this.write(bytes);
  }

  readonly #read = (chunk: Uint8Array) => {
    if (this.#borrower) return this.#borrower(chunk);
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    this.#sort(this.#decoder.feed(typeof chunk === "string" ? chunk : this.#utf8.decode(chunk, { stream: true })));
    const { waiting } = this.#decoder;
    if (!waiting) return;
    const delay = waiting === "key" && this.prober.pending > 0 ? answering : patience[waiting];
    this.#cancelFlush = this.#options.timers.after(delay, () => this.#sort(this.#decoder.flush()));
  };

  readonly #die = () => {
    if (this.#isDead) return;
    this.#isDead = true;
    this.#options.closed();
  };

  readonly #resized = () => {
    this.#reported = undefined;
    this.#options.resized();
  };

  readonly #drained = () => {
    this.#isBusy = false;
  };

  /** Passes events on and answers to whoever asked. */
  #sort(decoded: readonly DecodedEvent[]): void {
    const events: InputEvent[] = [];
    for (const each of decoded)
      if (each.type === "key" || each.type === "paste" || each.type === "focus") events.push(each);
      else if (this.prober.hear(each) === "free") this.#unasked(each);
    if (events.length > 0) this.#options.received(events);
  }

  #unasked(reply: TerminalReply): void {
    if (reply.type === "appearance") this.#options.learned?.({ fact: "appearance", scheme: reply.scheme });
    if (reply.type !== "size") return;
    this.#reported = reply;
    this.#options.resized();
  }
}

/** Puts a terminal back as a shell expects it, whatever state it was left in. Safe to send twice. */
export const restoreBytes =
  "\x1b[?2026l\x1b[<u\x1b[>4;0m\x1b[?2004l\x1b[?1004l\x1b[?2031l\x1b[?2048l\x1b[?1000l\x1b[?1006l\x1b[?7h\x1b[?25h\x1b[0m";

/** Switches to pastes without marks, no events for the focus and keys in their plain form; and back. */
const plainInput = {
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

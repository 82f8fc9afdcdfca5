import type { Prober } from "../input/probe.ts";
import type { Timers } from "../screen/scheduler.ts";
import type { TerminalCapabilities } from "./capability.ts";

export type TerminalFact =
  | { readonly fact: "sync"; readonly on: boolean }
  | { readonly fact: "background"; readonly rgb: readonly [number, number, number] }
  | { readonly fact: "appearance"; readonly scheme: "dark" | "light" }
  | { readonly fact: "keyboard"; readonly protocol: "kitty" | "modify-other-keys" };

export interface NegotiationOptions {
  capabilities: TerminalCapabilities;
  timers: Timers;
  /** Called for each fact that the terminal told about itself. */
  learned?(fact: TerminalFact): void;
}

const pollEveryMs = 30_000;

/** Asks a terminal what it can do, switches on what it knows, and watches its background colour. */
export class Negotiation {
  /** Sequences of the modes that were switched on, to be sent again when a program gives the terminal back. */
  modes = "";
  notifications: TerminalCapabilities["notifications"];
  readonly #options: NegotiationOptions;
  readonly #prober: Prober;
  readonly #switchOn: (mode: string) => void;
  #isRunning = false;
  #cancelPoll: (() => void) | undefined;

  /** `switchOn` is called for each mode that the terminal knows. */
  constructor(options: NegotiationOptions, prober: Prober, switchOn: (mode: string) => void) {
    this.#options = options;
    this.#prober = prober;
    this.#switchOn = switchOn;
    this.notifications = options.capabilities.notifications;
  }

  /** Asks all questions at once; each answer changes what it changes when it comes. */
  async run(): Promise<void> {
    const { capabilities, learned } = this.#options;
    this.#isRunning = true;
    this.modes = "";
    const keyboard = this.#prober.ask("keyboard", "\x1b[?u");
    const background = this.#askColour();
    // Changes of the colour scheme (2031) are reported from here on.
    void this.#prober.ask("notification", "\x1b[?2031h\x1b]99;i=pith:p=?;\x1b\\").then((reply) => {
      if (reply && this.notifications !== "off") this.notifications = "osc99";
    });
    const [sync, resize, appearance] = await Promise.all([2026, 2048, 2031].map((mode) => this.#askMode(mode)));
    if (!this.#isRunning) return;
    if (sync && !capabilities.syncFixed) learned?.({ fact: "sync", on: isKnown(sync) });
    if (resize && isKnown(resize)) this.#add("\x1b[?2048h");
    const kitty = await keyboard;
    if (!this.#isRunning) return;
    this.#add(kitty ? "\x1b[>5u" : "\x1b[>4;2m");
    learned?.({ fact: "keyboard", protocol: kitty ? "kitty" : "modify-other-keys" });
    await background;
    if (capabilities.pollsColour && (!appearance || appearance.state === "unknown")) this.#poll();
  }

  stop(): void {
    this.#isRunning = false;
    this.#cancelPoll?.();
  }

  #add(mode: string): void {
    this.modes += mode;
    this.#switchOn(mode);
  }

  #askMode(mode: number) {
    return this.#prober.ask("mode", `\x1b[?${mode}$p`, (reply) => reply.mode === mode);
  }

  async #askColour() {
    const reply = await this.#prober.ask("colour", "\x1b]11;?\x1b\\", ({ slot }) => slot === 11);
    if (reply && this.#isRunning) this.#options.learned?.({ fact: "background", rgb: reply.rgb });
    return reply;
  }

  #poll(): void {
    this.#cancelPoll = this.#options.timers.after(pollEveryMs, async () => {
      if ((await this.#askColour()) && this.#isRunning) this.#poll();
    });
  }
}

const isKnown = ({ state }: { state: string }): boolean => state === "set" || state === "reset";

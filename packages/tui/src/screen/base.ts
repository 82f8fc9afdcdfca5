import type { InputEvent } from "../input/event.ts";
import { FrameComposer } from "./compose.ts";
import { Focus } from "./focus.ts";
import type { Pane, View } from "./frame.ts";
import type { Tty } from "./grid.ts";
import type { HistoryState } from "./history.ts";
import type { OverlayHandle, OverlayOptions } from "./overlay.ts";
import { FrameScheduler, type Timers } from "./scheduler.ts";

export interface ScreenBaseOptions {
  tty: Tty;
  panes: readonly Pane[];
  timers: Timers;
}

/** Panes joined to frames, overlays and the focus: what a painted screen and one for a screen reader share. */
export abstract class Screen {
  readonly focus = new Focus();
  protected readonly tty: Tty;
  protected readonly panes: readonly Pane[];
  protected readonly composer: FrameComposer;
  protected readonly scheduler: FrameScheduler;
  protected isRunning = false;

  constructor({ tty, panes, timers }: ScreenBaseOptions) {
    this.tty = tty;
    this.panes = panes;
    this.composer = new FrameComposer(panes);
    this.scheduler = new FrameScheduler(timers, () => this.frame());
  }

  abstract get history(): HistoryState;
  protected abstract frame(): void;

  /** Asks for a frame within 50 ms. */
  request(): void {
    this.composer.changed();
    this.scheduler.request();
  }

  /** Asks for a frame in which only this pane changed: the others are not drawn again. */
  requestPane(pane: Pane): void {
    this.composer.changed(pane);
    this.scheduler.request();
  }

  /** Paints a frame at once. */
  now(): void {
    this.composer.changed();
    this.scheduler.now();
  }

  /** Takes all events of one read; one frame answers them. */
  input(...events: readonly InputEvent[]): void {
    if (events.map((event) => this.focus.dispatch(event)).includes("used")) this.answer();
  }

  overlay(view: View, options: OverlayOptions = {}): OverlayHandle {
    return this.focus.open(view, options, () => {
      this.overlayChanged?.();
      this.now();
    });
  }

  /** Takes the window off and leaves the terminal to a program until the result is disposed of. */
  lend(): Disposable {
    if (!this.isRunning) return { [Symbol.dispose]() {} };
    this.stop("suspend");
    return { [Symbol.dispose]: () => this.isRunning || this.start() };
  }

  /** Erases history and writes it again: another session is shown. */
  abstract replace(): void;
  abstract start(): void;
  /**
   * Gives the terminal away: `exit` leaves the whole transcript and nothing that was only live, `suspend` takes the
   * window off the screen.
   */
  abstract stop(why: "exit" | "suspend"): void;

  /** Paints a fresh screen for a user who asked for one. */
  redraw(): void {}
  resized(): void {}
  setSync(_on: boolean): void {}
  /** Says a text at once, on a screen for a screen reader; undefined on one that is seen. */
  announce?(text: string): void;
  /** Writes bytes that no row can hold; undefined on a screen that draws over what it has written. */
  insert?(bytes: string): void;

  protected answer(): void {
    this.composer.changed();
    this.scheduler.answer();
  }
  /** Called when an overlay appears or disappears. */
  protected overlayChanged?(): void;
}

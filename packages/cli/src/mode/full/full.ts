import { writeSync } from "node:fs";
import type { Coder } from "@pith/coder";
import {
  createLinearScreen,
  createScreen,
  createTerminal,
  detectCapabilities,
  frameLog,
  type KeyEvent,
  restoreOnExit,
  type Screen,
  suspendable,
  systemTimers,
  type TtyIn,
  type TtyOut,
} from "@pith/tui";
import type { Io } from "../../io/io.ts";
import { slotOfGround } from "../../theme/slot.ts";
import { wear } from "../../theme/wear.ts";
import type { FaceStart } from "../face.ts";
import { createLeaving } from "./action/escape.ts";
import { hotkeys } from "./action/hotkeys.ts";
import { readKeys } from "./action/keys.ts";
import { actionCommands, actions } from "./action/table.ts";
import { completerFor } from "./composer/complete.ts";
import { createComposer } from "./composer/composer.ts";
import { spokenOf } from "./composer/spoken.ts";
import { createSlot } from "./dialog/slot.ts";
import { liveLook } from "./look.ts";
import { panes } from "./order.ts";
import { ownDeeds } from "./own.ts";
import type { Seat } from "./seat.ts";
import { Talk } from "./talk.ts";
import { createStory } from "./transcript/transcript.ts";

/** The full face, wired: one screen, one composer, one conversation at a time. */
export interface Full {
  seat: Seat;
  talk: Talk;
  /** The conversation is this one from now on. */
  take(coder: Coder): void;
  /** Resolves with the exit code when the person leaves. */
  left: Promise<number>;
  /** Gives the terminal back. */
  end(): Promise<void>;
}

export interface FullNeeds extends FaceStart {
  /** What was typed and entered is kept. */
  kept(text: string): void;
  swap: Seat["swap"];
}

export function openFull({ settings, flags, cwd, kept, swap }: FullNeeds, io: Io): Full {
  const can = detectCapabilities(
    flags["screen-reader"] ? { ...io.env, PITH_SCREEN_READER: "1" } : io.env,
    process.platform,
  );
  /** What is odd before there is a place to say it. */
  const odd: string[] = [];
  let standing = false;
  const worn = wear({
    home: io.home,
    env: io.env,
    settings,
    can,
    restyle: (next) => seat.restyle(next),
    tell: (text) => (standing ? seat.say("warn", text) : odd.push(text)),
  });
  const { look, restyle } = liveLook(worn.look);
  const timers = systemTimers;
  const left = Promise.withResolvers<number>();
  const leaving = createLeaving(() => timers.now());
  const keys = readKeys(io.home, actions);
  let coder: Coder | undefined;
  let screen: Screen;
  const story = createStory(look, settings.get("transcript.replayRows"));
  story.ink.thinking = settings.get("transcript.thinking");
  const composer = createComposer({
    look,
    timers,
    keys,
    vim: settings.get("editor.vim"),
    cursor: can.cursor,
    completer: (...at) => completerFor(seat)(...at),
    changed: () => screen.request(),
    key,
    submit({ text, attachments }) {
      composer.clear();
      talk.enter({ ...spokenOf(text, attachments), when: "now" });
    },
    edited: () => {},
  });
  const terminal = createTerminal({
    input: process.stdin as unknown as TtyIn,
    output: process.stdout as unknown as TtyOut,
    capabilities: can,
    timers,
    heard: (events) => screen.input(...events),
    resized: () => screen.resized(),
    closed: () => left.resolve(129),
    learned(fact) {
      if (fact.fact === "sync") screen.setSync(fact.on);
      else if (fact.fact === "background") worn.ground(slotOfGround(fact.rgb));
      else if (fact.fact === "appearance") worn.ground(fact.scheme);
    },
    title: "pith",
  });

  function key(event: KeyEvent): "used" | "passed" {
    for (const pane of between) if (pane.key?.(event) === "used") return "used";
    const name = keys.actions.get(event.combo);
    if (name === undefined) return "passed";
    // The first Escape is vim's, and Ctrl+D deletes where there is something.
    if (name === "app.interrupt" && composer.vim && composer.mode !== "normal") return "passed";
    if (name === "app.exit" && !composer.isEmpty) return "passed";
    seat.act(name);
    return "used";
  }

  const seat: Seat = {
    io,
    settings,
    flags,
    cwd,
    get coder() {
      return coder;
    },
    look,
    worn,
    restyle(next) {
      restyle(next);
      screen.replace();
    },
    can,
    get screen() {
      return screen;
    },
    terminal,
    timers,
    composer,
    say(level, text) {
      story.say(level, text);
      screen.request();
    },
    show(outcome) {
      story.show(outcome);
      screen.request();
    },
    open: (make) => slot.open(make),
    get dialog() {
      return slot.current;
    },
    act: (name, words = "") => actions.find((action) => action.name === name)?.run(seat, words),
    enter: (text, when = "now") => talk.enter({ text, when }),
    swap,
    repaint() {
      if (coder) story.seat(coder, terminal.columns);
      screen.replace();
    },
    leave: (code) => left.resolve(code),
    own: (name) => deeds[name]?.(),
    hotkeys: () => hotkeys(keys, actions),
  };
  const talk = new Talk(seat, kept);
  const between = panes.map((make) => make(seat));
  const open = can.reader ? createLinearScreen : createScreen;
  screen = open({
    tty: terminal,
    panes: [story.pane, ...between, composer],
    timers,
    trace: can.logsFrames ? frameLog(io.log) : undefined,
    ...can,
  });
  const slot = createSlot(seat, () => composer.render(terminal.columns, terminal.rows).length + 1);
  const pause = () => {
    screen.stop("suspend");
    terminal.stop();
  };
  const resume = () => {
    terminal.start();
    screen.start();
  };
  const suspend = suspendable(process, pause, resume);
  const deeds = ownDeeds({ seat, talk, story, leaving, suspend });
  const forget = restoreOnExit(process, process.stdin, (bytes) => void writeSync(1, bytes));
  screen.focus.set(composer);
  terminal.start();
  screen.start();
  standing = true;
  for (const warning of [...keys.warnings, ...odd]) seat.say("warn", warning);
  worn.follow();

  let events: Disposable | undefined;
  return {
    seat,
    talk,
    left: left.promise,
    take(next) {
      events?.[Symbol.dispose]();
      const swapped = coder !== undefined;
      coder = next;
      next.commands.add(actionCommands());
      story.seat(next, terminal.columns);
      if (swapped) screen.replace();
      for (const pane of between) pane.seated?.(next);
      events = next.subscribe((event) => {
        story.hear(event);
        for (const pane of between) pane.hear?.(event);
        slot.hear(event);
        screen.requestPane(story.pane);
      });
      screen.request();
      talk.seated();
    },
    async end() {
      events?.[Symbol.dispose]();
      worn[Symbol.dispose]();
      await terminal.prober.quiet();
      slot.close();
      screen.stop("exit");
      terminal.stop();
      forget();
    },
  };
}

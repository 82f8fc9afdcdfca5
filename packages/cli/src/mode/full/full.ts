import type { Coder } from "@pith/coder";
import {
  createHighlighter,
  createLinearScreen,
  createScreen,
  detectCapabilities,
  frameLog,
  type Pane,
  type Screen,
  systemTimers,
  type Terminal,
  type TerminalCapabilities,
  type TerminalFact,
} from "@pith/tui";
import type { LaunchFlags } from "../../argv/flag.ts";
import { exit } from "../../io/interrupt.ts";
import type { Io } from "../../io/io.ts";
import { holdTerminal } from "../terminal.ts";
import { createLeaving } from "./action/escape.ts";
import { hotkeys } from "./action/hotkeys.ts";
import { readKeys } from "./action/keys.ts";
import { pressed } from "./action/press.ts";
import { actionCommands, actions } from "./action/table.ts";
import { createBroadcast } from "./broadcast.ts";
import { createCollector } from "./collect.ts";
import { createComposer } from "./composer/composer.ts";
import type { FullOptions, ScreenContext, Workspace } from "./context.ts";
import { createSlot } from "./dialog/slot.ts";
import { createNotifier } from "./notify.ts";
import { panes } from "./order.ts";
import { ownDeeds } from "./own.ts";
import { Submitter } from "./submit.ts";
import { openTheme } from "./theme.ts";
import { type Album, createAlbum } from "./transcript/album.ts";
import { createConversationView } from "./transcript/transcript.ts";

/** The full face, wired: one screen, one composer, one conversation at a time. */
export interface Full {
  context: ScreenContext;
  talk: Submitter;
  /** The conversation is this one from now on, perhaps at another place. */
  take(coder: Coder, at?: Workspace): void;
  /** Resolves with the exit code when the person leaves. */
  left: Promise<number>;
  /** Gives the terminal back. */
  end(): Promise<void>;
}

export function openFull({ settings, flags, cwd, remember: kept, swap }: FullOptions, io: Io): Full {
  const can = capabilitiesOf(flags, io);
  const mirror = openTheme(settings, can, io, (next) => context.restyle(next));
  const { theme, worn } = mirror;
  const left = Promise.withResolvers<number>();
  const leaving = createLeaving(() => systemTimers.now());
  const keys = readKeys(io.home, actions);
  const request = () => screen.request();
  const album = createAlbum(can, () => terminal, request);
  const code = createHighlighter(theme, request);
  const story = createConversationView(theme, album, code, settings);
  const holder = holdTerminal({
    can,
    questions: "asked",
    title: "pith",
    closed: () => left.resolve(exit.hungUp),
    learned: (fact) => learn(fact, screen, mirror),
  });
  const { terminal } = holder;
  let place: Workspace = { cwd, settings };
  let coder: Coder | undefined;
  let screen: Screen;
  const context: ScreenContext = {
    io,
    flags,
    theme,
    activeTheme: worn,
    can,
    terminal,
    timers: systemTimers,
    swap,
    get cwd() {
      return place.cwd;
    },
    get settings() {
      return place.settings;
    },
    get coder() {
      return coder;
    },
    get screen() {
      return screen;
    },
    get composer() {
      return composer.editor;
    },
    get dialog() {
      return slot.current;
    },
    restyle(next) {
      mirror.become(next);
      code.repaint();
      screen.replace();
    },
    say: (level, text) => void [story.say(level, text), screen.request()],
    show: (outcome) => void [story.show(outcome), screen.request()],
    open: (make) => slot.open(make),
    act: (name, words = "") => actions.find((action) => action.name === name)?.run(context, words),
    get performing() {
      return talk.performing;
    },
    enter: (text, when = "now") => talk.enter({ text, when }),
    later: (act) => talk.later(act),
    repaint: () => void [coder && story.open(coder, terminal.columns), screen.replace()],
    leave: (code) => left.resolve(code),
    own: (name) => deeds[name]?.(),
    keyOf: (name) => keys.of(name)[0],
    hotkeys: (what) => hotkeys(keys, actions, what),
  };
  const talk = new Submitter(context, kept);
  const composer = createComposer(context, {
    keys,
    key: (event) => pressed(event, context, between, keys),
    send: (spoken) => talk.enter({ ...spoken, when: "now" }),
  });
  const between = panes.map((make) => make(context));
  const slot = createSlot(context, keys, () => composer.editor.render(terminal.columns, terminal.rows).length + 1);
  const deeds = ownDeeds({ context, talk, story, leaving, suspend: holder.suspend });
  screen = screenOn(terminal, [story.pane, ...between, composer.editor], { can, graphics: album.graphics, io });
  screen.focus.set(composer.editor);
  holder.show(screen);
  const caller = createNotifier(context);
  const listeners = [story, ...between, slot, caller, createCollector(systemTimers)];
  const audience = createBroadcast(context, listeners, () => screen.requestPane(story.pane));
  mirror.stands((text) => context.say("warn", text));
  for (const odd of [keys.warnings.join("\n"), ...composer.warnings]) if (odd !== "") context.say("warn", odd);

  return {
    context,
    talk,
    left: left.promise,
    take(next, at = place) {
      audience.leave();
      const swapped = coder !== undefined;
      coder = next;
      place = at;
      next.commands.cover(actionCommands(context, next.commands.own));
      story.open(next, terminal.columns);
      if (swapped) screen.replace();
      audience.attend(next);
      screen.request();
      talk.attach();
    },
    async end() {
      audience.leave();
      composer.flush();
      worn[Symbol.dispose]();
      slot.close();
      caller.end();
      await holder.end();
    },
  };
}

function screenOn(
  tty: Terminal,
  panes: readonly Pane[],
  { can, graphics, io }: { can: TerminalCapabilities; graphics: Album["graphics"]; io: Io },
): Screen {
  const trace = can.logsFrames ? frameLog(io.log) : undefined;
  const open = can.reader ? createLinearScreen : createScreen;
  return open({ tty, panes, timers: systemTimers, trace, graphics, ...can });
}

function capabilitiesOf(flags: LaunchFlags, { env }: Io): TerminalCapabilities {
  const reader = flags["screen-reader"] ? { PITH_SCREEN_READER: "1" } : {};
  return detectCapabilities({ ...env, ...reader }, process.platform);
}

function learn(fact: TerminalFact, screen: Screen, { learned }: ReturnType<typeof openTheme>): void {
  if (fact.fact === "sync") screen.setSync(fact.on);
  learned(fact);
}

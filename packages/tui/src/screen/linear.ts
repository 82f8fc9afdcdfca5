import { guardRow } from "../text/clean.ts";
import { strip, width } from "../text/width.ts";
import { createComposer } from "./compose.ts";
import { createFocus } from "./focus.ts";
import { cursorMark, rowsOf, type View } from "./frame.ts";
import type { HistoryState } from "./history.ts";
import type { Overlay } from "./overlay.ts";
import { createCadence } from "./scheduler.ts";
import type { Screen, ScreenOptions } from "./screen.ts";

/** Wide enough that paragraphs are lines: a listener has no use for breaks. */
const columns = 1000;
const prompt = "> ";

/**
 * The same application for those who listen: final rows are said once, in order, as plain lines; nothing is ever drawn
 * again.
 * What is being typed is echoed letter by letter, and a box that opens says what changed in it.
 */
export function createLinearScreen(
  options: Pick<ScreenOptions, "tty" | "panes" | "timers">,
): Screen & { announce(text: string): void } {
  const { tty, panes } = options;
  const composer = createComposer(panes);
  const overlays: Overlay[] = [];
  const focus = createFocus(overlays, () => ({ columns: tty.columns, height: tty.rows }));
  const cadence = createCadence(options.timers, frame);
  let ledger: HistoryState = { committed: 0, top: 0 };
  let running = false;
  /** What stands on the line of input now. */
  let echoed: string | undefined;
  let said = new Set<string>();

  function frame() {
    if (!running) return;
    focus.settle();
    const composed = composer.compose(columns, tty.rows, "all");
    const from = Math.max(ledger.committed, composed.base);
    const fresh = composed.rows.slice(from - composed.base, Math.max(0, composed.boundary - composed.base));
    ledger = { committed: Math.max(from, composed.boundary), top: Math.max(from, composed.boundary) };
    panes[0]?.committed?.(ledger.committed);
    say(fresh);
    sayOverlay();
    echo();
    if (composed.more) cadence.soon();
  }

  function say(rows: readonly string[]) {
    const lines = rows.map(plain).filter((line) => line !== undefined);
    if (lines.length === 0) return;
    breakLine();
    tty.write(`${lines.join("\r\n")}\r\n`);
  }

  // Only what was not said before, and of that the line the pointer is on, if there is one.
  function sayOverlay() {
    const view = focus.visible().at(-1)?.view;
    const rows = view ? rowsOf(() => view.render(columns, tty.rows), columns) : [];
    const lines = rows.map(plain).filter((line): line is string => Boolean(line));
    const news = lines.filter((line) => !said.has(line));
    const pointed = said.size > 0 ? news.filter((line) => /^[❯>] /.test(line)) : [];
    say(pointed.length > 0 ? pointed : news);
    said = new Set(lines);
  }

  function echo() {
    const text = focus.current?.spoken?.().replaceAll("\n", " ");
    if (text === undefined) return;
    if (echoed === undefined) tty.write(prompt + guardRow(text));
    else if (text === echoed) return;
    else if (text.startsWith(echoed)) tty.write(guardRow(text.slice(echoed.length)));
    else if (echoed.startsWith(text)) tty.write("\b \b".repeat(width(echoed.slice(text.length))));
    else tty.write(`\r\n${prompt}${guardRow(text)}`);
    echoed = text;
  }

  function breakLine() {
    if (echoed !== undefined) tty.write("\r\n");
    echoed = undefined;
  }

  const restart = () => {
    for (const pane of panes) pane.restart?.(columns);
    ledger = { committed: 0, top: 0 };
    cadence.now();
  };

  const screen: Screen & { announce(text: string): void } = {
    announce: (text) => {
      say(text.split("\n"));
      echo();
    },
    request: () => cadence.request(),
    // What only ticks has no final rows, so nothing is said for it.
    requestPane: () => cadence.request(),
    now: () => cadence.now(),
    replace: restart,
    redraw: () => {},
    resized: () => {},
    input(...events) {
      if (events.map((event) => focus.dispatch(event)).includes("used")) cadence.now();
    },
    overlay(view: View, overlayOptions = {}) {
      const overlay: Overlay = { view, options: overlayOptions, hidden: false };
      const hide = (hidden: boolean) => {
        overlay.hidden = hidden;
        said = new Set();
        cadence.now();
      };
      focus.open(overlay);
      hide(false);
      return {
        hide: () => hide(true),
        show: () => hide(false),
        close: () => {
          focus.close(overlay);
          hide(true);
        },
      };
    },
    focus,
    setSync: () => {},
    start() {
      running = true;
      cadence.now();
    },
    stop(why) {
      if (!running) return;
      frame();
      if (why === "exit") {
        // What was still being written is said as far as it came.
        const rest = composer.compose(columns, tty.rows, "lasting");
        say(rest.rows.slice(Math.max(0, ledger.committed - rest.base)));
      }
      breakLine();
      cadence.stop();
      running = false;
    },
    lend() {
      if (!running) return { [Symbol.dispose]() {} };
      screen.stop("suspend");
      return { [Symbol.dispose]: () => screen.start() };
    },
    get history() {
      return ledger;
    },
  };
  return screen;
}

// Frames and rules are for eyes: rows of nothing else are left out, bars at the sides go. A single sign is a word of
// the text.
function plain(row: string): string | undefined {
  const text = strip(guardRow(row.replaceAll(cursorMark, "")));
  if (text.trim() === "" || /^[\s─━│┃╭╮╰╯├┤┬┴┼]+$/u.test(text) || /^[\s=+|-]{3,}$/.test(text)) return undefined;
  return text
    .replace(/^\s*[╭┌╔][─━═]*(.*?)[─━═]*[╮┐╗]\s*$/u, "$1")
    .replace(/^\s*\+-(.*?)-*\+\s*$/u, "$1")
    .replace(/[─━═]{2,}/gu, " ")
    .replace(/^\s*\|\s(.*)\s\|\s*$/u, "$1")
    .replace(/^\s*[│┃]\s?/u, "")
    .replace(/\s*[│┃]\s*$/u, "")
    .replace(/\s*[│┃]\s*/gu, ", ")
    .replace(/\s+/g, " ")
    .trim();
}

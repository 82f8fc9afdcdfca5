import { countLines, formatBytes } from "@pith/kit";
import type { DecodedEvent } from "@pith/tui/keys";
import { fit, graphemes, oneLine, printable } from "@pith/tui/theme";
import type { Source } from "../../../io/io.ts";
import type { Foot } from "../prompt.ts";
import type { Cell, Line } from "./layout.ts";

export interface ReaderOptions {
  keys: Source;
  foot: Foot;
  /**
   * `marked`: the terminal says what was pasted; `guessed`: what has more right behind its Enter was, since nobody
   * types that fast.
   */
  pastes: "marked" | "guessed";
  /** What was typed before, the newest first. */
  recall(): Promise<readonly string[]>;
  /** Ctrl+C, and Ctrl+Z. */
  interrupt(): void;
  suspend(): void;
  /** Nobody hears keys any more. */
  ended(): void;
}

/** How long the rest of a sequence is waited for, a paste without its end, and what would come behind an Enter. */
const patience = { key: 30, sequence: 1000, paste: 5000, enter: 25 };
/** What is pasted and longer than this stands as a mark. */
const longPaste = 400;

/** Lines that are typed at a terminal which shows nothing by itself; a pasted block is a part of one. */
export class Reader {
  readonly #options: ReaderOptions;
  #line: Line = { cells: [], cursor: 0 };
  /** What was typed before, and where in it we are: 0 is what is being typed now. */
  #recalled: { texts: readonly string[]; at: number; own: Line } | undefined;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Ends with Ctrl+D at an empty line, or with the keys. Keys are heard also while nobody asks for the next line. */
  lines(): ReadableStream<string> {
    return new ReadableStream({
      start: async (lines) => {
        for await (const heard of this.#heard()) {
          const done = await this.#take(heard);
          if (done === "end") break;
          if (done !== undefined) lines.enqueue(done.text);
        }
        if (this.#line.cells.length > 0) lines.enqueue(textOf(this.#line));
        this.#options.ended();
        lines.close();
      },
    });
  }

  /** What is heard, where pastes are guessed: an Enter with more right behind it is a line break in one. */
  async *#heard(): AsyncGenerator<DecodedEvent> {
    if (this.#options.pastes === "marked") {
      for await (const heard of this.#portions(() => undefined)) yield* heard;
      return;
    }
    let enter: DecodedEvent | undefined;
    for await (const heard of this.#portions(() => enter && patience.enter)) {
      if (enter) yield heard.length > 0 ? newline : enter;
      enter = heard.length > 0 && isEnter(heard.at(-1)) ? heard.at(-1) : undefined;
      for (const event of enter ? heard.slice(0, -1) : heard) yield isEnter(event) ? newline : event;
    }
    if (enter) yield enter;
  }

  /** What comes at once; nothing, when nothing came for as long as somebody waits. */
  async *#portions(waits: () => number | undefined): AsyncGenerator<DecodedEvent[]> {
    const { createDecoder } = await import("@pith/tui/keys");
    const decoder = createDecoder();
    const utf8 = new TextDecoder();
    const chunks = this.#options.keys.bytes()[Symbol.asyncIterator]();
    let next = chunks.next();
    for (;;) {
      const wait = waits() ?? (decoder.waiting && patience[decoder.waiting]);
      const came = wait === undefined ? await next : await within(next, wait);
      if (came === "late") yield decoder.flush();
      else if (came.done) return;
      else {
        next = chunks.next();
        yield decoder.feed(utf8.decode(came.value, { stream: true }));
      }
    }
  }

  async #take(heard: DecodedEvent): Promise<{ text: string } | "end" | undefined> {
    const { foot } = this.#options;
    if (heard.type === "paste") return this.#insert(pasted(heard.text));
    if (heard.type !== "key" || heard.phase === "release") return undefined;
    if (isEnter(heard)) {
      const text = textOf(this.#line);
      this.#forget();
      foot.entered();
      return { text };
    }
    if (heard.combo === "ctrl+d" && this.#line.cells.length === 0) return "end";
    if (heard.combo === "up" || heard.combo === "down") return await this.#walk(heard.combo);
    const edit = edits[heard.combo];
    if (edit) this.#set(edit(this.#line));
    else if (heard.combo === "ctrl+c") {
      foot.entered();
      this.#forget();
      this.#options.interrupt();
    } else if (heard.combo === "ctrl+z") this.#options.suspend();
    else if (heard.combo === "ctrl+l") foot.clear();
    else if (heard.text !== "") this.#insert(heard.text);
    return undefined;
  }

  #forget(): void {
    this.#line = { cells: [], cursor: 0 };
    this.#recalled = undefined;
  }

  #set(line: Line): void {
    const { foot } = this.#options;
    // Where nobody can see the cursor inside of a line, it is at its end.
    this.#line = foot.erases ? line : { ...line, cursor: line.cells.length };
    foot.type(this.#line);
  }

  #insert(fresh: string | Cell): undefined {
    const { cells, cursor } = this.#line;
    // What joins the character before it becomes a part of it.
    const before = typeof fresh === "string" ? cells[cursor - 1] : undefined;
    const joins = before && before.shown === before.text ? before : undefined;
    const kept = cells.slice(0, joins ? cursor - 1 : cursor);
    const added = typeof fresh === "string" ? cellsOf((joins?.text ?? "") + fresh) : [fresh];
    if (joins && added[0]?.text === joins.text) added[0] = joins;
    const head = [...kept, ...added];
    this.#set({ cells: [...head, ...cells.slice(cursor)], cursor: head.length });
  }

  async #walk(way: "up" | "down"): Promise<undefined> {
    this.#recalled ??= { texts: await this.#options.recall().catch(() => []), at: 0, own: this.#line };
    const { texts, at, own } = this.#recalled;
    const to = Math.min(texts.length, Math.max(0, at + (way === "up" ? 1 : -1)));
    if (to === at) return;
    if (at === 0) this.#recalled.own = this.#line;
    this.#recalled.at = to;
    const text = texts[to - 1];
    const cells = text === undefined ? own.cells : text.includes("\n") ? [blockCell(text)] : cellsOf(text);
    this.#set({ cells, cursor: cells.length });
  }
}

type Edit = (line: Line) => Line;

const cut = ({ cells }: Line, from: number, to: number): Line => ({
  cells: [...cells.slice(0, from), ...cells.slice(to)],
  cursor: from,
});
const backspace: Edit = (line) => cut(line, Math.max(0, line.cursor - 1), line.cursor);
const remove: Edit = (line) => ({ ...cut(line, line.cursor, line.cursor + 1), cursor: line.cursor });
const move = ({ cells }: Line, to: number): Line => ({ cells, cursor: Math.max(0, Math.min(cells.length, to)) });
const left: Edit = (line) => move(line, line.cursor - 1);
const right: Edit = (line) => move(line, line.cursor + 1);
const home: Edit = (line) => move(line, 0);
const end: Edit = (line) => move(line, line.cells.length);
const breakLine: Edit = ({ cells, cursor }) => ({
  cells: [...cells.slice(0, cursor), newlineCell, ...cells.slice(cursor)],
  cursor: cursor + 1,
});

const edits: Readonly<Record<string, Edit>> = {
  backspace,
  "ctrl+h": backspace,
  delete: remove,
  "ctrl+d": remove,
  left,
  "ctrl+b": left,
  right,
  "ctrl+f": right,
  home,
  "ctrl+a": home,
  end,
  "ctrl+e": end,
  "ctrl+u": (line) => cut(line, 0, line.cursor),
  "ctrl+k": (line) => ({ cells: line.cells.slice(0, line.cursor), cursor: line.cursor }),
  "ctrl+w": (line) => cut(line, wordBefore(line), line.cursor),
  "alt+backspace": (line) => cut(line, wordBefore(line), line.cursor),
  "alt+enter": breakLine,
  "shift+enter": breakLine,
};

function wordBefore({ cells, cursor }: Line): number {
  let at = cursor;
  while (at > 0 && /^\s/.test(cells[at - 1]?.text ?? "")) at--;
  while (at > 0 && !/^\s/.test(cells[at - 1]?.text ?? "")) at--;
  return at;
}

const newlineCell: Cell = { text: "\n", shown: "\\n" };
const textOf = ({ cells }: Line): string => cells.map(({ text }) => text).join("");
const cellsOf = (text: string): Cell[] =>
  graphemes(text).map((each) => (each === "\n" ? newlineCell : { text: each, shown: printable(each) }));

/** A short paste is as good as typed; a long one, and one of several lines, stands as a mark. */
function pasted(block: string): string | Cell {
  if (block === "\n") return newlineCell;
  const text = block.replace(/\n+$/, "");
  return text.length > longPaste || text.includes("\n") ? pasteCell(text) : text;
}

function pasteCell(text: string): Cell {
  const lines = countLines(text);
  return { text, shown: lines > 1 ? `[${lines} lines pasted]` : `[${formatBytes(Buffer.byteLength(text))} pasted]` };
}

const blockCell = (text: string): Cell => ({
  text,
  shown: `[${countLines(text)} lines: ${fit(oneLine(text.slice(0, 200)), 40)}]`,
});

const isEnter = (heard: DecodedEvent | undefined): boolean =>
  heard?.type === "key" && heard.phase !== "release" && (heard.combo === "enter" || heard.combo === "ctrl+j");
const newline: DecodedEvent = { type: "paste", text: "\n" };

async function within<T>(promise: Promise<T>, ms: number): Promise<T | "late"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((done) => {
    timer = setTimeout(() => done("late"), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

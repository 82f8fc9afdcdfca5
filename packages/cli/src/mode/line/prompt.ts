import { countLines, formatBytes } from "@pith/kit";
import {
  createEditor,
  cursorMark,
  type Editor,
  type InputEvent,
  type KeyEvent,
  printable,
  type StyleName,
  strip,
  systemTimers,
  type Theme,
  width,
  wrap,
} from "@pith/tui";
import type { TerminalScreen } from "../terminal.ts";

export interface LinePromptOptions {
  theme: Theme;
  size(): { columns: number; rows: number };
  write(text: string): void;
  /** `erase`: rows can be taken away and drawn again; `backspace`: only the end of the last row can. */
  can: "erase" | "backspace";
  /** `guessed`: the terminal does not mark pastes; an Enter with more right behind it is a part of one. */
  pastes: "marked" | "guessed";
  /** Loads what was typed in earlier sessions, the newest first, when Up is pressed for the first time. */
  recall?(): Promise<readonly string[]>;
  /** Ctrl+C and Ctrl+Z. */
  interrupt?(): void;
  suspend?(): void;
  /** Called when no more keys are wanted. */
  ended?(): void;
}

/** Something that a person is asked for; what they type stands behind it. */
export interface PromptText {
  text: string;
  token: StyleName;
}

const usual: PromptText = { text: ">", token: "accent" };

/** Milliseconds without output until a model that works is said to, and until the prompt is written again below it. */
const quiet = { erase: 500, backspace: 2000, prompt: 150 };
/** Nobody types as fast as this behind an Enter. */
const pasteMs = 25;
/** Longer pastes stand as a mark. */
const longPaste = 400;
/** The part of a row that an answer has beside its question at least. */
const leastPart = 0.2;

/** Rows on the screen, and the place of the cursor in them; without a column it is behind the last one. */
interface PromptRows {
  rows: readonly string[];
  row: number;
  column?: number | undefined;
}

/**
 * The last rows of a conversation: the prompt and what is being typed. Everything else is written above them and is
 * never drawn again.
 */
export class LinePrompt implements TerminalScreen {
  readonly erases: boolean;
  /** The lines that are entered, to the end of the keys. */
  readonly lines: ReadableStream<string>;
  readonly #options: LinePromptOptions;
  readonly #editor: Editor;
  #entered: ReadableStreamDefaultController<string> | undefined;
  #prompt: PromptText | undefined;
  /** The end of the prompt, on the row of the editor. */
  #pointer = ">";
  #sign: string | undefined;
  #expected: string | undefined;
  #drawn: PromptRows | undefined;
  /** Output that waits for a program to give the terminal back. */
  #held: string | undefined;
  #cancelDraw = () => {};
  #cancelSign = () => {};
  /** Ends the wait for more behind an Enter. */
  #cancelEnter: (() => void) | undefined;
  /** Keys that wait until earlier texts are loaded; undefined: none have to. */
  #early: InputEvent[] | undefined;
  #isRecalled = false;

  constructor(options: LinePromptOptions) {
    this.#options = options;
    this.erases = options.can === "erase";
    this.lines = new ReadableStream({
      start: (entered) => {
        this.#entered = entered;
      },
    });
    const { theme } = options;
    const glyph = () => ({ ...theme.glyph, pointer: this.#pointer });
    this.#editor = createEditor({
      theme: Object.defineProperty({ ...theme }, "glyph", { get: glyph }),
      timers: systemTimers,
      frame: "none",
      keys: { "ctrl+j": { do: "submit" } },
      pasteMark,
      before: (event) => this.#command(event),
      submit: ({ text }) => {
        this.#leave();
        this.#entered?.enqueue(text);
      },
    });
    this.#editor.focused = true;
  }

  /** Writes whole lines above the prompt. */
  write(text: string): void {
    if (this.#held !== undefined) {
      this.#held += text;
      return;
    }
    this.#sign = undefined;
    this.#hide();
    this.#options.write(text);
    this.#listen();
    this.#cancelDraw();
    if (this.erases) queueMicrotask(() => this.#draw());
    else this.#cancelDraw = systemTimers.after(quiet.prompt, () => this.#draw());
  }

  /** Asks for something; undefined when nothing is asked. */
  ask(prompt: PromptText | "usual" | undefined): void {
    const next = prompt === "usual" ? usual : prompt;
    if (!this.erases && next?.text !== this.#prompt?.text) this.#hide();
    this.#prompt = next;
    this.#draw();
  }

  /** Shows a short text until the next line comes; where nothing can be taken away, as a line. */
  sign(text: string | undefined): void {
    if (text === this.#sign || this.#held !== undefined) return;
    if (!this.erases && text !== undefined) {
      this.write(`${this.#options.theme.paint("dim", text)}\n`);
      this.#cancelSign();
    }
    this.#sign = text;
    this.#draw();
  }

  /** Shows this sign whenever nothing was written for a while; undefined: nothing is awaited any more. */
  expect(text: string | undefined): void {
    this.#expected = text;
    if (text === undefined) this.sign(undefined);
    this.#listen();
  }

  input(...events: readonly InputEvent[]): void {
    for (const [at, event] of events.entries()) {
      if (this.#cancelEnter) this.#editor.insert("\n");
      this.#cancelEnter?.();
      this.#cancelEnter = undefined;
      if (this.#early) this.#early.push(event);
      else if (this.#options.pastes === "marked" || !isEnter(event)) this.#edit(event);
      else if (at < events.length - 1) this.#editor.insert("\n");
      else this.#cancelEnter = systemTimers.after(pasteMs, () => this.#enter(event));
    }
    this.#draw();
  }

  /** No more keys come; an unfinished line counts as entered. */
  end(): void {
    this.#cancelEnter?.();
    if (!this.#editor.isEmpty) this.#entered?.enqueue(this.#editor.take().text);
    this.#entered?.close();
    this.#entered = undefined;
    this.#editor.clear();
    this.ask(undefined);
    this.#options.ended?.();
  }

  resized(): void {
    if (!this.#drawn || !this.erases) return;
    const { columns } = this.#options.size();
    // The terminal has broken the rows anew already.
    const above = this.#drawn.rows.slice(0, this.#drawn.row);
    this.#drawn.row = above.reduce((sum, row) => sum + Math.max(1, Math.ceil(width(row) / columns)), 0);
    this.#hide();
    this.#draw();
  }

  redraw(): void {
    this.#drawn = undefined;
    this.#draw();
  }

  start(): void {
    const held = this.#held ?? "";
    this.#held = undefined;
    if (held !== "") this.write(held);
    this.redraw();
  }

  stop(): void {
    this.#cancelSign();
    this.#hide();
    this.#held ??= "";
  }

  /** Takes the prompt off the screen, which a program gets until the result is disposed of. */
  lend(): Disposable {
    this.stop();
    return { [Symbol.dispose]: () => this.start() };
  }

  #edit(event: InputEvent): void {
    const editor = this.#editor;
    const before = editor.text;
    const paste = event.type === "paste" ? event.text.replace(/\r\n?/g, "\n").replace(/(?<=.)\n+$/s, "") : undefined;
    editor.input?.(paste === undefined ? event : { type: "paste", text: paste });
    // The cursor goes to the end of a recalled text, and stays at the end where it cannot be drawn elsewhere.
    const { text } = editor;
    const recalls = event.type === "key" && /^(?:up|down)$/.test(event.combo) && text !== before;
    if (recalls || !this.erases) editor.text = text;
  }

  /** Nothing came behind this Enter. */
  #enter(event: InputEvent): void {
    this.#cancelEnter = undefined;
    this.#edit(event);
    this.#draw();
  }

  async #recall(up: KeyEvent): Promise<void> {
    this.#isRecalled = true;
    this.#early = [up];
    const texts = await this.#options.recall?.().catch(() => []);
    this.#editor.recall((texts ?? []).toReversed());
    const early = this.#early;
    this.#early = undefined;
    this.input(...early);
  }

  #command(event: KeyEvent): "used" | "passed" {
    const { interrupt, suspend, write } = this.#options;
    const { combo } = event;
    if (combo === "ctrl+c") {
      this.#leave();
      interrupt?.();
    } else if (combo === "up" && !this.#isRecalled) void this.#recall(event);
    else if (combo === "ctrl+d" && this.#editor.isEmpty) this.end();
    else if (combo === "ctrl+z") suspend?.();
    else if (combo === "ctrl+l") {
      if (this.erases) write("\x1b[H\x1b[2J");
      else this.#hide();
      this.#drawn = undefined;
    } else return "passed";
    return "used";
  }

  /** Leaves all that was typed where it stands. */
  #leave(): void {
    this.#sign = undefined;
    this.#draw("whole");
    if (this.#drawn) this.#options.write("\n");
    this.#drawn = this.#prompt = undefined;
    this.#editor.clear();
  }

  #listen(): void {
    this.#cancelSign();
    const text = this.#expected;
    if (text !== undefined) this.#cancelSign = systemTimers.after(quiet[this.#options.can], () => this.sign(text));
  }

  #draw(part?: "whole"): void {
    this.#cancelDraw();
    if (this.#held !== undefined) return;
    const next = this.#rows(part);
    if (next.rows.length === 0) {
      this.#hide();
      return;
    }
    if (!this.#drawn || !this.#patch(this.#drawn, next)) {
      this.#hide();
      const up = next.rows.length - 1 - next.row;
      const back = next.column === undefined ? "" : `${up > 0 ? `\x1b[${up}A` : ""}\x1b[${next.column + 1}G`;
      this.#options.write(next.rows.join("\n") + back);
    }
    this.#drawn = next;
  }

  #hide(): void {
    if (!this.#drawn) return;
    const { row } = this.#drawn;
    this.#drawn = undefined;
    this.#options.write(this.erases ? `${row > 0 ? `\x1b[${row}A` : ""}\r\x1b[J` : "\n");
  }

  /** Changes only the end of the last row where nothing else changes; says whether that was so. */
  #patch(before: PromptRows, next: PromptRows): boolean {
    const [old = "", text = ""] = [before.rows.at(-1), next.rows.at(-1)];
    if (before.column !== undefined || next.column !== undefined) return false;
    if (before.rows.slice(0, -1).join("\n") !== next.rows.slice(0, -1).join("\n")) return false;
    let same = 0;
    while (same < text.length && old[same] === text[same]) same++;
    const gone = width(strip(old.slice(same)));
    // Backspace does not reach the row above.
    if (gone > 0 && (this.erases || width(old) >= this.#options.size().columns)) return false;
    const back = "\b".repeat(gone);
    this.#options.write(back + " ".repeat(gone) + back + text.slice(same));
    return true;
  }

  /** The prompt and what is typed: what fits, with the cursor in it, or the whole of it. */
  #rows(part: "whole" | undefined): PromptRows {
    const { theme, size } = this.#options;
    const { columns, rows: height } = size();
    const { text } = this.#editor;
    const prompt = this.#prompt ?? (text === "" ? undefined : usual);
    const sign = this.#sign === undefined || !this.erases ? [] : [theme.paint("dim", this.#sign)];
    if (!prompt) return { rows: sign, row: 0 };
    if (!this.erases) {
      const typed = printable(text.replaceAll("\n", "\\n"));
      return { rows: [theme.paint(prompt.token, `${prompt.text} `) + typed], row: 0 };
    }
    const heads = wrap(prompt.text, columns - 2);
    const last = heads.at(-1) ?? "";
    this.#pointer = columns - width(last) < columns * leastPart ? ">" : last;
    if (this.#pointer === last) heads.pop();
    this.#editor.rule = prompt.token;
    const room = part === "whole" ? Number.MAX_SAFE_INTEGER : height - heads.length;
    const typed = this.#editor.render(columns - width(this.#pointer) + 1, room);
    const rows = [...sign, ...heads.map((row) => theme.paint(prompt.token, row)), ...typed];
    const row = rows.findIndex((each) => each.includes(cursorMark));
    const [before = "", behind] = (rows[row] ?? "").split(cursorMark);
    const isEnd = part === "whole" || (behind === "" && row === rows.length - 1);
    return {
      rows: rows.map((each) => each.replaceAll(cursorMark, "")),
      row: part === "whole" ? rows.length - 1 : row,
      column: isEnd ? undefined : width(before),
    };
  }
}

const isEnter = (event: InputEvent): boolean =>
  event.type === "key" && event.phase !== "release" && (event.combo === "enter" || event.combo === "ctrl+j");

/** A short paste is as good as typed; a long one, and one of several lines, stands as a mark. */
function pasteMark(text: string, n: number): string | undefined {
  const lines = countLines(text);
  if (lines < 2 && text.length <= longPaste) return undefined;
  const again = n > 1 ? ` #${n}` : "";
  return `[${lines > 1 ? `${lines} lines` : formatBytes(Buffer.byteLength(text))} pasted${again}]`;
}

import { messageOf, parseJson, plainText, plural, recordOf } from "@pith/kit";
import { fit, type InputEvent, oneLine } from "@pith/tui";
import { logLines } from "../../../../report/report.ts";
import type { Dialog, DialogResult, ScreenContext } from "../../context.ts";
import { openWhole } from "../pager.ts";
import { copied } from "./copy.ts";

/** Lines of the log that are looked at, and that are shown at first and with each wish for older ones. */
const most = { lines: 5000, step: 50 };

/** Shows pith's log from its newest lines; lines can be marked and copied, and those of other processes left out. */
export async function logsDialog(context: ScreenContext): Promise<DialogResult> {
  const lines = await logLines(context.io, most.lines);
  return lines.length === 0 ? "The log is empty." : new LogsDialog(context, lines);
}

class LogsDialog implements Dialog {
  readonly hint = "up/down  O older  Space marks  C copies  P only this process  Enter shows it whole  Esc closes";
  readonly #context: ScreenContext;
  readonly #lines: readonly string[];
  readonly #own: readonly string[];
  /** True while only lines of this process are shown. */
  #isOwn = false;
  #loaded = most.step;
  /** The chosen line and the other end of the marked ones, counted from the newest: older lines move neither. */
  #back = 0;
  #anchor: number | undefined;
  #message = "";
  #room = 10;
  readonly #keys: Readonly<Record<string, (() => void) | undefined>>;

  constructor(context: ScreenContext, lines: readonly string[]) {
    this.#context = context;
    this.#lines = lines;
    this.#own = lines.filter((line) => recordOf(parseJson(line)).pid === process.pid);
    this.#keys = this.#keymap();
  }

  get title(): string {
    const whose = this.#isOwn ? `, only of process ${process.pid}` : "";
    return `log: ${this.#shown.length} of ${plural(this.#all.length, "line")}${whose}`;
  }

  input(event: InputEvent): "used" | "passed" {
    if (event.type !== "key") return "passed";
    this.#message = "";
    const act = this.#keys[event.combo];
    // The first Escape takes the marks away.
    if (event.combo === "escape" && this.#anchor !== undefined) this.#anchor = undefined;
    else if (act) act();
    else return "passed";
    return "used";
  }

  render(columns: number, height: number): string[] {
    const { theme } = this.#context;
    const { pointer, bullet, ellipsis } = theme.glyph;
    const lines = this.#shown;
    this.#room = Math.max(1, height - 1);
    if (lines.length === 0) return [theme.paint("dim", "  this process has logged nothing")];
    const first = Math.max(0, Math.min(this.#at - Math.floor(this.#room / 2), lines.length - this.#room));
    const rows = lines.slice(first, first + this.#room).map((line, i) => {
      const isChosen = this.#at === first + i;
      const sign = isChosen ? pointer : this.#isMarked(first + i) ? bullet : " ";
      const text = fit(`${sign} ${briefly(line)}`, columns, ellipsis);
      return isChosen ? theme.paint("selected", text.padEnd(columns)) : text;
    });
    return this.#message === "" ? rows : [...rows, theme.paint("dim", fit(oneLine(this.#message), columns))];
  }

  spoken(): string {
    const count = this.#anchor === undefined ? "" : `${plural(this.#marked.length, "line")} marked: `;
    return oneLine(this.#message || count + briefly(this.#shown[this.#at] ?? "nothing is logged"));
  }

  get #all(): readonly string[] {
    return this.#isOwn ? this.#own : this.#lines;
  }

  /** The lines that were loaded, the newest last. */
  get #shown(): readonly string[] {
    return this.#all.slice(-this.#loaded);
  }

  get #at(): number {
    return this.#shown.length - 1 - this.#back;
  }

  /** The marked lines, or the chosen one. */
  get #marked(): string[] {
    return this.#shown.filter((_, at) => this.#isMarked(at));
  }

  #isMarked(at: number): boolean {
    const back = this.#shown.length - 1 - at;
    const anchor = this.#anchor ?? this.#back;
    return back >= Math.min(anchor, this.#back) && back <= Math.max(anchor, this.#back);
  }

  #keymap(): Record<string, () => void> {
    return {
      up: () => this.#move(-1),
      down: () => this.#move(1),
      "shift+up": () => this.#mark(-1),
      "shift+down": () => this.#mark(1),
      pageup: () => this.#move(-this.#room),
      pagedown: () => this.#move(this.#room),
      home: () => this.#move(-most.lines),
      end: () => this.#move(most.lines),
      space: () => {
        this.#anchor = this.#anchor === undefined ? this.#back : undefined;
      },
      o: () => this.#loadOlder(),
      p: () => this.#filter(),
      c: () => void this.#copy(),
      enter: () => {
        const text = this.#shown[this.#at] ?? "";
        void this.#context.open(openWhole(this.#context.theme, { title: "log line", text }));
      },
    };
  }

  /** Moves the choice; upwards beyond the oldest line, more lines are loaded. */
  #move(by: number): void {
    const last = this.#shown.length - 1;
    if (this.#back === last && this.#back - by > last) this.#loadOlder();
    this.#back = Math.max(0, Math.min(this.#shown.length - 1, this.#back - by));
  }

  #mark(by: number): void {
    this.#anchor ??= this.#back;
    this.#move(by);
  }

  #loadOlder(): void {
    this.#loaded = Math.min(Math.max(most.step, this.#all.length), this.#loaded + most.step);
  }

  #filter(): void {
    this.#isOwn = !this.#isOwn;
    this.#loaded = most.step;
    this.#back = 0;
    this.#anchor = undefined;
  }

  async #copy(): Promise<void> {
    const lines = this.#marked;
    const text = await copied(this.#context, lines.join("\n")).catch((error) => plainText(messageOf(error)));
    this.#message = `${plural(lines.length, "line")}: ${text}`;
    this.#context.screen.request();
  }
}

/** The beginning of a line, which may be as long as the log. */
const briefly = (line: string): string => oneLine(plainText(line.slice(0, 2000)));

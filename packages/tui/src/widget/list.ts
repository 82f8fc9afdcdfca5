import type { InputEvent } from "../input/event.ts";
import { cursorMark, type View } from "../screen/frame.ts";
import { oneLine, printable } from "../text/clean.ts";
import { type FuzzyMatch, fuzzy } from "../text/fuzzy.ts";
import { fit, graphemes, pad, width } from "../text/width.ts";
import type { Theme } from "../theme/theme.ts";
import { scrollTo } from "./scroll-pane.ts";

export interface ListItem {
  readonly label: string;
  /** The chosen item stays chosen by its id when the items change; without ids, its place stays chosen. */
  readonly id?: string;
  readonly detail?: string;
  /** Words that the filter also searches. */
  readonly keywords?: string;
}

export interface ListOptions<T extends ListItem> {
  theme: Theme;
  items: readonly T[];
  choose?(item: T): void;
  cancel?: () => void;
  moved?: (item: T | undefined) => void;
  /** Lets typed letters narrow the list down. */
  filter?: boolean;
  height?: number;
  empty?: string;
}

export const createList = <T extends ListItem>(options: ListOptions<T>): List<T> => new List(options);

/** A list to choose an item from, which typing can narrow down. */
export class List<T extends ListItem> implements View {
  focused = false;
  readonly #options: ListOptions<T>;
  readonly #keys: Record<string, (() => void) | undefined>;
  #items: readonly T[];
  #query = "";
  #matches: readonly FuzzyMatch<T>[];
  #at = 0;
  /** Index of the first row in sight. */
  #first = 0;
  #height: number;

  constructor(options: ListOptions<T>) {
    this.#options = options;
    this.#items = options.items;
    this.#matches = this.#find();
    this.#height = options.height ?? 10;
    this.#keys = this.#keymap();
  }

  get items(): readonly T[] {
    return this.#items;
  }

  set items(items: readonly T[]) {
    const id = this.current?.id;
    this.#items = items;
    this.#matches = this.#find();
    const same = id === undefined ? -1 : this.#matches.findIndex(({ item }) => item.id === id);
    this.#move(same >= 0 ? same : this.#at);
  }

  /** Index of the chosen item among those that match the query. */
  get at(): number {
    return this.#at;
  }

  set at(at: number) {
    this.#move(at);
    this.#options.moved?.(this.current);
  }

  get current(): T | undefined {
    return this.#matches[this.#at]?.item;
  }
  get query(): string {
    return this.#query;
  }

  input(event: InputEvent): "used" | "passed" {
    const { filter } = this.#options;
    if (event.type === "paste" && filter) this.#search(this.#query + oneLine(event.text));
    if (event.type !== "key") return event.type === "paste" ? "used" : "passed";
    const act = this.#keys[event.combo];
    if (act) act();
    else if (filter && event.text !== "") this.#search(this.#query + event.text);
    else return "passed";
    return "used";
  }

  render(columns: number, room: number): readonly string[] {
    const { theme, filter, empty = "nothing found" } = this.#options;
    const dim = (text: string) => theme.paint("dim", fit(text, columns));
    const query = `  ${theme.paint("dim", "filter:")} ${printable(this.#query)}${this.focused ? cursorMark : ""}`;
    const head = filter ? [fit(query, columns)] : [];
    this.#height = Math.max(1, Math.min(this.#options.height ?? 10, room - (filter ? 2 : 1)));
    this.#first = scrollTo(this.#at, this.#first, this.#height, this.#matches.length);
    const visible = this.#matches.slice(this.#first, this.#first + this.#height);
    if (visible.length === 0) return [...head, dim(`  ${oneLine(empty)}`)];
    const widest = Math.max(...visible.map(({ item }) => width(oneLine(item.label))));
    const wide = Math.min(widest, Math.floor(columns / 2));
    const rows = visible.map((match, index) => this.#row(match, this.#first + index === this.#at, columns, wide));
    const all = this.#matches.length;
    return all > this.#height ? [...head, ...rows, dim(`  ${this.#at + 1}/${all}`)] : [...head, ...rows];
  }

  #row({ item, at: letters }: FuzzyMatch<T>, isCurrent: boolean, columns: number, wide: number): string {
    const { theme } = this.#options;
    const label = oneLine(item.label);
    const isMarked = letters.length > 0 && label === item.label && !isCurrent;
    const name = isMarked ? markLetters(theme, label, letters) : label;
    const detail = item.detail && (isCurrent ? oneLine(item.detail) : theme.paint("dim", oneLine(item.detail)));
    const text = detail ? `${pad(name, wide)}  ${detail}` : name;
    const row = fit(`${isCurrent ? theme.glyph.pointer : " "} ${text}`, columns);
    return isCurrent ? theme.paint("accent", row) : row;
  }

  #keymap(): Record<string, (() => void) | undefined> {
    const { filter, cancel, choose } = this.#options;
    const last = () => this.#matches.length - 1;
    const move = (to: number) => {
      this.at = to;
    };
    return {
      pageup: () => move(this.#at - this.#height),
      pagedown: () => move(this.#at + this.#height),
      home: () => move(0),
      end: () => move(last()),
      up: () => move(this.#at === 0 ? last() : this.#at - 1),
      "ctrl+p": () => move(this.#at - 1),
      down: () => move(this.#at === last() ? 0 : this.#at + 1),
      "ctrl+n": () => move(this.#at + 1),
      enter: () => this.current && choose?.(this.current),
      escape: () => (this.#query !== "" ? this.#search("") : cancel?.()),
      backspace: filter ? () => this.#search(graphemes(this.#query).slice(0, -1).join("")) : undefined,
      "ctrl+u": filter ? () => this.#search("") : undefined,
    };
  }

  #move(to: number): void {
    this.#at = Math.max(0, Math.min(this.#matches.length - 1, to));
  }

  #search(query: string): void {
    this.#query = query;
    this.#matches = this.#find();
    this.at = 0;
  }

  #find(): FuzzyMatch<T>[] {
    return fuzzy(this.#items, this.#query, ({ label, keywords }) => (keywords ? `${label} ${keywords}` : label));
  }
}

function markLetters(theme: Theme, label: string, letters: readonly number[]): string {
  let end = 0;
  return graphemes(label)
    .map((char) => {
      const from = end;
      end += char.length;
      return letters.some((at) => at >= from && at < end) ? theme.paint("match", char) : char;
    })
    .join("");
}

import type { InputEvent } from "../input/event.ts";
import { cursorMark, type View } from "../screen/frame.ts";
import { oneLine, printable } from "../text/clean.ts";
import { type FuzzyMatch, fuzzy } from "../text/fuzzy.ts";
import { fit, graphemes, pad, width } from "../text/width.ts";
import type { Theme } from "../theme/theme.ts";

export interface ListItem {
  readonly label: string;
  /** What it is by: chosen, it stays so when the items become others. Without one, its place does. */
  readonly id?: string;
  readonly detail?: string;
  /** Also searched by the filter. */
  readonly keywords?: string;
}

export interface ListOptions<T extends ListItem> {
  theme: Theme;
  items: readonly T[];
  choose(items: readonly T[]): void;
  cancel?: () => void;
  moved?: (item: T | undefined) => void;
  /** Several may be chosen, with the space key. */
  multiple?: boolean;
  /** Whether letters filter. */
  filter?: boolean;
  height?: number;
  empty?: string;
}

export interface List<T extends ListItem> extends View {
  items: readonly T[];
  /** Which of those that are found is chosen. */
  at: number;
  readonly current: T | undefined;
  readonly query: string;
}

/** A list to choose from: one or several, narrowed down by typing. */
export function createList<T extends ListItem>(options: ListOptions<T>): List<T> {
  const { theme, multiple = false, filter = false, height: most = 10 } = options;
  /** Items shown at once: what was asked for, as far as the window has room. */
  let height = most;
  let items = options.items;
  let query = "";
  let at = 0;
  let first = 0;
  const ticked = new Set<T>();
  let matches = find();

  function find(): FuzzyMatch<T>[] {
    return fuzzy(items, query, (item) => `${item.label}${item.keywords ? ` ${item.keywords}` : ""}`);
  }
  function search(next: string) {
    query = next;
    matches = find();
    at = 0;
    options.moved?.(matches[0]?.item);
  }
  function move(to: number) {
    at = Math.max(0, Math.min(matches.length - 1, to));
    options.moved?.(matches[at]?.item);
  }
  function tick() {
    const item = matches[at]?.item;
    if (item && !ticked.delete(item)) ticked.add(item);
  }
  function choose() {
    const item = matches[at]?.item;
    if (multiple) options.choose(items.filter((each) => ticked.has(each)));
    else if (item) options.choose([item]);
  }

  const keys: Record<string, () => void> = {
    up: () => move(at === 0 ? matches.length - 1 : at - 1),
    "ctrl+p": () => move(at - 1),
    down: () => move(at === matches.length - 1 ? 0 : at + 1),
    "ctrl+n": () => move(at + 1),
    pageup: () => move(at - height),
    pagedown: () => move(at + height),
    home: () => move(0),
    end: () => move(matches.length - 1),
    enter: choose,
    escape: () => (query !== "" ? search("") : options.cancel?.()),
    ...(multiple ? { space: tick, tab: tick } : {}),
    ...(filter ? { backspace: () => search(graphemes(query).slice(0, -1).join("")), "ctrl+u": () => search("") } : {}),
  };

  function row({ item, at: places }: FuzzyMatch<T>, index: number, columns: number, wide: number): string {
    const current = index === at;
    const box = multiple ? `${ticked.has(item) ? theme.glyph.checked : theme.glyph.unchecked} ` : "";
    const label = oneLine(item.label);
    const marked = places.length > 0 && label === item.label && !current ? letters(label, places) : label;
    const detail = item.detail ? `  ${current ? oneLine(item.detail) : theme.paint("dim", oneLine(item.detail))}` : "";
    const text = fit(
      `${current ? theme.glyph.pointer : " "} ${box}${item.detail ? pad(marked, wide) : marked}${detail}`,
      columns,
    );
    return current ? theme.paint("accent", text) : text;
  }
  function letters(label: string, places: readonly number[]): string {
    let place = 0;
    return graphemes(label)
      .map((char) => {
        const from = place;
        place += char.length;
        return places.some((each) => each >= from && each < place) ? theme.paint("match", char) : char;
      })
      .join("");
  }

  const list: List<T> = {
    get items() {
      return items;
    },
    set items(next) {
      const id = matches[at]?.item.id;
      items = next;
      matches = find();
      const same = id === undefined ? -1 : matches.findIndex(({ item }) => item.id === id);
      at = same >= 0 ? same : Math.max(0, Math.min(at, matches.length - 1));
    },
    get at() {
      return at;
    },
    set at(next) {
      move(next);
    },
    get current() {
      return matches[at]?.item;
    },
    get query() {
      return query;
    },
    input(event: InputEvent) {
      if (event.type === "paste" && filter) search(query + oneLine(event.text));
      if (event.type !== "key") return event.type === "paste" ? "used" : "passed";
      const act = keys[event.combo];
      if (act) act();
      else if (filter && event.text !== "") search(query + event.text);
      else return "passed";
      return "used";
    },
    render(columns, room) {
      height = Math.max(1, Math.min(most, room - (filter ? 2 : 1)));
      const rows = filter
        ? [fit(`  ${theme.paint("dim", "filter:")} ${printable(query)}${list.focused ? cursorMark : ""}`, columns)]
        : [];
      if (matches.length === 0)
        return [...rows, theme.paint("dim", fit(`  ${oneLine(options.empty ?? "nothing found")}`, columns))];
      first = Math.max(0, Math.min(Math.max(Math.min(first, at), at - height + 1), matches.length - height));
      const visible = matches.slice(first, first + height);
      const wide = Math.min(
        Math.max(...visible.map((match) => width(oneLine(match.item.label)))),
        Math.floor(columns / 2),
      );
      rows.push(...visible.map((match, index) => row(match, first + index, columns, wide)));
      if (matches.length > height)
        rows.push(
          theme.paint("dim", fit(`  ${at + 1}/${matches.length}${multiple ? `, ${ticked.size} chosen` : ""}`, columns)),
        );
      return rows;
    },
  };
  return list;
}

import { checkText, expected, type Key, sortedKeys, specOf } from "@pith/coder";
import { createEditor, createList, cursorMark, fit, type InputEvent, type ListItem, oneLine, wrap } from "@pith/tui";
import type { Dialog, ScreenContext } from "../../context.ts";
import { indented } from "../indent.ts";
import { editable, worded } from "./value.ts";

interface Row extends ListItem {
  key: Key;
}

const keys = sortedKeys();
const tabs = ["all", ...new Set(keys.map((key) => specOf(key).tab))];
/** Which way along the values that can be chosen. */
const steps: Readonly<Record<string, number>> = { right: 1, down: 1, tab: 1, left: -1, up: -1, "shift+tab": -1 };
const from = { now: "counts now", turn: "counts from the next turn", session: "counts from the next session" };

/** Every setting, from the one table of them: what it is, where that comes from, and a way to change it. */
export function settingsDialog(context: ScreenContext, close: () => void): Dialog {
  const { theme, settings } = context;
  let tab = 0;
  let problem: string | undefined;
  const editor = createEditor({
    theme,
    timers: context.timers,
    single: true,
    frame: "none",
    maxRows: 1,
    cursor: context.can.cursor,
    submit: ({ text }) => write(text),
  });
  let editing: Key | undefined;
  /** Of the values that one is chosen from: which one is looked at. */
  let picked = 0;
  const valuesOf = (key: Key | undefined) => {
    const spec = key && specOf(key);
    return spec?.type === "choice" ? spec.values : undefined;
  };
  const rowOf = (key: Key): Row => {
    const { layer } = settings.origin(key);
    const value = settings.get(key);
    const by = layer === "default" ? "" : ` (${layer})`;
    return {
      key,
      id: key,
      label: key,
      detail: `${worded(value)}${by}`,
      keywords: specOf(key).about,
    };
  };
  const rows = () => keys.filter((key) => tab === 0 || specOf(key).tab === tabs[tab]).map(rowOf);
  const list = createList<Row>({
    theme,
    items: rows(),
    filter: true,
    height: 12,
    choose: ([row]) => row && change(row.key),
    cancel: close,
  });
  function change(key: Key) {
    const spec = specOf(key);
    problem = undefined;
    const value = settings.get(key);
    if (spec.type === "switch") return void save(key, !value);
    editing = key;
    if (spec.type === "choice") picked = Math.max(0, spec.values.indexOf(String(value)));
    else editor.text = editable(settings, key);
  }
  function write(text: string) {
    const key = editing;
    if (!key) return;
    const read = text.trim() === "" ? undefined : checkText(key, text);
    if (read && !read.ok) {
      problem = `${key}: expected ${expected(specOf(key))}`;
      return;
    }
    editing = undefined;
    void save(key, read?.value);
  }
  function edit(event: InputEvent, key: Key): "used" | "passed" {
    const values = valuesOf(key);
    const combo = event.type === "key" ? event.combo : "";
    if (combo === "escape") editing = undefined;
    else if (!values) return editor.input?.(event) ?? "passed";
    else if (combo === "enter") write(values[picked] ?? "");
    else picked = (picked + values.length + (steps[combo] ?? 0)) % values.length;
    return "used";
  }
  async function save(key: Key, value: unknown) {
    settings.set(key, value as never);
    const saved = await settings.flush();
    problem = saved.ok ? undefined : saved.message;
    const { layer } = settings.origin(key);
    if (saved.ok && value !== undefined && layer !== "global")
      problem = `${key} is kept, but a setting of the ${layer} is stronger here.`;
    if (key.startsWith("theme.") || key === "symbolPreset" || key === "colorBlindMode") context.activeTheme.settle();
    list.items = rows();
    context.screen.request();
  }
  return {
    get title() {
      return `settings: ${tabs.map((name, at) => (at === tab ? `[${name}]` : name)).join("  ")}`;
    },
    get hint() {
      if (valuesOf(editing)) return "left/right  Enter keeps it  Esc goes back";
      return editing
        ? "Enter keeps it, empty unsets it  Esc goes back"
        : "Enter changes  Delete unsets  Tab next group  Esc closes";
    },
    rows: 18,
    input(event) {
      if (editing) return edit(event, editing);
      if (event.type !== "key") return list.input?.(event) ?? "passed";
      if (event.combo === "tab" || event.combo === "shift+tab") {
        tab = (tab + (event.combo === "tab" ? 1 : tabs.length - 1)) % tabs.length;
        list.items = rows();
        list.at = 0;
        return "used";
      }
      if (event.combo === "delete" && list.current) {
        void save(list.current.key, undefined);
        return "used";
      }
      return list.input?.(event) ?? "passed";
    },
    render(columns, height) {
      const row = list.current;
      const spec = row && specOf(row.key);
      const wide = Math.max(1, columns - 2);
      const about = spec
        ? [
            ...wrap(spec.about, wide).slice(0, 2),
            theme.paint("dim", fit(`${expected(spec)}; ${from[spec.applies ?? "session"]}`, wide)),
          ]
        : [];
      const told = problem === undefined ? [] : [theme.paint("warn", fit(oneLine(problem), wide))];
      list.focused = !editing;
      editor.focused = editing !== undefined;
      const values = valuesOf(editing);
      const field = values
        ? values.map((each, at) => (at === picked ? theme.paint("accent", `[${each}]`) : each)).join("  ") + cursorMark
        : (editor.render(Math.max(4, wide - (editing?.length ?? 0) - 1), 1)[0] ?? cursorMark);
      const typed = editing ? [fit(`${theme.paint("accent", editing)} ${field}`, wide)] : [];
      const foot = ["", ...indented(columns, () => [...about, ...typed, ...told])];
      return [...list.render(columns, Math.max(3, height - foot.length)), ...foot];
    },
    spoken() {
      const value = valuesOf(editing)?.[picked];
      if (value !== undefined) return `${editing}: ${value}`;
      return list.current ? `${list.current.label}: ${list.current.detail}` : "none";
    },
  };
}

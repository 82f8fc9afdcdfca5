import { checkText, expected, type Key, keys, specOf } from "@pith/coder";
import { createEditor, createList, cursorMark, fit, type Item, oneLine, wrap } from "@pith/tui";
import type { Dialog, Seat } from "../../seat.ts";

interface Row extends Item {
  key: Key;
}

const tabs = ["all", ...new Set(keys.map((key) => specOf(key).tab))];
const from = { now: "counts now", turn: "counts from the next turn", session: "counts from the next session" };

/** Every setting, from the one table of them: what it is, where that comes from, and a way to change it. */
export function settingsDialog(seat: Seat, close: () => void): Dialog {
  const { look, settings } = seat;
  let tab = 0;
  let problem: string | undefined;
  const editor = createEditor({
    look,
    timers: seat.timers,
    single: true,
    frame: "none",
    maxRows: 1,
    cursor: seat.can.cursor,
    submit: ({ text }) => write(text),
  });
  let editing: Key | undefined;
  const rowOf = (key: Key): Row => {
    const { layer } = settings.origin(key);
    const value = settings.get(key);
    const by = layer === "default" ? "" : ` (${layer})`;
    return {
      key,
      label: key,
      detail: `${value === undefined ? "not set" : oneLine(String(value))}${by}`,
      keywords: specOf(key).about,
    };
  };
  const rows = () => keys.filter((key) => tab === 0 || specOf(key).tab === tabs[tab]).map(rowOf);
  const list = createList<Row>({
    look,
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
    if (spec.type === "switch") void save(key, !value);
    else if (spec.type === "choice") {
      const next = spec.values.indexOf(String(value)) + 1;
      void save(key, next < spec.values.length ? spec.values[next] : spec.values[0]);
    } else {
      editing = key;
      editor.text = value === undefined ? "" : String(value);
    }
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
  async function save(key: Key, value: unknown) {
    settings.set(key, value as never);
    const saved = await settings.flush();
    problem = saved.ok ? undefined : saved.message;
    const { layer } = settings.origin(key);
    if (saved.ok && value !== undefined && layer !== "global")
      problem = `${key} is kept, but a setting of the ${layer} is stronger here.`;
    if (key.startsWith("theme.") || key === "symbolPreset" || key === "colorBlindMode") seat.worn.settle();
    list.items = rows();
    seat.screen.request();
  }
  return {
    get title() {
      return `settings: ${tabs.map((name, at) => (at === tab ? `[${name}]` : name)).join("  ")}`;
    },
    get hint() {
      return editing
        ? "Enter keeps it, empty unsets it  Esc goes back"
        : "Enter changes  Delete unsets  Tab next group  Esc closes";
    },
    rows: 18,
    input(event) {
      if (event.type !== "key") return list.input?.(event) ?? "passed";
      if (editing) {
        if (event.combo === "escape") editing = undefined;
        else return editor.input?.(event) ?? "passed";
        return "used";
      }
      if (event.combo === "tab" || event.combo === "shift+tab") {
        tab = (tab + (event.combo === "tab" ? 1 : tabs.length - 1)) % tabs.length;
        list.items = rows();
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
      const about = spec
        ? [
            ...wrap(spec.about, columns).slice(0, 2),
            look.paint("dim", fit(`${expected(spec)}; ${from[spec.applies ?? "session"]}`, columns)),
          ]
        : [];
      const told = problem === undefined ? [] : [look.paint("warn", fit(oneLine(problem), columns))];
      list.focused = !editing;
      editor.focused = editing !== undefined;
      const typed = editing
        ? [
            fit(
              `${look.paint("accent", editing)} ${editor.render(Math.max(4, columns - editing.length - 1), 1)[0] ?? cursorMark}`,
              columns,
            ),
          ]
        : [];
      const foot = ["", ...about, ...typed, ...told];
      return [...list.render(columns, Math.max(3, height - foot.length)), ...foot];
    },
    spoken: () => (list.current ? `${list.current.label}: ${list.current.detail}` : "none"),
  };
}

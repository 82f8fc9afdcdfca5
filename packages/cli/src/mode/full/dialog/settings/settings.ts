import { checkText, expected, type Key, type Settings, sortedKeys, specOf } from "@pith/coder";
import { createList, fit, type InputEvent, type List, type ListItem, oneLine, wrap } from "@pith/tui";
import type { Dialog, ScreenContext } from "../../context.ts";
import { indented } from "../split.ts";
import { SettingField, worded } from "./value.ts";

interface SettingItem extends ListItem {
  key: Key;
}

const keys = sortedKeys();
const tabs = ["all", ...new Set(keys.map((key) => specOf(key).tab))];
const from = { now: "applies now", turn: "applies from the next turn", session: "applies from the next session" };

/** Lists every setting, with its meaning and the file that sets it, to change settings of the user. */
export const settingsDialog = (context: ScreenContext, close: () => void): Dialog => new SettingsDialog(context, close);

class SettingsDialog implements Dialog {
  readonly rows = 18;
  readonly #context: ScreenContext;
  readonly #settings: Settings;
  readonly #list: List<SettingItem>;
  /** The value that is being changed. */
  #field: SettingField | undefined;
  #tab = 0;
  #problem: string | undefined;

  constructor(context: ScreenContext, close: () => void) {
    this.#context = context;
    this.#settings = context.settings;
    this.#list = createList<SettingItem>({
      theme: context.theme,
      items: [],
      filter: true,
      height: 12,
      choose: ({ key }) => this.#change(key),
      cancel: close,
    });
    this.#show(0);
  }

  get title(): string {
    return `settings: ${tabs.map((name, at) => (at === this.#tab ? `[${name}]` : name)).join("  ")}`;
  }

  get hint(): string {
    return this.#field?.hint ?? "Enter changes  Delete unsets  Tab next group  Esc closes";
  }

  input(event: InputEvent): "used" | "passed" {
    const combo = event.type === "key" ? event.combo : "";
    if (this.#field && combo === "escape") this.#field = undefined;
    else if (this.#field) return this.#field.input(event);
    else if (combo === "tab") this.#show((this.#tab + 1) % tabs.length);
    else if (combo === "shift+tab") this.#show((this.#tab + tabs.length - 1) % tabs.length);
    else if (combo === "delete" && this.#list.current) void this.#save(this.#list.current.key, undefined);
    else return this.#list.input(event);
    return "used";
  }

  render(columns: number, height: number): string[] {
    const { theme } = this.#context;
    const wide = Math.max(1, columns - 2);
    const spec = this.#list.current && specOf(this.#list.current.key);
    const about = spec
      ? [
          ...wrap(spec.about, wide).slice(0, 2),
          theme.paint("dim", fit(`${expected(spec)}; ${from[spec.applies ?? "session"]}`, wide)),
        ]
      : [];
    const problem = this.#problem === undefined ? [] : [theme.paint("warn", fit(oneLine(this.#problem), wide))];
    const field = this.#field ? [this.#field.render(wide)] : [];
    const foot = ["", ...indented(columns, () => [...about, ...field, ...problem])];
    this.#list.focused = !this.#field;
    return [...this.#list.render(columns, Math.max(3, height - foot.length)), ...foot];
  }

  spoken(): string {
    const { current } = this.#list;
    return this.#field?.spoken() ?? (current ? `${current.label}: ${current.detail}` : "none");
  }

  #show(tab: number): void {
    const isOther = tab !== this.#tab;
    this.#tab = tab;
    this.#list.items = keys.filter((key) => tab === 0 || specOf(key).tab === tabs[tab]).map((key) => this.#itemOf(key));
    if (isOther) this.#list.at = 0;
  }

  #itemOf(key: Key): SettingItem {
    const { layer } = this.#settings.origin(key);
    const by = layer === "default" ? "" : ` (${layer})`;
    const detail = `${worded(this.#settings.get(key))}${by}`;
    return { key, id: key, label: key, detail, keywords: specOf(key).about };
  }

  #change(key: Key): void {
    this.#problem = undefined;
    if (specOf(key).type === "switch") void this.#save(key, !this.#settings.get(key));
    else this.#field = new SettingField(this.#context, key, (text) => this.#write(key, text));
  }

  #write(key: Key, text: string): void {
    const read = text.trim() === "" ? undefined : checkText(key, text);
    if (read && !read.ok) {
      this.#problem = `${key}: expected ${expected(specOf(key))}`;
      return;
    }
    this.#field = undefined;
    void this.#save(key, read?.value);
  }

  async #save(key: Key, value: unknown): Promise<void> {
    const { activeTheme, screen } = this.#context;
    this.#settings.set(key, value as never);
    const saved = await this.#settings.flush();
    this.#problem = saved.ok ? undefined : saved.message;
    const { layer } = this.#settings.origin(key);
    if (saved.ok && value !== undefined && layer !== "global")
      this.#problem = `${key} is kept, but a setting of the ${layer} is stronger here.`;
    if (key.startsWith("theme.") || key === "symbolPreset" || key === "colorBlindMode") activeTheme.settle();
    this.#show(this.#tab);
    screen.request();
  }
}

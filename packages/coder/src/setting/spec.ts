/** Everything known about one setting. */
export type Spec = SettingRow & { tab: Tab; group: string };

/** A row of a part's table of settings; its tab and group stand once per table. */
export type SettingRow = About & (TextSpec | NumberSpec | SwitchSpec | ChoiceSpec | ListSpec<unknown>);

/** Tabs of the settings screen, in the order in which settings are listed. */
export const tabs = ["model", "safety", "tools", "session", "display"] as const;
type Tab = (typeof tabs)[number];

interface About {
  about: string;
  /** True for values that a project may set although nobody has trusted it; without it, none. */
  harmless?: (value: unknown) => boolean;
  /**
   * True for further values that it may set once the user has said yes to its file; without it, none. Never values that
   * lead elsewhere (endpoints, keys, records) or loosen what holds everybody (modes, limits, undo).
   */
  trusted?: (value: unknown) => boolean;
  /** Says when a changed value counts: at once, or from the next turn; without it, from the next session. */
  applies?: "now" | "turn";
}

export interface TextSpec {
  type: "text";
  default: string | undefined;
  /** Stands between the items of a text that names several; such a text may also be written as a list. */
  between?: ", " | "\n";
  /** Items of such a list. */
  items?: "numbers";
}

interface NumberSpec {
  type: "number";
  min: number;
  max: number;
  default: number | undefined;
}

export interface SwitchSpec {
  type: "switch";
  default: boolean;
}

interface ChoiceSpec {
  type: "choice";
  values: readonly string[];
  default: string | undefined;
  /** Taken for a value that is not known here, when that is not the default. */
  safest?: string;
}

/** Several values of one kind. The lists of all layers are joined, those of stronger ones behind. */
export interface ListSpec<T> {
  type: "list";
  /** Names the items, for people. */
  of: string;
  /** Returns what is wrong with an item; undefined when it is fine. */
  wrong(item: unknown): string | undefined;
  /** Replaces a broken item of a project by one that is never less strict than it may have been meant. */
  strict?(item: unknown): T;
  /** True for items of a project that count; of rules, those that only make things stricter. */
  tightens(item: T): boolean;
  /** True when the list may also be one text with commas. */
  commas?: boolean;
  default: readonly T[];
}

/** Type of the values of a setting. */
export type ValueOf<S extends { default: unknown }> = Filled<S> | (undefined extends S["default"] ? undefined : never);
type Filled<S> = S extends { values: readonly (infer V)[] }
  ? V
  : S extends ListSpec<infer T>
    ? readonly T[]
    : S extends TextSpec
      ? string
      : S extends NumberSpec
        ? number
        : boolean;

/** Fields that all rows of a table share; a row may have its own instead. */
type Shared = Pick<Spec, "tab" | "group" | "harmless" | "trusted" | "applies">;

/** Makes a table of settings: first what its rows share, then the rows. */
export const settingGroup =
  (shared: Shared) =>
  <const Rows extends Readonly<Record<string, SettingRow>>>(rows: Rows): Rows => {
    for (const row of Object.values(rows)) Object.assign(row, { ...shared, ...row });
    return rows;
  };

/** Any value is harmless. */
export const always = (): boolean => true;

export const toggle = (preset: boolean): SwitchSpec => ({ type: "switch", default: preset });

export const freeText = <const D extends string | undefined = undefined>(preset?: D): { type: "text"; default: D } => ({
  type: "text",
  default: preset as D,
});

/** Several names or lines in one text, which may also be written as a list. */
export const manyIn = <const D extends string | undefined = undefined>(
  between: ", " | "\n",
  preset?: D,
): { type: "text"; default: D; between: ", " | "\n" } => ({ type: "text", default: preset as D, between });

/** Whole numbers from `min` to `max`. */
export const integer = <const D extends number | undefined = undefined>(
  min: number,
  max: number,
  preset?: D,
): { type: "number"; min: number; max: number; default: D } => ({ type: "number", min, max, default: preset as D });

export const choiceOf = <const V extends readonly string[], const D extends V[number] | undefined = undefined>(
  values: V,
  preset?: D,
): { type: "choice"; values: V; default: D } => ({ type: "choice", values, default: preset as D });

/** Names, patterns or folders. Those of a project count where they can do no harm. */
export const texts = (of: string, from: "a project too" | "the user"): ListSpec<string> => ({
  type: "list",
  of,
  wrong: (item) => (typeof item === "string" && item.trim() !== "" ? undefined : "expected text"),
  tightens: () => from === "a project too",
  commas: true,
  default: [],
});

/** Makes a switch per tool. A project may take a tool away, but not give back one that the user took away. */
export function toolSwitches<const Name extends string>(
  ...names: Name[]
): { [N in Name as `${N}.enabled`]: SwitchSpec } {
  const row = (name: Name): Spec => ({
    ...toggle(true),
    harmless: (value) => value === false,
    tab: "tools",
    group: "Tools",
    about: `Offers the model the tool ${name}.`,
  });
  return Object.fromEntries(names.map((name) => [`${name}.enabled`, row(name)])) as never;
}

/** Returns the items of a list, which may be written as one text with commas; undefined when it is neither. */
export const itemsIn = ({ commas }: ListSpec<unknown>, node: unknown): readonly unknown[] | undefined => {
  if (typeof node === "string" && commas)
    return node.split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim()]));
  return Array.isArray(node) ? node : undefined;
};

/** Bytes of the unit that some settings count in. */
export const mega = 1024 * 1024;

/** What is known of one setting. */
export type Spec = About & (TextSpec | NumberSpec | SwitchSpec | ChoiceSpec | ListSpec<unknown>);
interface About {
  about: string;
  /** Where a settings screen shows it. */
  tab: "model" | "safety" | "tools" | "session" | "display";
  group: string;
  /** Which values a project may set although nobody has trusted it; without, none. */
  harmless?: (value: unknown) => boolean;
  /**
   * Which more it may set once the user has said yes to its file; without, none. Never what leads elsewhere (endpoints,
   * keys, records) or loosens what holds everybody (modes, limits, undo).
   */
  trusted?: (value: unknown) => boolean;
  /** From when on a changed value counts: at once, or from the next turn; without, from the next session. */
  applies?: "now" | "turn";
}
export interface TextSpec {
  type: "text";
  default: string | undefined;
}
export interface NumberSpec {
  type: "number";
  min: number;
  max: number;
  default: number | undefined;
}
interface SwitchSpec {
  type: "switch";
  default: boolean;
}
interface ChoiceSpec {
  type: "choice";
  values: readonly string[];
  default: string | undefined;
  /** What a value counts as that is not known here, where that is not the default. */
  safest?: string;
}

/** Several values of one kind. The lists of all layers are joined, those of stronger ones behind. */
export interface ListSpec<T> {
  type: "list";
  /** What it is a list of, for people. */
  of: string;
  /** What is wrong with an item; undefined where it is one. */
  wrong(item: unknown): string | undefined;
  /** What counts in place of a broken item of a project: never less strict than that may have been meant; else none. */
  strict?(item: unknown): T;
  /** Which items of a project count; of rules those that only make things stricter. */
  tightens(item: T): boolean;
  /** Whether it may stand as one text with commas. */
  commas?: boolean;
  default: readonly T[];
}

/** Names, patterns, folders. A project's count where they can do no harm. */
export const texts = (of: string, from: "a project too" | "the user"): ListSpec<string> => ({
  type: "list",
  of,
  wrong: (item) => (typeof item === "string" && item.trim() !== "" ? undefined : "expected text"),
  tightens: () => from === "a project too",
  commas: true,
  default: [],
});

/** A list as it may stand: items, or one text with commas where that is a way to say it. */
export const itemsIn = ({ commas }: ListSpec<unknown>, node: unknown): readonly unknown[] | undefined => {
  if (typeof node === "string" && commas)
    return node.split(",").flatMap((word) => (word.trim() === "" ? [] : [word.trim()]));
  return Array.isArray(node) ? node : undefined;
};

/** Bytes of what some settings count in. */
export const mega = 1024 * 1024;

/** Any value of it is harmless. */
export const always = (): boolean => true;

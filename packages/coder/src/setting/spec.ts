/** What is known of one setting. */
export type Spec = About & (TextSpec | NumberSpec | SwitchSpec | ChoiceSpec);
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
}

/** Bytes of what some settings count in. */
export const mega = 1024 * 1024;

/** Any value of it is harmless. */
export const always = (): boolean => true;

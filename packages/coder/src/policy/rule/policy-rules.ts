import type { ClosingRules } from "@pith/host";
import type { SettingView } from "../../setting/setting.ts";
import type { Bases } from "./glob.ts";
import { type RuleLayer, ruleLayers } from "./layer.ts";
import { hiddenPaths, type ReadRules, readRules } from "./path-rules.ts";
import type { FileRules, Rules } from "./rule.ts";

export interface CallRules {
  rules: Rules;
  files: FileRules;
  /** The rules that let a command run outside of the sandbox, and those that speak against one. */
  outside: Rules;
}

/** The rules of the settings, compiled once for a conversation, each kind when it is first needed. */
export class PolicyRules {
  readonly bases: Bases;
  readonly #settings: Pick<SettingView, "lists" | "get">;
  readonly #layers: readonly RuleLayer[];
  #calls: Promise<CallRules> | undefined;
  #reads: { rules: ReadRules | undefined } | undefined;

  constructor(settings: Pick<SettingView, "lists" | "get">, bases: Bases) {
    this.bases = bases;
    this.#settings = settings;
    this.#layers = ruleLayers(settings);
  }

  /** Rules about reading files; undefined where none closes anything. */
  get reads(): ReadRules | undefined {
    this.#reads ??= { rules: readRules(this.#layers, this.bases) };
    return this.#reads.rules;
  }

  /** The paths that the sandbox hides from commands. */
  hidden(): ClosingRules | undefined {
    return hiddenPaths(this.#layers, this.bases);
  }

  /** Rules about calls, loaded with the first one. */
  calls(): Promise<CallRules> {
    this.#calls ??= this.#compile();
    return this.#calls;
  }

  async #compile(): Promise<CallRules> {
    const { FileRules, Rules } = await import("./rule.ts");
    // A rule that only lets a command run means it where it would run.
    const outside = this.#layers.map(({ from, rules }) => ({
      from,
      rules: rules.filter((rule) => rule.outside === true || rule.verdict !== "allow"),
    }));
    return {
      rules: new Rules(this.#layers, this.bases),
      files: new FileRules(this.#settings.get("approval.files"), this.bases),
      outside: new Rules(outside, this.bases),
    };
  }
}

import type { Arg } from "./argument.ts";

/** Variables of which it is certain what they hold: set once, in any case, to a text that is known. */
export class Constants {
  readonly #texts = new Map<string, string>();

  get(name: string): string | undefined {
    return this.#texts.get(name);
  }

  /** Takes note of an assignment in a text; in how many places that names the variable tells whether it is the only one. */
  assign(name: string, { text }: Arg, source: string, position: "certain" | "perhaps"): undefined {
    const bare = new RegExp(`(?<![\\w$])(?<!\\$\\{[#!]?)${name}(?!\\w)`, "g");
    const once = (source.match(bare)?.length ?? 0) === 1;
    if (position === "certain" && once && text !== undefined) this.#texts.set(name, text);
    else this.#texts.delete(name);
  }
}

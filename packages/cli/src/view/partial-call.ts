import { tryOr } from "@pith/kit";
import type { ToolCall } from "@pith/llm";
import type { Streamed } from "./user-run.ts";

/** A call while its arguments arrive. */
export interface PartialCall {
  /** The call with the arguments that are known. */
  call: ToolCall;
  /** The end of a long text among its arguments. */
  body: Streamed;
}

/** The arguments that say what a call is about, by the names that models use for them. */
const telling: Readonly<Record<string, string>> = {
  command: "command",
  path: "path",
  file: "path",
  file_path: "path",
  filePath: "path",
  pattern: "pattern",
  url: "url",
  query: "query",
};
const most = { about: 2000, key: 40, body: 16_384, kept: 8192 };

/**
 * Follows the arguments of a call while they arrive: each piece is looked at once, however long they become, and of a
 * long text only the end is kept. What is no JSON shows nothing.
 */
export class CallReader {
  readonly #id: string;
  readonly #name: string;
  readonly #about: Record<string, string> = {};
  #body: Streamed = { text: "", lines: 0 };
  #depth = 0;
  #awaits: "key" | "value" = "key";
  /** The open string: a key or a value of the call, or something deeper. */
  #inside: "key" | "value" | "deeper" | undefined;
  #key = "";
  /** The first half of an escape. */
  #half = "";

  constructor(id: string, name: string) {
    this.#id = id;
    this.#name = name;
  }

  get shape(): PartialCall {
    return {
      call: { type: "toolCall", id: this.#id, name: this.#name, arguments: { ...this.#about } },
      body: this.#body,
    };
  }

  take(more: string): void {
    const text = this.#half + more;
    this.#half = "";
    for (let at = 0; at < text.length; ) {
      if (this.#inside === undefined) {
        this.#sign(text[at++]);
        continue;
      }
      token.lastIndex = at;
      const [said = ""] = token.exec(text) ?? [];
      if (said === "") this.#half = text.slice(at);
      else if (said === '"') this.#inside = undefined;
      else this.#say(said.startsWith("\\") ? meant(said) : said);
      at = this.#half === "" ? token.lastIndex : text.length;
    }
  }

  /** Takes a character outside of strings. */
  #sign(sign: string | undefined): void {
    if (sign === '"') {
      this.#inside = this.#depth !== 1 ? "deeper" : this.#awaits;
      if (this.#inside === "key") this.#key = "";
    } else if (sign === "{" || sign === "[") this.#depth++;
    else if (sign === "}" || sign === "]") this.#depth--;
    else if (sign === ":" && this.#depth === 1) this.#awaits = "value";
    else if (sign === "," && this.#depth === 1) this.#awaits = "key";
  }

  #say(text: string): void {
    if (this.#inside === "key") this.#key = (this.#key + text).slice(0, most.key);
    if (this.#inside !== "value") return;
    if (this.#key === "content") {
      const lines = this.#body.lines + text.split("\n").length - 1;
      const all = this.#body.text + text;
      this.#body = { text: all.length > most.body ? all.slice(-most.kept) : all, lines };
      return;
    }
    const about = Object.hasOwn(telling, this.#key) ? telling[this.#key] : undefined;
    if (about) this.#about[about] = ((this.#about[about] ?? "") + text).slice(0, most.about);
  }
}

/** A piece of a string; matches nothing when half of an escape has come. */
const token = /"|[^"\\]+|\\[^u]|\\u.{4}/sy;

const meant = (escaped: string): string => tryOr(() => JSON.parse(`"${escaped}"`) as string, "");

import type { Registry, Tool } from "@pith/agent";
import type { ToolSpec } from "@pith/llm";
import { type Profile, profileIn } from "../setting/profile.ts";
import type { SettingView } from "../setting/setting.ts";

/** Finds the tools that are not told of. */
const finder = "search_tool_bm25";

/** What every conversation begins with, as far as it is there. */
const usual = ["read", "write", "edit", "bash", "search", "find", "todo", "job", finder, "ask", "checkpoint", "rewind"];

export interface Offer {
  /** Every tool; or what the model begins with, and whether only tools of other sources are left to be found. */
  tell: "all" | { begin: ReadonlySet<string>; of: "every source" | "others" };
  texts: Profile["texts"];
  /** Somebody named the tools: there are no others. */
  exactly?: true;
}

/** What the settings say of it; `only` are the names that somebody wants, and no others. */
export function offerOf(settings: SettingView, only: readonly string[] | undefined): Offer {
  const mode = settings.get("tools.discoveryMode");
  const { texts } = profileIn(settings);
  if (only !== undefined) return { tell: "all", texts, exactly: true };
  if (mode === "off") return { tell: "all", texts };
  const named = (settings.get("tools.essentialOverride") ?? "").split(/[\s,]+/).filter(Boolean);
  // A small model has enough to do with the few it was told of.
  const looks = mode === "auto" && texts === "short" ? [] : [finder];
  const begin = new Set(named.length > 0 ? [...named, ...looks] : usual);
  return { tell: { begin, of: mode === "mcp-only" ? "others" : "every source" }, texts };
}

/**
 * Which tools the model is told of: those it begins with, then those that were found or called by name, in that order.
 * All others are there, and can be found.
 */
export class Offering {
  readonly #tools: Registry;
  readonly #offer: () => Offer;
  readonly #found = new Set<string>();
  #made: { from: readonly ToolSpec[]; offer: Offer; found: number; specs: readonly ToolSpec[] } | undefined;

  /** `offer` is another object where something else is to be told. */
  constructor(tools: Registry, offer: () => Offer) {
    this.#tools = tools;
    this.#offer = offer;
  }

  /** What is told of them; the same list as long as nothing changes. */
  get specs(): readonly ToolSpec[] {
    const from = this.#tools.specs;
    const offer = this.#offer();
    const { from: before, offer: said, found: known, specs: made = [] } = this.#made ?? {};
    if (before === from && said === offer && known === this.#found.size) return made;
    const all = offer.texts === "short" ? from.map((spec) => this.#short(spec)) : from;
    const begun = all.filter(({ name }) => this.#begins(name));
    const byName = new Map(all.map((spec) => [spec.name, spec]));
    const found = [...this.#found].flatMap((name) => (this.#begins(name) ? [] : (byName.get(name) ?? [])));
    const specs = [...begun, ...found];
    this.#made = { from, offer, found: this.#found.size, specs };
    return specs;
  }

  /** Those that came by themselves: they may do so again. */
  get later(): string[] {
    return this.specs.map(({ name }) => name).filter((name) => (this.#tools.sourceOf(name) ?? "pith") !== "pith");
  }

  /** Whether somebody named them, so that none other may be told of. */
  get isExact(): boolean {
    return this.#offer().exactly === true;
  }

  /** Those that nobody was told of. */
  get hidden(): Tool[] {
    return this.#tools.names.flatMap((name) => (this.#offers(name) ? [] : (this.#tools.get(name) ?? [])));
  }

  /** Whether somebody looked for it; it comes without a word to the user, who saw the looking. */
  isFound(name: string): boolean {
    return this.#found.has(name);
  }

  /** Told from the next step on, with the tools they need. Those that were not told before. */
  find(names: readonly string[]): string[] {
    const all = names.flatMap((name) => [name, ...(this.#tools.get(name)?.companions ?? [])]);
    const fresh = [...new Set(all)].filter((name) => !this.#offers(name));
    for (const name of fresh) this.#found.add(name);
    return fresh;
  }

  #short(spec: ToolSpec): ToolSpec {
    const brief = this.#tools.get(spec.name)?.brief;
    return brief === undefined ? spec : { ...spec, description: brief.trim() };
  }

  #offers(name: string): boolean {
    return this.#found.has(name) || this.#begins(name);
  }

  #begins(name: string): boolean {
    const { tell } = this.#offer();
    if (tell === "all") return true;
    if (tell.begin.has(name) || this.#tools.get(name)?.told === "always") return true;
    return tell.of === "others" && this.#tools.sourceOf(name) === "pith";
  }
}

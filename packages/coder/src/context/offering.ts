import type { Registry, Tool } from "@pith/agent";
import type { ToolSpec } from "@pith/llm";
import { type Profile, profileIn } from "../setting/profile.ts";
import type { SettingView } from "../setting/setting.ts";

/** Finds the tools that are not told of. */
const finder = "load_tools";

/** Tools that every conversation begins with, as far as they are there. */
const usual = ["read", "write", "edit", "bash", "search", "find", "todo", "job", finder, "ask", "checkpoint", "rewind"];

export interface Offer {
  /** All tools, or those that the model begins with; `of: "others"` hides only tools that pith does not bring itself. */
  tell: "all" | { begin: ReadonlySet<string>; of: "every source" | "others" };
  texts: Profile["texts"];
  /** Set when somebody named the tools: there are no others. */
  exactly?: true;
}

/** Reads the offer from the settings; `only` are the tools that somebody wants, and no others. */
export function offerOf(settings: SettingView, only: readonly string[] | undefined): Offer {
  const mode = settings.get("tools.discoveryMode");
  const { texts } = profileIn(settings);
  if (only !== undefined) return { tell: "all", texts, exactly: true };
  if (mode === "off") return { tell: "all", texts };
  const named = (settings.get("tools.essentialOverride") ?? "").split(/[\s,]+/).filter(Boolean);
  // Small models do not search for tools.
  const looks = mode === "auto" && texts === "short" ? [] : [finder];
  const begin = new Set(named.length > 0 ? [...named, ...looks] : usual);
  return { tell: { begin, of: mode === "mcp-only" ? "others" : "every source" }, texts };
}

/**
 * Chooses the tools that the model is told of: those it begins with, then those that were found or called by name. All
 * others are hidden until they are found.
 */
export class Offering {
  readonly #tools: Registry;
  readonly #offer: () => Offer;
  readonly #found = new Set<string>();
  #made: { from: readonly ToolSpec[]; offer: Offer; found: number; specs: readonly ToolSpec[] } | undefined;

  /** `offer` must return another object when the offer has changed. */
  constructor(tools: Registry, offer: () => Offer) {
    this.#tools = tools;
    this.#offer = offer;
  }

  /** The told tools; the same list as long as nothing changes. */
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

  /** Names of told tools that pith does not bring itself, and that may come later again. */
  get later(): string[] {
    return this.specs.map(({ name }) => name).filter((name) => (this.#tools.sourceOf(name) ?? "pith") !== "pith");
  }

  /** True when somebody named the tools, so that no other may be told. */
  get isExact(): boolean {
    return this.#offer().exactly === true;
  }

  /** Tools that the model is not told of. */
  get hidden(): Tool[] {
    return this.#tools.names.flatMap((name) => (this.#offers(name) ? [] : (this.#tools.get(name) ?? [])));
  }

  /** True for tools that were searched for; the user saw the search, so they need no notice. */
  isFound(name: string): boolean {
    return this.#found.has(name);
  }

  /** Tells tools, with their companions, from the next step on. Returns those that were not told before. */
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

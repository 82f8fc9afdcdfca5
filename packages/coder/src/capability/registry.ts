import { relative } from "node:path";
import { isInside, plainText } from "@pith/kit";
import type { Trust, TrustItem } from "../policy/trust/trust.ts";
import type { Candidate, Find, Found, Item } from "./item.ts";
import { type Kind, type KindSpec, kinds, looksOf } from "./kind/kind.ts";
import { byLevel, Look, type Place } from "./look.ts";
import type { Shelf } from "./shelf.ts";

/** Who brings capabilities: one file each, which says where they are and how they are read. */
export interface Source {
  name: string;
  /** How people call it. */
  title: string;
  /** Of two with one key the one with the higher priority counts. */
  priority: number;
  finds: { readonly [K in Kind]?: (look: Look) => readonly Find<K>[] };
  /** What it has without any file. */
  brings?: { readonly [K in Kind]?: () => readonly Candidate<K>[] };
}

export interface RegistryOptions {
  place: Place;
  trust: Pick<Trust, "ask">;
  /** What earlier starts read. */
  shelf?: Shelf | undefined;
  /** Whether rules that watch streams do so; else they are told like all others. */
  watches?(): boolean;
  /** Asked once per look at a kind: why somebody wants no such thing, if so, by `source`, `source:level` or name. */
  off?(kind: Kind): Off;
}

interface Judging {
  warn(text: string): void;
  off: Off | undefined;
}
type Off = (item: { name: string; source: string; level: string }) => string | undefined;

/** The one door to all that is found in configuration. It begins empty; whoever needs a kind asks `of`. */
export class Capabilities {
  readonly look: Look;
  readonly #options: RegistryOptions;
  readonly #sources: Source[] = [];
  readonly #built = new Map<Kind, () => readonly string[]>();

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.look = new Look(options.place, options.shelf);
  }

  /** From the highest priority down; of the same, in the order they came. */
  add(...sources: readonly Source[]): void {
    this.#sources.push(...sources);
    this.#sources.sort((a, b) => b.priority - a.priority);
  }

  get sources(): readonly Source[] {
    return this.#sources;
  }

  /** Names that are built in: no file takes their place. */
  reserve(kind: Kind, names: () => readonly string[]): void {
    this.#built.set(kind, names);
  }

  /** The rules that watch streams, or those that are told; without what is built in where only files are wanted. */
  rules(which: "watching" | "told", of: "everybody" | "files" = "everybody"): Found<"rule"> {
    // What is built in says nothing until it is broken, and comes behind all others.
    const without = which === "told" || of === "files" ? ["builtin"] : [];
    const { winners, ...found } = this.#found("rule", this.look, without);
    const watches = this.#options.watches?.() ?? true;
    const wanted = ({ data }: Item<"rule">) => (data.watch && watches ? "watching" : "told") === which;
    return { ...found, winners: winners.filter(wanted) };
  }

  /** The winners of a kind that one folder of the project itself has. */
  within<K extends Kind>(folder: string, kind: K): readonly Item<K>[] {
    return this.#found(kind, this.look.only(folder)).winners.filter(({ level }) => level === "project");
  }

  /** All of a kind, as it stands in the files now. */
  of<K extends Kind>(kind: K): Found<K> {
    return this.#found(kind, this.look);
  }

  #found<K extends Kind>(kind: K, look: Look, without: readonly string[] = []): Found<K> {
    const all: Item<K>[] = [];
    const warnings: string[] = [];
    const seen = new Set<string>();
    const taken = new Map<string, Item<K>>();
    const built = new Set(this.#built.get(kind)?.().map(looksOf));
    const off = this.#options.off?.(kind);
    for (const source of this.#sources) {
      if (without.includes(source.name) || !(source.finds[kind] || source.brings?.[kind])) continue;
      // Who speaks to people is pith: only another's name has to be said.
      const whose = source.name === "pith" ? "" : `${source.title}: `;
      // One line each, whatever a file is called.
      const warn = (text: string) => void warnings.push(whose + plainText(text).replace(/[\r\n]+/g, "\\n"));
      try {
        for (const item of this.#from(source, kind, { look, seen, warn, off })) {
          all.push(item);
          const why = this.#hidden(kind, item, taken, built);
          if (why === undefined) continue;
          item.state = "shadowed";
          item.why = why;
        }
      } catch (error) {
        // One that breaks takes no other with it.
        warn(`could not be looked at: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return { winners: [...taken.values()], all, warnings };
  }

  /** Why another counts in its place; one that counts takes its name. No yes makes anything take a built-in one's. */
  #hidden<K extends Kind>(
    kind: K,
    item: Item<K>,
    taken: Map<string, Item<K>>,
    built: ReadonlySet<string>,
  ): string | undefined {
    if (item.state !== "active" && item.state !== "untrusted") return undefined;
    if (built.size > 0 && built.has(looksOf(item.name))) return `${looksOf(item.name)} is built in`;
    if (item.state === "untrusted") return undefined;
    const { key } = kinds[kind] as KindSpec<K>;
    const name = key?.(item.name, item.data, item.level) ?? item.name;
    const winner = taken.get(name);
    if (winner) return `${winner.file} comes first`;
    taken.set(name, item);
    return undefined;
  }

  #from<K extends Kind>(
    source: Source,
    kind: K,
    { look, seen, ...judging }: { look: Look; seen: Set<string> } & Judging,
  ): Item<K>[] {
    look.odd.clear();
    const finds = (source.finds[kind] as ((look: Look) => readonly Find<K>[]) | undefined)?.(look) ?? [];
    const { warn } = judging;
    for (const [path, why] of look.odd) warn(`${path}: ${why}`);
    const brought = (source.brings?.[kind] as (() => readonly Candidate<K>[]) | undefined)?.() ?? [];
    // Most people have the files of few programs.
    if (finds.length === 0 && brought.length === 0) return [];
    const nowhere = { at: { path: source.title, level: "user" as const, folder: "" }, read: () => [] };
    const own = brought.map((candidate) => this.#judged(source, kind, nowhere, candidate, judging));
    const found = finds
      .toSorted((a, b) => byLevel(a.at.level) - byLevel(b.at.level))
      .flatMap((find) => {
        const { path } = find.at;
        const read = look.read(find);
        if (!read) return [];
        if (!read.found.ok) {
          warn(`${path}: ${read.found.message}`);
          return [];
        }
        const all = read.found.value;
        return all.flatMap((candidate) => {
          // One real file counts once, by whichever way it is reached.
          const id = all.length > 1 || many.has(kind) ? `${read.id}#${candidate.name}` : read.id;
          if (seen.has(id)) return [];
          seen.add(id);
          return [this.#judged(source, kind, find, candidate, judging)];
        });
      });
    return [...own, ...found];
  }

  #judged<K extends Kind>(
    source: Source,
    kind: K,
    { at }: Find<K>,
    { name, data, line, unmapped = [], wrong, odd, off }: Candidate<K>,
    judging: Judging,
  ): Item<K> {
    const { warn } = judging;
    const spec = kinds[kind] as KindSpec<K>;
    const { path: file, level } = at;
    const item: Item<K> = { kind, name, source: source.name, level, file, line, state: "active", unmapped, data };
    const where = line === undefined ? file : `${file}:${line}`;
    if (odd) warn(`${where}: ${odd}`);
    const bad = wrong ?? spec.check?.(name, data);
    const out = off ?? judging.off?.({ name, source: source.name, level });
    if (bad) {
      warn(`${where}: ${bad}`);
      return { ...item, state: "invalid", why: bad };
    }
    if (out) return { ...item, state: "disabled", why: out };
    const executes = typeof spec.executes === "function" ? spec.executes(data) : spec.executes;
    const standing = executes && level === "project" ? this.#standing(item, at.folder) : undefined;
    return standing === undefined ? item : { ...item, state: "untrusted", why: standing };
  }

  /** Why something of a project that executes may not yet. */
  #standing<K extends Kind>(item: Item<K>, folder: string): string | undefined {
    const asked = this.asked(item, folder);
    const { is } = asked ? this.#options.trust.ask(asked.item, asked.bytes) : { is: "untrusted" };
    if (is === "trusted") return undefined;
    return is === "changed" ? "it has changed since you trusted it" : "nobody has trusted it";
  }

  /** Everything of the project that executes, with the bytes that a yes is for. */
  needing(): (TrustItem & { text: string })[] {
    return (Object.keys(kinds) as Kind[]).flatMap((kind) => {
      const { executes } = kinds[kind] as KindSpec<Kind>;
      return (this.of(kind).all as readonly Item[]).flatMap((item) => {
        const runs = typeof executes === "function" ? executes(item.data) : executes;
        if (!runs || item.level !== "project" || item.state === "invalid" || item.state === "disabled") return [];
        const folder = this.look.ways.find((way) => isInside(way, item.file));
        const asked = folder === undefined ? undefined : this.asked(item, folder);
        return asked ? [{ ...asked.item, text: asked.bytes }] : [];
      });
    });
  }

  /** What a yes to an item is a yes to: of a file that holds many things, the very thing. */
  asked<K extends Kind>(
    { kind, name, file, data }: Item<K>,
    folder: string,
  ): { item: TrustItem; bytes: string } | undefined {
    const path = relative(folder, file);
    if (many.has(kind))
      return { item: { kind, folder, name: `${path}#${name}` }, bytes: JSON.stringify(data, null, 1) };
    const text = this.look.text({ path: file, level: "project", folder, within: this.#options.place.root });
    return text.ok ? { item: { kind, folder, name: path }, bytes: text.value } : undefined;
  }
}

/** Kinds of which one file may hold many. */
const many: ReadonlySet<Kind> = new Set(["mcp", "lsp", "ssh", "hook"]);

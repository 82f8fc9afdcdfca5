import { relative } from "node:path";
import { isInside, late, plainText } from "@pith/kit";
import type { TrustItem } from "../policy/trust/trust.ts";
import { byLevel, ConfigFiles } from "./config-files.ts";
import type { ConfigSource, Judging, RegistryOptions } from "./config-source.ts";
import type { Candidate, Find, FoundItems, Item } from "./item.ts";
import { type CapabilityKind, type KindSpec, kinds, unusedWhy } from "./kind/kind.ts";

export type { ConfigSource } from "./config-source.ts";

const looksOf = late(() => {
  const { looksOf }: typeof import("./kind/looks.ts") = require("./kind/looks.ts");
  return looksOf;
});
const namedFiles = late(() => {
  const { namedFiles }: typeof import("./pinned.ts") = require("./pinned.ts");
  return namedFiles;
});

/** All that is found in configuration. Begins without sources; a kind is searched for when it is asked for. */
export class Capabilities {
  readonly files: ConfigFiles;
  readonly #options: RegistryOptions;
  readonly #sources: ConfigSource[] = [];
  readonly #built = new Map<CapabilityKind, () => readonly string[]>();

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.files = new ConfigFiles(options.place, options.cache);
  }

  /** Adds sources. They are sorted by priority, those of one priority in the order they came. */
  add(...sources: readonly ConfigSource[]): void {
    this.#sources.push(...sources);
    this.#sources.sort((a, b) => b.priority - a.priority);
  }

  get sources(): readonly ConfigSource[] {
    return this.#sources;
  }

  /** Reserves names that are built in: no file can take them. */
  reserve(kind: CapabilityKind, names: () => readonly string[]): void {
    this.#built.set(kind, names);
  }

  /** Returns the rules that watch streams, or those that are told; with `of: "files"` without the built-in ones. */
  rules(which: "watching" | "told", of: "everybody" | "files" = "everybody"): FoundItems<"rule"> {
    // A built-in rule is never told before it is broken.
    const without = which === "told" || of === "files" ? ["builtin"] : [];
    const { winners, ...found } = this.#found("rule", this.files, without);
    const watches = this.#options.watches?.() ?? true;
    const wanted = ({ data }: Item<"rule">) => (data.watch && watches ? "watching" : "told") === which;
    return { ...found, winners: winners.filter(wanted) };
  }

  /** Returns the items of a kind that count and stand in one folder of the project itself. */
  within<K extends CapabilityKind>(folder: string, kind: K): readonly Item<K>[] {
    return this.#found(kind, this.files.within(folder)).winners.filter(({ level }) => level === "project");
  }

  /** Returns all items of a kind, as they stand in the files now. */
  of<K extends CapabilityKind>(kind: K): FoundItems<K> {
    return this.#found(kind, this.files);
  }

  #found<K extends CapabilityKind>(kind: K, files: ConfigFiles, without: readonly string[] = []): FoundItems<K> {
    const all: Item<K>[] = [];
    const warnings: string[] = [];
    const seen = new Set<string>();
    const taken = new Map<string, Item<K>>();
    const built = new Set(this.#built.get(kind)?.().map(looksOf));
    const off = this.#options.off?.(kind);
    for (const source of this.#sources) {
      if (without.includes(source.name) || !(source.finds[kind] || source.brings?.[kind])) continue;
      // Warnings come from pith, so only another source is named.
      const prefix = source.name === "pith" ? "" : `${source.title}: `;
      // File names may hold line ends.
      const warn = (text: string) => void warnings.push(prefix + plainText(text).replace(/[\r\n]+/g, "\\n"));
      try {
        for (const item of this.#from(source, kind, { files, seen, warn, off })) {
          all.push(item);
          const why = this.#hidden(kind, item, taken, built);
          if (why === undefined) continue;
          item.state = "shadowed";
          item.why = why;
        }
      } catch (error) {
        warn(`could not be read: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return { winners: [...taken.values()], all, warnings };
  }

  /** Returns why another item counts in its place. One that counts takes its name; nothing takes a built-in name. */
  #hidden<K extends CapabilityKind>(
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

  #from<K extends CapabilityKind>(
    source: ConfigSource,
    kind: K,
    { files, seen, ...judging }: { files: ConfigFiles; seen: Set<string> } & Judging,
  ): Item<K>[] {
    files.warnings.clear();
    const finds = (source.finds[kind] as ((files: ConfigFiles) => readonly Find<K>[]) | undefined)?.(files) ?? [];
    const { warn } = judging;
    for (const [path, why] of files.warnings) warn(`${path}: ${why}`);
    const brought = (source.brings?.[kind] as (() => readonly Candidate<K>[]) | undefined)?.() ?? [];
    if (finds.length === 0 && brought.length === 0) return [];
    const nowhere = { at: { path: source.title, level: "user" as const, folder: "" }, read: () => [] };
    const own = brought.map((candidate) => this.#judged(source, kind, nowhere, candidate, judging));
    const found = finds
      .toSorted((a, b) => byLevel(a.at.level) - byLevel(b.at.level))
      .flatMap((find) => {
        const { path } = find.at;
        const read = files.read(find);
        if (!read) return [];
        if (!read.found.ok) {
          warn(`${path}: ${read.found.message}`);
          return [];
        }
        const all = read.found.value;
        return all.flatMap((candidate) => {
          // A file that several paths lead to counts once.
          const id = all.length > 1 || many.has(kind) ? `${read.id}#${candidate.name}` : read.id;
          if (seen.has(id)) return [];
          seen.add(id);
          return [this.#judged(source, kind, find, candidate, judging)];
        });
      });
    return [...own, ...found];
  }

  #judged<K extends CapabilityKind>(
    source: ConfigSource,
    kind: K,
    { at }: Find<K>,
    { name, data, line, unmapped = [], wrong, warning, off }: Candidate<K>,
    judging: Judging,
  ): Item<K> {
    const { warn } = judging;
    const spec = kinds[kind] as KindSpec<K>;
    const { path: file, level } = at;
    const item: Item<K> = { kind, name, source: source.name, level, file, line, state: "active", unmapped, data };
    const where = line === undefined ? file : `${file}:${line}`;
    if (warning) warn(`${where}: ${warning}`);
    const bad = wrong ?? spec.check?.(name, data);
    const out = off ?? judging.off?.({ name, source: source.name, level });
    if (bad) {
      warn(`${where}: ${bad}`);
      return { ...item, state: "invalid", why: bad };
    }
    if (out) return { ...item, state: "disabled", why: out };
    const executes = typeof spec.executes === "function" ? spec.executes(data) : spec.executes;
    const untrusted = executes && level === "project" ? this.#untrusted(item, at.folder) : undefined;
    return untrusted === undefined ? item : { ...item, state: "untrusted", why: untrusted };
  }

  /** Returns why an item of a project that executes may not run yet. */
  #untrusted<K extends CapabilityKind>(item: Item<K>, folder: string): string | undefined {
    const asked = this.asked(item, folder);
    const { is } = asked ? this.#options.trust.ask(asked.item, asked.bytes) : { is: "untrusted" };
    if (is === "trusted") return undefined;
    return is === "changed" ? "it has changed since you trusted it" : "nobody has trusted it";
  }

  /** A file of the project by its name in it. */
  shortName(file: string): string {
    const { root } = this.#options.place;
    return isInside(root, file) ? relative(root, file) : file;
  }

  /** Returns all items of the project that execute here, with the bytes that a yes is for. */
  needing(): (TrustItem & { text: string })[] {
    return (Object.keys(kinds) as CapabilityKind[]).flatMap((kind) => {
      const { executes, unused } = kinds[kind] as KindSpec<CapabilityKind>;
      if (executes === false || unused === true) return [];
      return (this.of(kind).all as readonly Item[]).flatMap((item) => {
        const runs = typeof executes === "function" ? executes(item.data) : executes;
        // A guard that cannot be read refuses calls, once somebody has said yes to it.
        const counts = item.state !== "disabled" && (item.state !== "invalid" || kind === "hook");
        if (!runs || item.level !== "project" || !counts || unusedWhy(kind, item.data) !== undefined) return [];
        const folder = this.files.projectFolders.find((way) => isInside(way, item.file));
        const asked = folder === undefined ? undefined : this.asked(item, folder);
        return asked ? [{ ...asked.item, text: asked.bytes }] : [];
      });
    });
  }

  /** True if an item of a project still holds the very bytes that somebody said yes to; of the user's own always. */
  isTrusted<K extends CapabilityKind>(item: Item<K>): boolean {
    if (item.level === "user") return true;
    const folder = this.files.projectFolders.find((way) => isInside(way, item.file));
    return folder !== undefined && this.#untrusted(item, folder) === undefined;
  }

  /** Returns what a yes to an item covers: its file, or only the item where a file may hold many. */
  asked<K extends CapabilityKind>(
    { kind, name, file, data }: Item<K>,
    folder: string,
  ): { item: TrustItem; bytes: string } | undefined {
    const path = relative(folder, file);
    const line = (kinds[kind] as KindSpec<K>).line?.(data, file);
    const named = line === undefined ? "" : namedFiles(line, folder, this.#options.place);
    if (many.has(kind))
      return { item: { kind, folder, name: `${path}#${name}` }, bytes: `${JSON.stringify(data, null, 1)}${named}` };
    const text = this.files.text({ path: file, level: "project", folder, within: this.#options.place.root });
    return text.ok ? { item: { kind, folder, name: path }, bytes: `${text.value}${named}` } : undefined;
  }
}

/** Kinds of which one file may hold several items. */
const many: ReadonlySet<CapabilityKind> = new Set(["mcp", "lsp", "ssh", "hook", "permission"]);

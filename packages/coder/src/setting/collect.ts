import { checkValue, closestValue, quoteValue } from "./check.ts";
import { meant } from "./meant.ts";
import { oldNames, renamedTo } from "./renamed.ts";
import { groupsOf, type Key, type SettingTable, type Values } from "./schema.ts";
import { itemsIn, type ListSpec } from "./spec.ts";
import { repeatedKey } from "./twice.ts";

/** Something wrong in a file of settings. */
export interface Finding {
  level: "problem" | "warning";
  /** The keys on the way to it, as the file spells them; undefined when the file is not YAML. */
  path: readonly (string | number)[] | undefined;
  text: string;
}

export interface CollectorOptions {
  table: SettingTable;
  /** The product that the file was written for; of another's file only the keys that it shares with ours count. */
  of: "us" | "a relative";
  from: "user" | "project";
  /** True for a file that stays, which may be written for a newer pith; one that was named for this run is wrong. */
  lasting: boolean;
  /** True when a project's file may set more than what is harmless. Reads the trust file, so called only when needed. */
  mayMore(): boolean;
}

type Wrong = Pick<Finding, "level" | "text">;

/** Unknown names told one by one; the rest is counted, because finding similar names for very many takes too long. */
const maxUnknown = 20;
const mostItems = 1000;
const twice = "is set twice in this file";
const oldGroups = groupsOf(oldNames);

/** Collects the values that one file sets, and what is wrong with them. */
export class Collector {
  readonly values: Values = {};
  readonly findings: Finding[] = [];
  /** Keys that count once the user has said yes to the file. */
  readonly waiting: Key[] = [];
  readonly #options: CollectorOptions;
  #unknown = 0;

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  /** Takes all values of a file. `text` is its source, in which repeated keys are found. */
  collect(data: unknown, text: string): void {
    this.#collect(data, []);
    const more = this.#unknown - maxUnknown;
    if (more > 0) this.findings.push({ level: "warning", path: [], text: `${more} more unknown settings` });
    this.#dropRepeated(text);
  }

  /** Walks groups only as deep as there are keys, so a strange file cannot make it walk far. */
  #collect(node: unknown, path: readonly string[]): void {
    if (node === null || node === undefined) return;
    const { table, of } = this.#options;
    const name = path.join(".");
    const isGroup = table.groups.has(name) || oldGroups.has(name);
    if (isGroup && typeof node === "object" && !Array.isArray(node)) {
      for (const [key, value] of Object.entries(node)) this.#collect(value, [...path, key]);
      return;
    }
    const key = table.isKey(name) ? name : renamedTo(name);
    let wrong: Wrong | undefined;
    if (key === undefined) {
      if (!isGroup && ++this.#unknown > maxUnknown) return;
      wrong = isGroup ? this.#noGroup(name, node) : this.#unknownName(name, node);
    } else {
      wrong = this.#take(key, node, path);
      if (key !== name && of === "us") wrong ??= { level: "warning", text: `is called ${key} now` };
    }
    if (wrong) this.findings.push({ path, ...wrong });
  }

  #take(key: Key, node: unknown, path: readonly string[]): Wrong | undefined {
    const spec = this.#options.table.specOf(key);
    if (spec.type !== "list") return this.#takeValue(key, node);
    this.#takeList(key, spec, node, path);
    return undefined;
  }

  /** Takes a list item by item; each that is wrong is named with its line, and a rule of a project asks instead. */
  #takeList(key: Key, spec: ListSpec<unknown>, node: unknown, path: readonly string[]): void {
    const isProject = this.#options.from === "project";
    const items = itemsIn(spec, node);
    // What a project has broken may have been meant to forbid something.
    const instead = isProject ? spec.strict : undefined;
    const tell = (level: Finding["level"], text: string, at?: number) =>
      this.findings.push({ level, path: at === undefined ? path : [...path, at], text });
    if (this.values[key] !== undefined) tell("problem", twice);
    if (!items) tell("problem", `expected a list of ${spec.of}, found ${quoteValue(node)}`);
    const kept = (items?.slice(0, mostItems) ?? []).flatMap((item, at) => {
      const wrong = spec.wrong(item);
      if (wrong !== undefined) {
        tell("problem", instead ? `${wrong}; it asks instead` : wrong, at);
        return instead ? [instead(item)] : [];
      }
      if (!isProject || spec.tightens(item)) return [item];
      tell("warning", `ignored: a project may ${instead ? "only make it stricter" : "not set this"}`, at);
      return [];
    });
    if (!items && instead) kept.push(instead(node));
    if (items && items.length > mostItems) tell("problem", `expected no more than ${mostItems} items`);
    const before = (this.values[key] ?? []) as readonly unknown[];
    this.#set(key, [...before, ...kept]);
  }

  #takeValue(key: Key, value: unknown): Wrong | undefined {
    const { table, from, lasting, of, mayMore } = this.#options;
    const spec = table.specOf(key);
    // Other products write milliseconds where we write seconds.
    if (of === "a relative" && key === "ask.timeout" && typeof value === "number" && value > 1000)
      return this.#takeValue(key, Math.round(value / 1000));
    if (from === "project" && !spec.harmless?.(value)) {
      if (!spec.trusted?.(value))
        return { level: "warning", text: `ignored: a project may not set this to ${quoteValue(value)}` };
      if (!mayMore()) {
        this.waiting.push(key);
        return undefined;
      }
    }
    if (this.values[key] !== undefined) {
      delete this.values[key];
      return { level: "problem", text: twice };
    }
    const checked = checkValue(spec, value);
    if (checked.ok) {
      this.#set(key, checked.value);
      return undefined;
    }
    const instead = lasting ? closestValue(spec, value) : undefined;
    if (!instead) return { level: "problem", text: checked.message };
    if (from === "user" && instead.value !== undefined) this.#set(key, instead.value);
    const goingOn = this.values[key] ?? "the value without it";
    return { level: "warning", text: `${checked.message}; using ${goingOn}` };
  }

  #set(key: Key, value: unknown): void {
    (this.values as Record<Key, unknown>)[key] = value;
  }

  /** Drops a key that stands twice, because nothing tells which of its values was meant. */
  #dropRepeated(text: string): void {
    const path = repeatedKey(text);
    if (!path) return;
    const { keys, specOf } = this.#options.table;
    for (const key of keys)
      if (`${key}.`.startsWith(`${path.join(".")}.`) && specOf(key).type !== "list") delete this.values[key];
    this.findings.push({ level: "problem", path, text: twice });
  }

  #noGroup(name: string, value: unknown): Wrong {
    const inside = this.#options.table.keys.filter((key) => key.startsWith(`${name}.`));
    const some = `${inside.slice(0, 3).join(", ")}${inside.length > 3 ? ", …" : ""}`;
    const wanted = name === "" ? "settings, one per line as key: value" : `a group of settings (${some})`;
    return { level: "problem", text: `expected ${wanted}, found ${quoteValue(value)}` };
  }

  #unknownName(name: string, node: unknown): Wrong {
    const near = meant(name, node, this.#options.table);
    const hint = near ? `; ${near}` : " (pith config list shows them all)";
    return { level: "warning", text: `unknown setting${hint}` };
  }
}

/** Makes every list of rules ask, for a broken file of a project that may have held rules. */
export function strictIfRuled({ keys, specOf }: SettingTable, values: Values, text: string | undefined): void {
  for (const key of keys) {
    const spec = specOf(key);
    if (spec.type !== "list" || !spec.strict || values[key] !== undefined) continue;
    if (text?.includes(key.split(".").at(-1) ?? key) === false) continue;
    (values as Record<Key, unknown>)[key] = [spec.strict(undefined)];
  }
}

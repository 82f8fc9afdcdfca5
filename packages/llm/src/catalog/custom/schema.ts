import { isRecord, nearest } from "@pith/kit";
import { type Field, shown } from "../../field.ts";

/** A message about a file: a problem ends the start, a warning does not. */
export interface FileFinding {
  level: "problem" | "warning";
  path: FieldPath | undefined;
  text: string;
}
export type FieldPath = readonly (string | number)[];

/** A group of a file: its fields, its path, and a list that collects findings. */
export class FieldGroup {
  readonly fields: Record<string, unknown>;
  readonly path: FieldPath;
  readonly #findings: FileFinding[];
  readonly #known = new Set<string>();

  constructor(value: unknown, path: FieldPath, findings: FileFinding[], expected = "a group") {
    this.path = path;
    this.#findings = findings;
    this.fields = isRecord(value) ? value : {};
    if (!isRecord(value)) this.problem(`expected ${expected}, found ${shown(value)}`);
  }

  /** Reads a field; a wrong value is reported and left out. */
  read<T>(key: string, { words, named, fits }: Field<T>): T | undefined {
    this.#known.add(key);
    const value = this.fields[key];
    if (value === undefined || value === null) return undefined;
    if (fits(value)) return value;
    // An API key is never quoted; it may also stand in `headers`.
    const instead = key === "apiKey" || key === "headers" ? "" : `, found ${shown(value)}`;
    if (named && typeof value === "string") this.#note("warning", `ignored: expected ${words}${instead}`, key);
    else this.problem(`expected ${words}${instead}`, key);
    return undefined;
  }

  /** True when the field is a word that `read` did not accept. */
  lacks(key: string, read: unknown): boolean {
    return read === undefined && typeof this.fields[key] === "string";
  }

  group(key: string): FieldGroup | undefined {
    this.#known.add(key);
    const value = this.fields[key] ?? undefined;
    return value === undefined ? undefined : new FieldGroup(value, [...this.path, key], this.#findings);
  }

  /** The groups below a key, by name. */
  groups(key: string): [string, FieldGroup][] {
    return Object.entries(this.group(key)?.fields ?? {}).map(([name, value]) => [
      name,
      new FieldGroup(value ?? {}, [...this.path, key, name], this.#findings),
    ]);
  }

  list(key: string, what: string): FieldGroup[] {
    const list: unknown[] = this.read(key, { words: `a list of ${what}`, fits: Array.isArray }) ?? [];
    return list.map((value, at) => new FieldGroup(value, [...this.path, key, at], this.#findings));
  }

  /** Warns about keys that nobody has read, except those that only related programs use. */
  end(relatives: readonly string[] = []): void {
    for (const key of Object.keys(this.fields)) {
      if (this.#known.has(key) || relatives.includes(key)) continue;
      const meant = nearest(key, [...this.#known]);
      this.#note("warning", `unknown key${meant ? `; did you mean ${meant}?` : ", ignored"}`, key);
    }
  }

  problem(text: string, key?: string): void {
    this.#note("problem", text, key);
  }

  #note(level: FileFinding["level"], text: string, key?: string): void {
    this.#findings.push({ level, path: key === undefined ? this.path : [...this.path, key], text });
  }
}

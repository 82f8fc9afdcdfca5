import { isRecord, nearest, plainText } from "@pith/kit";

/** A message about a file: a problem ends the start, a warning does not. */
export interface FileFinding {
  level: "problem" | "warning";
  path: FieldPath | undefined;
  text: string;
}
export type FieldPath = readonly (string | number)[];
export type Fields = Record<string, unknown>;
/** The type of a field: a test, and words for messages. */
export interface FieldKind<T> {
  words: string;
  /** The field takes one of some words. An unknown word may be of a newer pith, so it only warns. */
  named?: true;
  fits(value: unknown): value is T;
}

/** A group of a file: its fields, its path, and a list that collects findings. */
export class FieldGroup {
  readonly fields: Fields;
  readonly path: FieldPath;
  readonly #findings: FileFinding[];

  constructor(value: unknown, path: FieldPath, findings: FileFinding[], expected = "a group") {
    this.path = path;
    this.#findings = findings;
    this.fields = isRecord(value) ? value : {};
    if (!isRecord(value)) this.problem(`expected ${expected}, found ${show(value)}`);
  }

  /** Reads a field; a wrong value is reported and left out. */
  read<T>(key: string, { words, named, fits }: FieldKind<T>): T | undefined {
    const value = this.fields[key];
    if (value === undefined || value === null) return undefined;
    if (fits(value)) return value;
    // An API key is never quoted; it may also stand in `headers`.
    const instead = key === "apiKey" || key === "headers" ? "" : `, found ${show(value)}`;
    if (named && typeof value === "string") this.#note("warning", `passed over: expected ${words}${instead}`, key);
    else this.problem(`expected ${words}${instead}`, key);
    return undefined;
  }

  /** True when the field is a word that `read` did not accept. */
  lacks(key: string, read: unknown): boolean {
    return read === undefined && typeof this.fields[key] === "string";
  }

  group(key: string): FieldGroup | undefined {
    const value = this.fields[key];
    return value === undefined || value === null
      ? undefined
      : new FieldGroup(value, [...this.path, key], this.#findings);
  }

  /** The groups below a key, by name. */
  groups(key: string): [string, FieldGroup][] {
    const below = this.group(key);
    return Object.entries(below?.fields ?? {}).map(([name, value]) => [
      name,
      new FieldGroup(value ?? {}, [...this.path, key, name], this.#findings),
    ]);
  }

  list(key: string, what: string): FieldGroup[] {
    const list: unknown[] = this.read(key, { words: `a list of ${what}`, fits: Array.isArray }) ?? [];
    return list.map((value, at) => new FieldGroup(value, [...this.path, key, at], this.#findings));
  }

  /** Warns about keys that are neither known nor used by related programs. */
  pass(known: readonly string[], relatives: readonly string[] = []): void {
    for (const key of Object.keys(this.fields)) {
      if (known.includes(key) || relatives.includes(key)) continue;
      const meant = nearest(key, known);
      this.#findings.push({
        level: "warning",
        path: [...this.path, key],
        text: `unknown key${meant ? `; did you mean ${meant}?` : ", passed over"}`,
      });
    }
  }

  problem(text: string, key?: string): void {
    this.#note("problem", text, key);
  }

  #note(level: FileFinding["level"], text: string, key?: string): void {
    this.#findings.push({ level, path: key === undefined ? this.path : [...this.path, key], text });
  }
}

const kind = <T>(words: string, fits: (value: unknown) => boolean): FieldKind<T> => ({
  words,
  fits: fits as FieldKind<T>["fits"],
});

export const text = (words = "text") => kind<string>(words, (value) => typeof value === "string" && value !== "");
export const toggle = kind<boolean>("true or false", (value) => typeof value === "boolean");
export const count = (words = "a whole number of tokens") =>
  kind<number>(words, (value) => Number.isSafeInteger(value) && (value as number) > 0);
export const number = kind<number>("a number", (value) => typeof value === "number" && Number.isFinite(value));
export const price = kind<number>(
  "dollars per million tokens",
  (value) => typeof value === "number" && value >= 0 && Number.isFinite(value),
);
export const choice = <T extends string>(of: readonly T[]): FieldKind<T> => ({
  ...kind<T>(`one of ${of.join(", ")}`, (value) => of.includes(value as T)),
  named: true,
});
export const record = (words = "a group") => kind<Fields>(words, isRecord);
export const texts = (words: string) =>
  kind<Record<string, string>>(
    words,
    (value) => isRecord(value) && Object.values(value).every((text) => typeof text === "string"),
  );
export const listOf = <T extends string>(of: readonly T[]) =>
  kind<T[]>(
    `a list out of ${of.join(", ")}`,
    (value) => Array.isArray(value) && value.every((word) => of.includes(word)),
  );
export const either = <A, B>(a: FieldKind<A>, b: FieldKind<B>): FieldKind<A | B> =>
  kind(`${a.words} or ${b.words}`, (value) => a.fits(value) || b.fits(value));

function show(value: unknown): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "a group";
  return plainText(JSON.stringify(value) ?? String(value)).slice(0, 60);
}

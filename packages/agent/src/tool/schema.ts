import { isRecord, nearest, parseJson } from "@pith/kit";

// The input of a tool, declared once: the check of arguments, their type, and the JSON schema for the wire. Own code
// because it is on the start path: building the schemas of the built-in tools takes a tenth of a millisecond, against
// six with the library it was compared to.

/** A wrong value: path, and what was expected. */
export interface Issue {
  path: (string | number)[];
  message: string;
}
export type ParseResult<T> = { success: true; data: T } | { success: false; error: { issues: Issue[] } };
export type JsonSchema = Record<string, unknown>;
export type Infer<S> = S extends Schema<infer T> ? T : never;

export class Schema<T> {
  readonly json: JsonSchema;
  readonly required: boolean = true;
  /** Reads a value and reports issues; the result counts only if there were none. */
  readonly read: Reader<T>;

  constructor(json: JsonSchema, read: Reader<T>) {
    this.json = json;
    this.read = read;
  }

  safeParse(value: unknown): ParseResult<T> {
    const issues: Issue[] = [];
    const data = this.read(value, (message, path = []) => issues.push({ path, message }));
    return issues.length === 0 ? { success: true, data } : { success: false, error: { issues } };
  }

  describe(description: string): this {
    return this.with({ json: { ...this.json, description } });
  }

  /** Makes a key of an object optional. Null counts as absent, because models write it. */
  optional(): Optional<T> {
    const read: Reader<T | undefined> = (value, tell) =>
      value === undefined || value === null ? undefined : this.read(value, tell);
    return this.with({ required: false, read } as never) as unknown as Optional<T>;
  }

  /** A copy with another check, applied only to values that passed the earlier ones; `json` states it in the schema. */
  refine(holds: (value: T) => boolean, message: string, json: JsonSchema = {}): this {
    const read: Reader<T> = (value, tell) => {
      let fine = true;
      const data = this.read(value, (message, path) => {
        fine = false;
        tell(message, path);
      });
      if (fine && !holds(data)) tell(message);
      return data;
    };
    return this.with({ json: { ...this.json, ...json }, read });
  }

  protected with(change: Partial<Pick<Schema<T>, "json" | "read" | "required">>): this {
    return Object.assign(Object.create(Object.getPrototypeOf(this)), this, change);
  }
}

export type Optional<T> = Schema<T | undefined> & { readonly required: false };

export class SizedSchema<T extends string | unknown[]> extends Schema<T> {
  private get words(): { key: string; many: string } {
    return this.json.type === "string" ? { key: "Length", many: "characters" } : { key: "Items", many: "items" };
  }

  min(least: number): this {
    const message = least === 1 ? "must not be empty" : `must have at least ${least} ${this.words.many}`;
    // A minimum of one needs no mention.
    const json = least === 1 ? {} : { [`min${this.words.key}`]: least };
    return this.refine((value) => value.length >= least, message, json);
  }
  max(most: number): this {
    const json = { [`max${this.words.key}`]: most };
    return this.refine((value) => value.length <= most, `must have at most ${most} ${this.words.many}`, json);
  }
}

export class TextSchema extends SizedSchema<string> {
  regex(pattern: RegExp, message = `must match ${pattern}`): this {
    return this.refine((value) => pattern.test(value), message, { pattern: pattern.source });
  }
}

export class NumberSchema extends Schema<number> {
  min(least: number): this {
    return this.refine((value) => value >= least, `must be at least ${least}`, { minimum: least });
  }
  max(most: number): this {
    return this.refine((value) => value <= most, `must be at most ${most}`, { maximum: most });
  }
}

// Models write numbers and booleans as texts, texts as numbers, and lists and objects as JSON in a text. Unambiguous
// values are converted.
export const string = (): TextSchema => new TextSchema({ type: "string" }, typed("string", "text", textFrom));
export const number = (): NumberSchema =>
  new NumberSchema({ type: "number" }, typed("number", "a number", numberFrom, Number.isFinite));
export const int = (): NumberSchema =>
  new NumberSchema({ type: "integer" }, typed("number", "a whole number", numberFrom, Number.isSafeInteger));
export const boolean = (): Schema<boolean> =>
  new Schema({ type: "boolean" }, typed("boolean", "true or false", truthFrom));
export const unknown = (): Schema<unknown> => new Schema<unknown>({}, (value) => value);

export const literal = <const T extends string | number | boolean>(only: T): Schema<T> => oneOf([only]);

export function oneOf<const T extends string | number | boolean>(values: readonly T[]): Schema<T> {
  const expected = values.map((value) => JSON.stringify(value)).join(", ");
  return new Schema<T>(
    values.length === 1 ? { const: values[0] } : { type: typeof values[0], enum: values },
    (value, tell) => {
      if (!values.includes(value as T))
        tell(`expected ${values.length === 1 ? "" : "one of "}${expected}, received ${kindOf(value)}`);
      return value as T;
    },
  );
}

export function array<T>(item: Schema<T>): SizedSchema<T[]> {
  return new SizedSchema<T[]>({ type: "array", items: item.json }, (written, tell) => {
    const parsed = fromJson(written);
    // A single value where a list is expected is a list of one.
    const value = isOne(parsed, item.json.type) ? [parsed] : parsed;
    if (!Array.isArray(value)) return wrong(tell, "a list", value);
    return value.map((element, at) => item.read(element, below(at, tell)));
  });
}

export function record<T>(item: Schema<T>): Schema<Record<string, T>> {
  return new Schema<Record<string, T>>({ type: "object", additionalProperties: item.json }, (written, tell) => {
    const value = fromJson(written);
    if (!isRecord(value)) return wrong(tell, "an object", value);
    const read = ([key, element]: [string, unknown]) => [key, item.read(element, below(key, tell))] as const;
    return Object.fromEntries(Object.entries(value).map(read));
  });
}

/** The first schema that fits; if none does, the issues of the one with the fewest. */
export function union<const S extends readonly Schema<unknown>[]>(options: S): Schema<Infer<S[number]>> {
  return new Schema<Infer<S[number]>>({ anyOf: options.map((option) => option.json) }, (value, tell) => {
    const tries = options.map((option) => option.safeParse(value));
    const fits = tries.find((attempt) => attempt.success);
    if (fits?.success) return fits.data as Infer<S[number]>;
    const [closest] = tries
      .flatMap((attempt) => (attempt.success ? [] : [attempt.error.issues]))
      .sort((a, b) => a.length - b.length);
    for (const issue of closest ?? []) tell(issue.message, issue.path);
    return undefined as never;
  });
}

export type ObjectShape = Record<string, Schema<unknown>>;
type OptionalKeys<S extends ObjectShape> = {
  [K in keyof S]: S[K] extends { readonly required: false } ? K : never;
}[keyof S];
export type ObjectOf<S extends ObjectShape> = { [K in Exclude<keyof S, OptionalKeys<S>>]: Infer<S[K]> } & {
  [K in OptionalKeys<S>]?: Infer<S[K]>;
};

/** An object with these keys. Unknown keys are issues, unless they only comment on the call. */
export function object<S extends ObjectShape>(shape: S): Schema<ObjectOf<S>> {
  const keys = Object.keys(shape);
  const required = keys.filter((key) => shape[key]?.required);
  const properties = Object.fromEntries(keys.map((key) => [key, shape[key]?.json]));
  return new Schema<ObjectOf<S>>(
    { type: "object", properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false },
    (written, tell) => {
      const value = fromJson(written);
      if (!isRecord(value)) return wrong(tell, "an object", value);
      const data: Record<string, unknown> = {};
      for (const key of Object.keys(value))
        if (!Object.hasOwn(shape, key) && value[key] !== null && !remarks.has(key)) tell(unknownKey(key, keys), [key]);
      for (const key of keys) {
        const read = shape[key]?.read(Object.hasOwn(value, key) ? value[key] : undefined, below(key, tell));
        if (read !== undefined) data[key] = read;
      }
      return data as ObjectOf<S>;
    },
  );
}

type FullShape<T> = {
  [K in keyof T]-?: object extends Pick<T, K> ? Schema<unknown> & { readonly required: false } : Schema<unknown>;
};

/** Makes the schema of a declared type. A field of the type that is missing here, or one too many, does not compile. */
export const objectOf = <T extends object>(shape: FullShape<T>): Schema<T> =>
  object(shape as unknown as ObjectShape) as unknown as Schema<T>;

/** An object of another program: fields that the shape does not name are passed over, as later versions may add some. */
export function sent<S extends ObjectShape>(shape: S): Schema<ObjectOf<S>> {
  const known = object(shape);
  const own = ([name]: [string, unknown]) => Object.hasOwn(shape, name);
  return new Schema(known.json, (value, tell) =>
    known.read(isRecord(value) ? Object.fromEntries(Object.entries(value).filter(own)) : value, tell),
  );
}

type Tell = (message: string, path?: (string | number)[]) => void;
type Reader<T> = (value: unknown, tell: Tell) => T;

/** Reads a value of a type; `from` converts those of another one. */
const typed =
  <T>(type: string, expected: string, from: (value: unknown) => unknown, holds = (_: unknown) => true): Reader<T> =>
  (written, tell) => {
    const value = typeof written === type ? written : from(written);
    return typeof value === type && holds(value) ? (value as T) : wrong(tell, expected, written);
  };

const textFrom = (value: unknown) => (typeof value === "number" || typeof value === "boolean" ? String(value) : value);
const numberFrom = (value: unknown) =>
  typeof value === "string" && /^\s*-?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
const truthFrom = (value: unknown) =>
  typeof value === "string" && /^\s*(true|false)\s*$/i.test(value) ? /true/i.test(value) : value;

const below =
  (key: string | number, tell: Tell): Tell =>
  (message, path = []) =>
    tell(message, [key, ...path]);

const isOne = (value: unknown, type: unknown) => (type === "object" ? isRecord(value) : typeof value === type);

/** Parses a list or an object written as a text. */
const fromJson = (value: unknown): unknown =>
  typeof value === "string" && /^\s*[[{]/.test(value) ? (parseJson(value) ?? value) : value;

/** Keys with which models comment on a call; ignored. */
const remarks: ReadonlySet<string> = new Set(["description", "explanation", "reason", "reasoning", "thought"]);

function unknownKey(key: string, keys: readonly string[]): string {
  const meant = nearest(key, keys);
  return `no such argument${meant ? ` (did you mean ${meant}?)` : ""}; known: ${keys.join(", ") || "none"}`;
}

function wrong(tell: Tell, expected: string, value: unknown): never {
  tell(value === undefined ? `missing: expected ${expected}` : `expected ${expected}, received ${kindOf(value)}`);
  return undefined as never;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" && value.length > 40 ? "a text" : (JSON.stringify(value) ?? "nothing");
}

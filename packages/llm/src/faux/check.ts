// Checks for the values of a script; a mistake names its place and what was expected there.
import { isRecord } from "@pith/kit";

export type MistakePath = readonly (string | number)[];
export interface Mistake {
  path: MistakePath;
  text: string;
}
/** Appends the mistakes in a value; a value without any is a `T`. */
export type Check<T> = { (value: unknown, path: MistakePath, mistakes: Mistake[]): void; of?: T };
export type Checked<C> = C extends Check<infer T> ? T : never;

/** All mistakes in a value. */
export function mistakesIn(value: unknown, check: Check<unknown>): Mistake[] {
  const mistakes: Mistake[] = [];
  check(value, [], mistakes);
  return mistakes;
}

const that =
  <T>(fits: (value: unknown) => boolean, expected: (value: unknown) => string): Check<T> =>
  (value, path, mistakes) => {
    if (!fits(value)) mistakes.push({ path, text: expected(value) });
  };
const kindOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
const received = (expected: string) => (value: unknown) => `expected ${expected}, received ${kindOf(value)}`;

export const text = that<string>((value) => typeof value === "string", received("string"));
export const truth = that<boolean>((value) => typeof value === "boolean", received("boolean"));
export const yes = that<true>(
  (value) => value === true,
  () => "expected true",
);
export const amount = that<number>((value) => Number.isFinite(value), received("number"));
export const whole = (least: number, most = Number.MAX_SAFE_INTEGER) =>
  that<number>(
    (value) => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
    (value) =>
      typeof value === "number"
        ? `expected a whole number from ${least}${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ""}`
        : received("number")(value),
  );
export const oneOf = <const T extends string>(...words: readonly T[]) =>
  that<T>(
    (value) => words.includes(value as T),
    () => `expected one of ${words.join(", ")}`,
  );
export const anything = that<unknown>(
  () => true,
  () => "",
);

/** A check with a further condition. */
export const where =
  <T>(check: Check<T>, fits: (value: T) => boolean, expected: string): Check<T> =>
  (value, path, mistakes) => {
    const before = mistakes.length;
    check(value, path, mistakes);
    if (mistakes.length === before && !fits(value as T)) mistakes.push({ path, text: expected });
  };

/** Any of several checks, with one message for all. */
export const either =
  <C extends readonly Check<unknown>[]>(expected: string, ...checks: C): Check<Checked<C[number]>> =>
  (value, path, mistakes) => {
    if (!checks.some((check) => mistakesIn(value, check).length === 0)) mistakes.push({ path, text: expected });
  };

export const list =
  <T>(item: Check<T>): Check<T[]> =>
  (value, path, mistakes) => {
    if (!Array.isArray(value)) mistakes.push({ path, text: received("array")(value) });
    else for (const [at, element] of value.entries()) item(element, [...path, at], mistakes);
  };

/** An object with any names, each checked, and values of one type. */
export const map =
  <T>(name: Check<string>, item: Check<T>): Check<Record<string, T>> =>
  (value, path, mistakes) => {
    if (!isRecord(value)) mistakes.push({ path, text: received("object")(value) });
    else
      for (const [key, field] of Object.entries(value)) {
        name(key, [...path, key], mistakes);
        item(field, [...path, key], mistakes);
      }
  };

type Shape = Readonly<Record<string, Check<unknown>>>;
type Needed<S extends Shape> = { [K in keyof S]: Checked<S[K]> };
type Allowed<S extends Shape> = { [K in keyof S]?: Checked<S[K]> | undefined };

/** An object with these names and no others. */
export const record =
  <A extends Shape, B extends Shape = Record<never, never>>(
    allowed: A,
    needed: B = {} as B,
  ): Check<Allowed<A> & Needed<B>> =>
  (value, path, mistakes) => {
    if (!isRecord(value)) {
      mistakes.push({ path, text: received("object")(value) });
      return;
    }
    const names = [...Object.keys(needed), ...Object.keys(allowed)];
    const unknown = Object.keys(value).filter((key) => !names.includes(key));
    if (unknown.length > 0)
      mistakes.push({
        path,
        text: `unknown key ${unknown.map((key) => `"${key}"`).join(", ")}; the keys here are ${names.join(", ")}`,
      });
    for (const [key, check] of Object.entries(needed)) check(value[key], [...path, key], mistakes);
    for (const [key, check] of Object.entries(allowed))
      if (value[key] !== undefined) check(value[key], [...path, key], mistakes);
  };

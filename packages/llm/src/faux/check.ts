// Checks for the values of a script; a mistake names its place and what was expected there.
import { isRecord } from "@pith/kit";
import { anyNumber, anyText, choice, type Field, field, shown, toggle, wholeNumber } from "../field.ts";

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

const found = (expected: string, value: unknown) => `expected ${expected}, found ${shown(value)}`;

const leaf =
  <T>({ words, fits }: Field<T>): Check<T> =>
  (value, path, mistakes) => {
    if (!fits(value)) mistakes.push({ path, text: found(words, value) });
  };

export const text = leaf(anyText);
export const truth = leaf(toggle);
export const yes = leaf(field<true>("true", (value) => value === true));
export const amount = leaf(anyNumber);
export const whole = (least: number, most?: number) =>
  leaf(wholeNumber(`a whole number from ${least}${most === undefined ? "" : ` to ${most}`}`, least, most));
export const oneOf = <const T extends string>(...words: readonly T[]) => leaf(choice(words));
export const anything: Check<unknown> = () => {};

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

export const listOf =
  <T>(item: Check<T>): Check<T[]> =>
  (value, path, mistakes) => {
    if (!Array.isArray(value)) mistakes.push({ path, text: found("a list", value) });
    else for (const [at, element] of value.entries()) item(element, [...path, at], mistakes);
  };

/** An object with any names, each checked, and values of one type. */
export const mapOf =
  <T>(name: Check<string>, item: Check<T>): Check<Record<string, T>> =>
  (value, path, mistakes) => {
    if (!isRecord(value)) mistakes.push({ path, text: found("a group", value) });
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
export const only =
  <A extends Shape, B extends Shape = Record<never, never>>(
    allowed: A,
    needed: B = {} as B,
  ): Check<Allowed<A> & Needed<B>> =>
  (value, path, mistakes) => {
    if (!isRecord(value)) {
      mistakes.push({ path, text: found("a group", value) });
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

import { isRecord } from "@pith/kit";
/** Checks the shape of a JSON value; returns the place and error, or undefined. */
export type Shape = (value: unknown, at: string) => string | undefined;

export const str: Shape = (value, at) => (typeof value === "string" ? undefined : `${at}: a string is wanted`);
export const num: Shape = (value, at) => (typeof value === "number" ? undefined : `${at}: a number is wanted`);
export const bool: Shape = (value, at) => (typeof value === "boolean" ? undefined : `${at}: a boolean is wanted`);
export const nil: Shape = (value, at) => (value === null ? undefined : `${at}: null is wanted`);
export const record: Shape = (value, at) => (isRecord(value) ? undefined : `${at}: an object is wanted`);
export const word =
  (...words: readonly (string | boolean)[]): Shape =>
  (value, at) =>
    words.some((known) => known === value) ? undefined : `${at}: one of ${words.join(", ")} is wanted`;

export const list =
  (of: Shape, least = 0): Shape =>
  (value, at) => {
    if (!Array.isArray(value)) return `${at}: a list is wanted`;
    if (value.length < least) return `${at}: at least ${least} is wanted`;
    return first(value.map((item, i) => () => of(item, `${at}.${i}`)));
  };

/** An object with these fields and no others. */
export const obj =
  (required: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>> = {}): Shape =>
  (value, at) => {
    if (!isRecord(value)) return `${at}: an object is wanted`;
    const missing = Object.keys(required).find((name) => value[name] === undefined);
    if (missing) return `${at}.${missing}: field required`;
    return first(
      Object.entries(value).map(([name, field]) => () => {
        const shape = required[name] ?? optional[name];
        return shape ? shape(field, `${at}.${name}`) : `${at}.${name}: unknown field`;
      }),
    );
  };

/** An object whose shape is told by one of its fields. */
export const tagged =
  (tag: string, shapes: Readonly<Record<string, Shape>>): Shape =>
  (value, at) => {
    const name = isRecord(value) ? String(value[tag]) : "";
    const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
    return shape ? shape(value, at) : `${at}.${tag}: one of ${Object.keys(shapes).join(", ")} is wanted`;
  };

export const either =
  (...shapes: readonly Shape[]): Shape =>
  (value, at) => {
    const misfits = shapes.map((shape) => shape(value, at));
    return misfits.includes(undefined) ? undefined : misfits.at(-1);
  };

/** An object with exactly one of these fields, and perhaps some of the others. */
export const oneOf =
  (shapes: Readonly<Record<string, Shape>>, beside: Readonly<Record<string, Shape>> = {}): Shape =>
  (value, at) => {
    const misfit = obj({}, { ...shapes, ...beside })(value, at);
    if (misfit) return misfit;
    return Object.keys(value as object).filter((name) => name in shapes).length === 1
      ? undefined
      : `${at}: exactly one of ${Object.keys(shapes).join(", ")} is wanted`;
  };

function first(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const fault = check();
    if (fault) return fault;
  }
  return undefined;
}

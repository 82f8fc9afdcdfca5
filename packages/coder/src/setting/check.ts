import { fail, ok, plainText, type Result, shorten } from "@pith/kit";
import { type Key, type Spec, specOf, type Value } from "./schema.ts";
import { itemsIn } from "./spec.ts";

/** A value of the key's type, or what was expected and what was found. */
export function check<K extends Key>(key: K, value: unknown): Result<NonNullable<Value<K>>, "value"> {
  return fits(specOf(key), value)
    ? ok(value as NonNullable<Value<K>>)
    : fail("value", `expected ${expected(specOf(key))}, found ${show(value)}`);
}

/** The same for a value that a person typed as text. */
export function checkText<K extends Key>(key: K, text: string): Result<NonNullable<Value<K>>, "value"> {
  const spec = specOf(key);
  const { type } = spec;
  if (spec.type === "list") return check(key, itemsIn(spec, listIn(text)) ?? text);
  if (type === "number") return check(key, text.trim() === "" ? text : Number(text));
  return check(key, type === "switch" && (text === "true" || text === "false") ? text === "true" : text);
}

/** A list is typed as JSON, or as words with commas. */
function listIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * What a value of the right type that is not known here is taken for: a newer pith may know more words and wider
 * limits. Undefined when it is no such value.
 */
export function foreign(key: Key, value: unknown): { value: string | number | undefined } | undefined {
  const spec = specOf(key);
  if (spec.type === "choice")
    return typeof value === "string" && value !== "" ? { value: spec.safest ?? spec.default } : undefined;
  if (spec.type !== "number" || !Number.isInteger(value)) return undefined;
  return { value: Math.min(spec.max, Math.max(spec.min, value as number)) };
}

export function expected(spec: Spec): string {
  switch (spec.type) {
    case "text":
      return "text";
    case "number":
      return `a whole number from ${spec.min} to ${spec.max}`;
    case "switch":
      return "true or false";
    case "choice":
      return `one of ${spec.values.join(", ")}`;
    case "list":
      return `a list of ${spec.of}`;
  }
}

/** A value from a file as a person may see it: one short line, nothing a terminal would obey. */
export function show(value: unknown): string {
  if (value !== null && typeof value === "object") return Array.isArray(value) ? "a list" : "a group";
  const text = plainText(JSON.stringify(value) ?? String(value));
  return shorten(text, 60);
}

function fits(spec: Spec, value: unknown): boolean {
  switch (spec.type) {
    case "text":
      return typeof value === "string" && value !== "";
    case "number":
      return Number.isInteger(value) && (value as number) >= spec.min && (value as number) <= spec.max;
    case "switch":
      return typeof value === "boolean";
    case "choice":
      return typeof value === "string" && spec.values.includes(value);
    case "list":
      return Array.isArray(value) && value.every((item) => spec.wrong(item) === undefined);
  }
}

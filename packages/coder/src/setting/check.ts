import { fail, ok, plainText, type Result, shorten } from "@pith/kit";
import { itemsIn, type Spec } from "./spec.ts";

/** Checks a value; a failure says what was expected and what was found. */
export const checkValue = (spec: Spec, value: unknown): Result<unknown, "value"> =>
  fits(spec, value) ? ok(value) : fail("value", `expected ${expected(spec)}, found ${quoteValue(value)}`);

/** Checks a value that a person typed as text. */
export function checkTyped(spec: Spec, text: string): Result<unknown, "value"> {
  const { type } = spec;
  if (spec.type === "list") return checkValue(spec, itemsIn(spec, listIn(text)) ?? text);
  if (type === "number") return checkValue(spec, text.trim() === "" ? text : Number(text));
  return checkValue(spec, type === "switch" && (text === "true" || text === "false") ? text === "true" : text);
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
 * Returns the value to go on with for one of the right type that is not known here, because a newer pith may know more
 * words and wider limits; undefined when the type is wrong.
 */
export function closestValue(spec: Spec, value: unknown): { value: string | number | undefined } | undefined {
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

/** Quotes a value from a file for people: one short line without control characters. */
export function quoteValue(value: unknown): string {
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

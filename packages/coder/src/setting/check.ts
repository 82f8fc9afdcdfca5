import { fail, ok, plainText, type Result, shorten, tryOr } from "@pith/kit";
import { itemsIn, type Spec, type TextSpec } from "./spec.ts";

/** Checks a value; a failure says what was expected and what was found. */
export function checkValue(spec: Spec, value: unknown): Result<unknown, "value"> {
  const joined = spec.type === "text" ? joinedText(spec, value) : undefined;
  if (joined !== undefined) return ok(joined);
  return fits(spec, value) ? ok(value) : fail("value", `expected ${expected(spec)}, found ${quoteValue(value)}`);
}

/** Joins a list of texts or numbers; undefined for anything else. */
function joinedText({ between, items }: TextSpec, value: unknown): string | undefined {
  if (between === undefined) return undefined;
  const isItem = (item: unknown) =>
    items === "numbers" && Number.isInteger(item)
      ? true
      : typeof item === "string" && item.trim() !== "" && !item.includes("\n");
  if (Array.isArray(value)) return value.every(isItem) ? value.join(between) : undefined;
  return items === "numbers" && Number.isInteger(value) ? String(value) : undefined;
}

/** Checks a value that a person typed as text. */
export function checkTyped(spec: Spec, text: string): Result<unknown, "value"> {
  const { type } = spec;
  if (spec.type === "list")
    return checkValue(
      spec,
      itemsIn(
        spec,
        tryOr(() => JSON.parse(text), text),
      ) ?? text,
    );
  if (type === "number") return checkValue(spec, text.trim() === "" ? text : Number(text));
  return checkValue(spec, type === "switch" && (text === "true" || text === "false") ? text === "true" : text);
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

type Kinds = {
  [K in Spec["type"]]: {
    expected(spec: Spec & { type: K }): string;
    fits(spec: Spec & { type: K }, value: unknown): boolean;
  };
};

const kinds: Kinds = {
  text: {
    expected: ({ between, items }) => (between ? `text, or a list of ${items ?? "texts"}` : "text"),
    fits: (_, value) => typeof value === "string" && value !== "",
  },
  number: {
    expected: ({ min, max }) => `a whole number from ${min} to ${max}`,
    fits: ({ min, max }, value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
  },
  switch: { expected: () => "true or false", fits: (_, value) => typeof value === "boolean" },
  choice: {
    expected: ({ values }) => `one of ${values.join(", ")}`,
    fits: ({ values }, value) => typeof value === "string" && values.includes(value),
  },
  list: {
    expected: ({ of }) => `a list of ${of}`,
    fits: ({ wrong }, value) => Array.isArray(value) && value.every((item) => wrong(item) === undefined),
  },
};

/** Describes the values of a setting. */
export const expected = (spec: Spec): string => kinds[spec.type].expected(spec as never);

const fits = (spec: Spec, value: unknown): boolean => kinds[spec.type].fits(spec as never, value);

/** Quotes a value from a file for people: one short line without control characters. */
export function quoteValue(value: unknown): string {
  if (value !== null && typeof value === "object") return Array.isArray(value) ? "a list" : "a group";
  const text = plainText(JSON.stringify(value) ?? String(value));
  return shorten(text, 60);
}

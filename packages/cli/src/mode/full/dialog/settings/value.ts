import { type Key, type Settings, specOf } from "@pith/coder";
import { oneLine } from "@pith/tui";

/** A value as a list of settings shows it. */
export function worded(value: unknown): string {
  if (value === undefined) return "not set";
  const text = oneLine(written(value));
  return text === "" ? "(empty)" : text;
}

/** What is changed when it is changed here: of a list only what the user's own file adds to it. */
export function editable(settings: Settings, key: Key): string {
  if (specOf(key).type !== "list") return written(settings.get(key) ?? "");
  const own = settings.lists(key as Parameters<Settings["lists"]>[0]).filter(({ origin }) => origin.layer === "global");
  return written(own.flatMap(({ items }): readonly unknown[] => items));
}

/** As `checkText` reads it: a list is words with commas, or JSON where its items are no words. */
const written = (value: unknown): string =>
  !Array.isArray(value)
    ? String(value)
    : value.every((item) => typeof item === "string" && !item.includes(","))
      ? value.join(", ")
      : JSON.stringify(value);

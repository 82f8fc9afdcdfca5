import { isRecord, plainText } from "@pith/kit";

/** Type of a value in a file that people write: a test, and words for messages. */
export interface Field<T> {
  words: string;
  /** The field takes one of some words. An unknown word may be of a newer pith, so it only warns. */
  named?: true;
  fits(value: unknown): value is T;
}

export const field = <T>(words: string, fits: (value: unknown) => boolean): Field<T> => ({
  words,
  fits: fits as Field<T>["fits"],
});

export const anyText = field<string>("text", (value) => typeof value === "string");
export const filledText = (words = "text") =>
  field<string>(words, (value) => typeof value === "string" && value !== "");
export const toggle = field<boolean>("true or false", (value) => typeof value === "boolean");
export const anyNumber = field<number>("a number", Number.isFinite);
export const price = field<number>(
  "dollars per million tokens",
  (value) => Number.isFinite(value) && Number(value) >= 0,
);
export const wholeNumber = (words: string, least: number, most = Number.MAX_SAFE_INTEGER) =>
  field<number>(words, (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most);
export const choice = <const T extends string>(of: readonly T[]): Field<T> => ({
  ...field<T>(`one of ${of.join(", ")}`, (value) => of.includes(value as T)),
  named: true,
});
export const choices = <const T extends string>(of: readonly T[]) =>
  field<T[]>(`a list out of ${of.join(", ")}`, (value) => Array.isArray(value) && value.every((it) => of.includes(it)));
export const group = (words = "a group") => field<Record<string, unknown>>(words, isRecord);
export const texts = (words: string) =>
  field<Record<string, string>>(words, (value) => isRecord(value) && Object.values(value).every(anyText.fits));
export const anyOf = <A, B>(a: Field<A>, b: Field<B>) =>
  field<A | B>(`${a.words} or ${b.words}`, (value) => a.fits(value) || b.fits(value));

/** A value as messages show it. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return isRecord(value) ? "a group" : plainText(JSON.stringify(value) ?? String(value)).slice(0, 60);
}

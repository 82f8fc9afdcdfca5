import { cleanText } from "@pith/kit";

/** Characters of a title; a list shows it on one line. */
const most = 80;
/** Limits for a title made of a prompt. */
const words = { count: 8, length: 60 };

/** Cleans a title for any terminal: one short line without control or invisible characters. */
export function cleanTitle(text: string): string | undefined {
  const line = cleanText(text.slice(0, most * 20))
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/[\p{Cf}\p{Co}\p{Cn}\uFFFD]/gu, "")
    .trim()
    .replace(/^(["'“”„«»`*]+)(.*?)["'“”«»`*]+$/u, "$2")
    .replace(/(?<=\p{L})\.$/u, "")
    .trim();
  const title = cut(line, most);
  return /[\p{L}\p{N}\p{S}]/u.test(title) ? title : undefined;
}

/** Makes a title of the first words of a prompt. */
export function firstWords(text: string): string | undefined {
  const line = cleanTitle(text.trim().split("\n", 1)[0] ?? "");
  if (line === undefined) return undefined;
  const all = line.split(" ");
  const short = cut(all.slice(0, words.count).join(" "), words.length);
  return short.length < line.length && !short.endsWith("…") ? `${short}…` : short;
}

/** Cuts a text between characters as people count them. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)) {
    if (kept.length + segment.length > length - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

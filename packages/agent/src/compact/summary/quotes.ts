import { sumOf } from "@pith/kit";
import { quotesHeading } from "../../session/compaction/quotes.ts";
import type { Entry } from "../../session/entry.ts";
import { textOf } from "../../session/text.ts";
import { beginsTurn, type MeasuredEntry } from "../cut.ts";
import { addressOf, resultOf } from "../stub.ts";
import { headAndTail } from "./serialize.ts";

/** A part of a summary that is quoted literally. */
export interface KeptText {
  title: string;
  text: string;
}

/** The user's words, carried from one compaction to the next. */
export interface UserQuotes {
  first?: string | undefined;
  /** Later words, oldest first. */
  said: readonly string[];
}

/** Characters of a quote and of an error, and number of errors. */
const most = { said: 2000, error: 300, errors: 3 };
const least = 200;

/** Collects the user's words in what is summed up, after those carried so far. */
export function collectQuotes(summedUp: readonly MeasuredEntry[], before: UserQuotes): UserQuotes {
  const said = summedUp.flatMap(({ entry, messages }) =>
    messages.length > 0 && isSaid(entry) ? [cutTo(textOf(entry.message.content), entry.id)] : [],
  );
  const fresh = said.filter((text) => text !== "");
  const first = before.first ?? fresh[0];
  return { first, said: [...before.said, ...(before.first === undefined ? fresh.slice(1) : fresh)] };
}

/** Quotes carried by a compaction of ours; none if it is another program's or malformed. */
export function quotesIn(entry: Entry | undefined): UserQuotes {
  const details =
    entry?.type === "compaction" ? (entry.details as { kept?: Partial<UserQuotes> } | null | undefined) : null;
  const { first, said } = details?.kept ?? {};
  return {
    first: typeof first === "string" ? first : undefined,
    said: Array.isArray(said) ? said.filter((text) => typeof text === "string") : [],
  };
}

/** The last errors in what is summed up. */
export function lastErrors(summedUp: readonly MeasuredEntry[]): KeptText[] {
  const failed = summedUp.flatMap((item) => {
    const result = resultOf(item);
    return result?.isError ? [`- ${result.toolName}: ${headAndTail(textOf(result.content), most.error)}`] : [];
  });
  return failed.length === 0 ? [] : [{ title: "Last errors", text: failed.slice(-most.errors).join("\n") }];
}

/**
 * The literal part of a summary: the first request, what parts keep, later words (the newest that fit), errors. Each
 * has a share, so that a long one does not displace the others. Returns what was carried.
 */
export function keptText(
  { first, said }: UserQuotes,
  parts: readonly KeptText[],
  errors: readonly KeptText[],
  budget: number,
  tokens: (text: string) => number,
): { text: string; carried: UserQuotes } {
  const request = first === undefined ? [] : [{ title: "First request", text: first }];
  const shares: KeptText[] = [...request, ...parts, ...errors];
  const later = newest(said, Math.max(budget * 0.3, budget - sum(shares, tokens)), tokens);
  const dropped = said.length - later.length;
  const gone = dropped === 0 ? [] : [`(${dropped} more: history://session?q=words)`];
  const words: KeptText[] =
    later.length === 0 ? [] : [{ title: "Later words of the user", text: [...gone, ...later.map(row)].join("\n") }];
  const all = fitted([...shares, ...words], budget, tokens);
  const sections = all.map(({ title, text }) => `### ${title}\n${text.replace(headings, " $&")}`);
  const text = all.length === 0 ? "" : [quotesHeading, ...sections].join("\n\n");
  return { text, carried: { first, said: later } };
}

/** Headings in quotes, which must not begin a part of the summary. */
const headings = new RegExp(`^${quotesHeading}$`, "gm");

const row = (text: string): string => `- ${text.replaceAll("\n", "\n  ")}`;

const sum = (all: readonly KeptText[], tokens: (text: string) => number): number =>
  sumOf(all, ({ text, title }) => tokens(text) + tokens(title) + 4);

function newest(said: readonly string[], budget: number, tokens: (text: string) => number): string[] {
  const kept: string[] = [];
  let used = 0;
  for (const text of said.toReversed()) {
    used += tokens(text) + 2;
    if (used > budget) break;
    kept.unshift(text);
  }
  return kept;
}

/** Shortens the longest texts until all fit. */
function fitted(all: readonly KeptText[], budget: number, tokens: (text: string) => number): KeptText[] {
  const sizes = all.map((kept) => ({ kept, size: sum([kept], tokens) }));
  let left = budget;
  let open = sizes.length;
  const shares = new Map<KeptText, number>();
  for (const { kept, size } of sizes.toSorted((one, other) => one.size - other.size)) {
    const share = Math.min(size, left / open);
    shares.set(kept, share / Math.max(1, size));
    left -= share;
    open--;
  }
  return all.flatMap((kept, at) => {
    const part = shares.get(kept) ?? 0;
    if (part >= 1) return [kept];
    // The first request stays even in the smallest window.
    const length = Math.max(at === 0 ? least : 0, Math.floor(kept.text.length * part * 0.9));
    return length < 40 ? [] : [{ ...kept, text: headAndTail(kept.text, length) }];
  });
}

type Said = Extract<Entry, { type: "message" }>;
const isSaid = (entry: Entry): entry is Said =>
  entry.type === "message" && entry.message.role === "user" && beginsTurn(entry);

function cutTo(text: string, id: string): string {
  const said = text.trim();
  if (said.length <= most.said) return said;
  return `${said.slice(0, most.said).toWellFormed()}… (${said.length - most.said} more characters: ${addressOf(id)})`;
}

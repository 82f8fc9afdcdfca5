import { isRecord, recordOf } from "@pith/kit";
import type { Entry } from "../../session/entry.ts";
import { textOf } from "../../session/text.ts";
import { namesIn, type SaidRecord } from "./names.ts";

/** Characters of earlier entries in which a name is looked for. */
const mostRead = 64e6;

interface Sources {
  /** Further words that were said. */
  more?: readonly string[];
  /** Entries before these, the newest first; read only where a name is not in these. */
  earlier?: () => Iterable<Entry>;
}

interface Said extends SaidRecord {
  /** Names that an earlier summary marked, and that nobody but the model has said since. */
  doubted: ReadonlySet<string>;
}

/**
 * Gathers what people, models and tools said in entries. What an earlier summary made of it is none of it, so that a
 * name that a summary invented never becomes true by being repeated, until somebody else than the model says it.
 */
export function saidIn(entries: readonly Entry[], { more = [], earlier = () => [] }: Sources = {}): Said {
  const text = [...more, ...entries.flatMap(wordsIn)].join("\n");
  const marked = new Set(entries.flatMap(doubtsIn));
  const heard = marked.size > 0 ? [...more, ...entries.filter(isHeard).flatMap(wordsIn)].join("\n") : "";
  const doubted = new Set([...marked].filter((name) => !heard.includes(name)));
  return {
    text,
    doubted,
    lacks(names) {
      // Kept apart, so that a wrong name is not taken for a slip of one of pith's own words.
      const told = entries.flatMap(promptIn).join("\n");
      const isSaid = (name: string) => text.includes(name) || told.includes(name);
      const unsaid = new Set([...names].filter((name) => !doubted.has(name) && !isSaid(name)));
      return names.intersection(doubted).union(unsaidBefore(unsaid, earlier));
    },
  };
}

function unsaidBefore(names: ReadonlySet<string>, earlier: () => Iterable<Entry>): ReadonlySet<string> {
  const sought = new Set(names);
  let read = 0;
  for (const entry of sought.size > 0 ? earlier() : []) {
    for (const words of wordsIn(entry)) {
      read += words.length;
      for (const name of sought) if (words.includes(name)) sought.delete(name);
    }
    if (sought.size === 0 || read > mostRead) break;
  }
  return sought;
}

function wordsIn(entry: Entry): string[] {
  if (entry.type === "message") return isReading(entry) ? [] : stringsIn(entry.message);
  // Its own entries are elsewhere: names that were found in them when it was written.
  if (entry.type === "branch_summary") return entry.fromExtension ? [] : [...namesIn(entry.summary).names];
  if (entry.type === "custom_message" && entry.customType === "handoff")
    return [...namesIn(textOf(entry.content)).names];
  if (entry.type === "custom_message") return stringsIn(entry.content);
  return entry.type === "custom" && !retold.has(entry.customType) ? stringsIn(entry.data) : [];
}

/** Entries that repeat what models made of the conversation, or hold our own words. */
const retold: ReadonlySet<string> = new Set(["pith.memory", "pith.packet", "pith.prompt", "pith.spent"]);

/** True for what a tool read of the record, where earlier summaries stand too. */
const isReading = (entry: Entry & { type: "message" }): boolean =>
  entry.message.role === "toolResult" && /^\[history:\/\//.test(textOf(entry.message.content));

/** The rules and the files of the project that the model was told with the system prompt. */
const promptIn = (entry: Entry): string[] =>
  entry.type === "custom" && entry.customType === "pith.prompt" ? stringsIn(recordOf(entry.data).system) : [];

/** Names that a summary has marked. */
function doubtsIn(entry: Entry): string[] {
  if (entry.type === "custom_message" && entry.customType === "handoff")
    return [...namesIn(textOf(entry.content)).marked];
  if (entry.type !== "compaction" && entry.type !== "branch_summary") return [];
  const listed = recordOf(entry.details).corrected;
  const names = (Array.isArray(listed) ? listed : []).map((one) => recordOf(one).from);
  return [...namesIn(entry.summary).marked, ...names.filter((name) => typeof name === "string")];
}

/** True for what somebody else than the model said: a person, or a tool that did what it was asked. */
const isHeard = (entry: Entry): boolean =>
  entry.type === "message" &&
  (entry.message.role === "user" || (entry.message.role === "toolResult" && !entry.message.isError));

/** All strings in a value, its keys left out. */
function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return isRecord(value) ? Object.values(value).flatMap(stringsIn) : [];
}

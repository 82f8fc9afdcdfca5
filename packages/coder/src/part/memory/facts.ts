import { plural, shorten } from "@pith/kit";

/** What a session has come to know, beside the words of its conversation. */
export interface Memory {
  /** What was asked for first. */
  task: string;
  read: readonly string[];
  written: readonly string[];
  /** Calls that failed and have not worked since. */
  errors: readonly Failed[];
  /** Functions and types that were found by their structure. */
  explored: readonly string[];
  /** Decisions and promises, as the last summary tells them. */
  decided: readonly string[];
  /** What was tried and did not work, as the last summary tells it. */
  tried: readonly string[];
  /** What a person wrote down. */
  notes: readonly string[];
  /** What a person took out: it does not come back by itself. */
  dropped: readonly string[];
}

interface Failed {
  /** The tool and what it was called for. */
  call: string;
  why: string;
}

export const noMemory: Memory = {
  task: "",
  read: [],
  written: [],
  errors: [],
  explored: [],
  decided: [],
  tried: [],
  notes: [],
  dropped: [],
};

/** How much of each is remembered: the newest. */
const most = 40;
export const newest = <T>(list: readonly T[]): T[] => list.slice(-most);

/** What an entry holds; of a stranger's, or of a later version's, what can be used. */
export function memoryIn(data: unknown): Memory {
  const kept = (typeof data === "object" && data !== null ? data : {}) as Partial<Record<keyof Memory, unknown>>;
  const texts = (value: unknown) =>
    newest(Array.isArray(value) ? value.filter((text) => typeof text === "string") : []);
  const errors = Array.isArray(kept.errors) ? kept.errors : [];
  return {
    task: typeof kept.task === "string" ? kept.task : "",
    read: texts(kept.read),
    written: texts(kept.written),
    errors: newest(errors.filter((one) => typeof one?.call === "string" && typeof one.why === "string")),
    explored: texts(kept.explored),
    decided: texts(kept.decided),
    tried: texts(kept.tried),
    notes: texts(kept.notes),
    dropped: texts(kept.dropped),
  };
}

const preview = 120;

/** How it is told to a model; nothing where nothing is known. */
export function memoryText(memory: Memory): string {
  const { task, read, written, errors, explored, decided, tried, notes } = memory;
  const short = shorten(task, preview + 1);
  const parts = [
    task === "" ? "" : `## Task Reference\n${short}`,
    list("Files written", written),
    list("Files read", read),
    list(
      "Calls that failed and have not worked since",
      errors.map(({ call, why }) => `${call}: ${why}`),
    ),
    list("Functions explored", explored),
    list("Decisions and promises", decided),
    list("Tried, and did not work", tried),
    list("Notes of the user", notes),
  ].filter(Boolean);
  return parts.length === 0 ? "" : `<session_memory>\n${parts.join("\n\n")}\n</session_memory>`;
}

/** `2 files read, 1 file written, 1 error`. */
export function countsOf({ read, written, errors, explored, decided, notes }: Memory): string {
  return [
    plural(read.length, "file read", "files read"),
    plural(written.length, "file written", "files written"),
    plural(errors.length, "error"),
    plural(explored.length, "function explored", "functions explored"),
    plural(decided.length, "decision"),
    plural(notes.length, "note"),
  ]
    .filter((count) => !count.startsWith("0 "))
    .join(", ");
}

/** All of it, each as one short text: first what failed, then what a person wrote down; the newest of a kind first. */
export function memoryRows({ read, written, errors, explored, decided, notes }: Memory): string[] {
  const rows = (what: string, texts: readonly string[]) => texts.toReversed().map((text) => `${what} ${text}`);
  return [
    ...rows(
      "failed:",
      errors.map(({ call, why }) => `${call}: ${why}`),
    ),
    ...rows("note:", notes),
    ...rows("wrote", written),
    ...rows("read", read),
    ...rows("explored", explored),
    ...rows("decided:", decided),
  ].map((text) => (text.length > shortRow ? `${text.slice(0, shortRow - 1).toWellFormed()}…` : text));
}

const shortRow = 90;

const list = (title: string, rows: readonly string[]): string =>
  rows.length === 0 ? "" : `## ${title}\n${rows.map((row) => `- ${row}`).join("\n")}`;

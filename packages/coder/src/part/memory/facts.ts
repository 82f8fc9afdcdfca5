import { plural, recordOf, shorten } from "@pith/kit";

/** Facts of a session, gathered by rule from its entries. */
export interface Memory {
  /** The first input. */
  task: string;
  read: readonly string[];
  written: readonly string[];
  /** Calls that failed and have not succeeded since: the tool with what it was called for, and the reason. */
  errors: readonly { call: string; why: string }[];
  /** Functions and types that tools for structure have found. */
  explored: readonly string[];
  /** Decisions and promises in the last summary. */
  decided: readonly string[];
  /** Failed approaches in the last summary. */
  tried: readonly string[];
  /** Notes of a person. */
  notes: readonly string[];
  /** Facts that a person has removed; they are not gathered again. */
  dropped: readonly string[];
}

/** Keeps as many facts of a group as are remembered. */
export const newest = <T>(list: readonly T[]): T[] => list.slice(-40);

/** Reads a memory from an entry, and leaves out what is not valid. */
export function memoryIn(data: unknown): Memory {
  const { task, errors, ...fields } = recordOf(data);
  const list = (value: unknown): unknown[] => newest(Array.isArray(value) ? value : []);
  const texts = (name: string) => list(fields[name]).filter((text) => typeof text === "string");
  const isError = (value: unknown): value is Memory["errors"][number] =>
    typeof recordOf(value).call === "string" && typeof recordOf(value).why === "string";
  return {
    task: typeof task === "string" ? task : "",
    read: texts("read"),
    written: texts("written"),
    errors: list(errors).filter(isError),
    explored: texts("explored"),
    decided: texts("decided"),
    tried: texts("tried"),
    notes: texts("notes"),
    dropped: texts("dropped"),
  };
}

export const noMemory: Memory = memoryIn(undefined);

const preview = 120;

/** The memory as text for a model; empty if there is nothing. */
export function memoryText(memory: Memory): string {
  const { task, read, written, errors, explored, decided, tried, notes } = memory;
  const failed = errors.map(({ call, why }) => `${call}: ${why}`);
  const parts = [
    task === "" ? "" : `## Task Reference\n${shorten(task, preview + 1)}`,
    list("Files written", written),
    list("Files read", read),
    list("Calls that failed and have not worked since", failed),
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

/** Every fact as a short text, most important first: failed calls, then notes; in each group the newest first. */
export function memoryRows({ read, written, errors, explored, decided, notes }: Memory): string[] {
  const rows = (what: string, texts: readonly string[]) => texts.toReversed().map((text) => `${what} ${text}`);
  const failed = errors.map(({ call, why }) => `${call}: ${why}`);
  return [
    ...rows("failed:", failed),
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

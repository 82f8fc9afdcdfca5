import { fail, ok, type Result } from "@pith/kit";
import { countsOf, type Memory, newest } from "./facts.ts";
import { line } from "./gather.ts";

const titles = {
  task: "task",
  written: "file written",
  read: "file read",
  errors: "error",
  explored: "explored",
  decided: "decided",
  tried: "did not work",
  notes: "note",
} as const;
type Group = keyof typeof titles;

/** A fact as a person sees it. */
interface Fact {
  group: Group;
  /** Identifies the fact in its group. */
  key: string;
  text: string;
}

const groups = Object.keys(titles) as Group[];

const factsIn = (memory: Memory): Fact[] =>
  groups.flatMap((group): Fact[] => {
    if (group === "errors")
      return memory.errors.map(({ call, why }) => ({ group, key: call, text: `${call}: ${why}` }));
    const texts = group === "task" ? [memory.task].filter(Boolean) : memory[group];
    return texts.map((text) => ({ group, key: text, text }));
  });

/** Numbered facts below a line that counts them. */
export function listMemory(memory: Memory): string {
  const rows = factsIn(memory);
  if (rows.length === 0) return "Nothing is remembered yet.";
  return [countsOf(memory), ...rows.map(({ group, text }, at) => `${at + 1}. ${titles[group]}: ${line(text)}`)]
    .filter(Boolean)
    .join("\n");
}

/** The memory after an edit; undefined if the words are no valid edit. */
export function editMemory(memory: Memory, words: string): Result<Memory, "missing"> | undefined {
  const [, verb, rest = ""] = /^(\w+)(?:\s+([\s\S]+))?$/.exec(words) ?? [];
  if (verb === "add" && rest !== "") return ok(withNote(memory, rest));
  const [, number = "", text = ""] = /^(\d{1,4})(?:\s+([\s\S]+))?$/.exec(rest) ?? [];
  const whole = verb === "rm" || verb === "edit";
  if (!whole || number === "" || (verb === "edit") === (text === "")) return undefined;
  const row = factsIn(memory)[Number(number) - 1];
  if (!row) return fail("missing", `There is no ${number}; /memory shows what there is.`);
  if (row.group === "task") return ok({ ...memory, task: text });
  const without = dropped(memory, row);
  return ok(verb === "rm" ? without : withNote(without, text));
}

const withNote = (memory: Memory, text: string): Memory => ({
  ...memory,
  notes: newest([...memory.notes.filter((note) => note !== line(text)), line(text)]),
});

/** Removes a fact for good; a note may be written again. */
function dropped(memory: Memory, { group, key }: Fact): Memory {
  const kept =
    group === "errors"
      ? { errors: memory.errors.filter(({ call }) => call !== key) }
      : { [group]: (memory[group] as readonly string[]).filter((text) => text !== key) };
  return { ...memory, ...kept, ...(group === "notes" ? {} : { dropped: newest([...memory.dropped, key]) }) };
}

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

/** One thing that is remembered, as a person sees it. */
interface Row {
  group: Group;
  /** What it is dropped by. */
  key: string;
  text: string;
}

function rowsOf(memory: Memory): Row[] {
  const plain = (group: "written" | "read" | "explored" | "decided" | "tried" | "notes") =>
    memory[group].map((text): Row => ({ group, key: text, text }));
  return [
    ...(memory.task === "" ? [] : [{ group: "task" as const, key: memory.task, text: memory.task }]),
    ...plain("written"),
    ...plain("read"),
    ...memory.errors.map(({ call, why }): Row => ({ group: "errors", key: call, text: `${call}: ${why}` })),
    ...plain("explored"),
    ...plain("decided"),
    ...plain("tried"),
    ...plain("notes"),
  ];
}

/** What is remembered, by number, below one line that counts it. */
export function shownMemory(memory: Memory): string {
  const rows = rowsOf(memory);
  if (rows.length === 0) return "Nothing is remembered yet.";
  return [countsOf(memory), ...rows.map(({ group, text }, at) => `${at + 1}. ${titles[group]}: ${line(text)}`)]
    .filter(Boolean)
    .join("\n");
}

/** The memory as a person wants it; undefined where nobody could tell what they want. */
export function editedMemory(memory: Memory, words: string): Result<Memory, "missing"> | undefined {
  const [, verb, rest = ""] = /^(\w+)(?:\s+([\s\S]+))?$/.exec(words) ?? [];
  if (verb === "add" && rest !== "") return ok(withNote(memory, rest));
  const [, number = "", text = ""] = /^(\d{1,4})(?:\s+([\s\S]+))?$/.exec(rest) ?? [];
  const whole = verb === "rm" || verb === "edit";
  if (!whole || number === "" || (verb === "edit") === (text === "")) return undefined;
  const row = rowsOf(memory)[Number(number) - 1];
  if (!row) return fail("missing", `There is no ${number}; /memory shows what there is.`);
  if (row.group === "task") return ok({ ...memory, task: text });
  const without = dropped(memory, row);
  return ok(verb === "rm" ? without : withNote(without, text));
}

const withNote = (memory: Memory, text: string): Memory => ({
  ...memory,
  notes: newest([...memory.notes.filter((note) => note !== line(text)), line(text)]),
});

/** It does not come back by itself, whatever is read or fails again. */
function dropped(memory: Memory, { group, key }: Row): Memory {
  const kept =
    group === "errors"
      ? { errors: memory.errors.filter(({ call }) => call !== key) }
      : { [group]: (memory[group] as readonly string[]).filter((text) => text !== key) };
  return { ...memory, ...kept, ...(group === "notes" ? {} : { dropped: newest([...memory.dropped, key]) }) };
}

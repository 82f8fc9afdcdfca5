import { fill } from "@pith/kit";
import prose from "./packet.md" with { type: "text" };

/** Where a model stands between two steps. */
export interface Standing {
  state: "need_tools" | "need_fixes";
  iteration: number;
  /** How many there may be, where somebody said so. */
  most: number | undefined;
  filesChanged: number;
  note: string;
}

export interface Told extends Standing {
  task: string;
  /** What the session has come to know and was not told yet, from what matters most. */
  memory: readonly string[];
  /** What the model says when it is done. */
  word: string;
}

/** Bytes of a packet, all in all; characters of a task; bytes of a note. */
const longest = { packet: 499, task: 120, note: 130 };

/**
 * The one builder of what a model is told between two steps. What does not fit is left out: first of the memory, then
 * of the task.
 */
export function packetText({ task, memory, word, ...standing }: Told): { text: string; told: number } {
  const control = controlOf({ ...standing, note: cut(standing.note, longest.note) });
  const made = (shown: string, known: string) => fill(prose, { control, word, task: shown, memory: known }).trim();
  const room = (text: string) => longest.packet - bytes(text);
  const preview = task.length > longest.task ? `${task.slice(0, longest.task - 1).toWellFormed()}…` : task;
  const shown = cut(preview, room(made("", "")));
  let told = memory.length;
  let known = "";
  for (; told > 0; told--) {
    known = `<session_memory>${memory.slice(0, told).join("; ")}</session_memory>\n`;
    if (bytes(known) <= room(made(shown, ""))) break;
  }
  return { text: made(shown, told > 0 ? known : ""), told };
}

function controlOf({ state, iteration, most, filesChanged, note }: Standing): string {
  const limits = most === undefined ? {} : { maxIterations: most, remainingIterations: Math.max(0, most - iteration) };
  return JSON.stringify({ state, iteration, ...limits, filesChanged, note });
}

const bytes = (text: string): number => Buffer.byteLength(text);

/** As many characters as fit; the last says that some are missing. */
function cut(text: string, most: number): string {
  if (bytes(text) <= most) return text;
  let end = text.length;
  while (end > 0 && bytes(text.slice(0, end)) > most - 3) end--;
  return end === 0 ? "" : `${text.slice(0, end).toWellFormed()}…`;
}

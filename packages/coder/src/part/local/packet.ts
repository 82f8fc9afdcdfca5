import { fill } from "@pith/kit";
import prose from "./packet.md" with { type: "text" };

/** The state of a turn between two steps. */
interface TurnState {
  state: "need_tools" | "need_fixes";
  iteration: number;
  /** The limit of steps, if there is one. */
  most: number | undefined;
  filesChanged: number;
  note: string;
}

interface PacketContent extends TurnState {
  task: string;
  /** Facts of the memory that are new to the model, most important first. */
  memory: readonly string[];
  /** The word that the model writes when it is done. */
  word: string;
}

/** The most bytes of a packet, characters of a task, and bytes of a note. */
const longest = { packet: 499, task: 120, note: 130 };

/**
 * Builds the packet that a model gets between two steps. Facts that do not fit are left out first, then the end of the
 * task; `told` counts the facts that did fit.
 */
export function packetText({ task, memory, word, ...state }: PacketContent): { text: string; told: number } {
  const control = controlOf({ ...state, note: cut(state.note, longest.note) });
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

function controlOf({ state, iteration, most, filesChanged, note }: TurnState): string {
  const limits = most === undefined ? {} : { maxIterations: most, remainingIterations: Math.max(0, most - iteration) };
  return JSON.stringify({ state, iteration, ...limits, filesChanged, note });
}

const bytes = (text: string): number => Buffer.byteLength(text);

/** Cuts a text to a number of bytes, with `…` at the end. */
function cut(text: string, most: number): string {
  if (bytes(text) <= most) return text;
  let end = text.length;
  while (end > 0 && bytes(text.slice(0, end)) > most - 3) end--;
  return end === 0 ? "" : `${text.slice(0, end).toWellFormed()}…`;
}

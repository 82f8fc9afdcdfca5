import { type Entry, type TurnView, textOf } from "@pith/agent";
import { fill } from "@pith/kit";
import type { Hall } from "../../hall/hall.ts";
import { asksForFixes } from "../../session/fixes.ts";
import { manyCalls } from "./guards.ts";
import fixes from "./note-fixes.md" with { type: "text" };
import many from "./note-many.md" with { type: "text" };
import nudge from "./note-nudge.md" with { type: "text" };
import repeats from "./note-repeats.md" with { type: "text" };
import results from "./note-results.md" with { type: "text" };
import words from "./note-words.md" with { type: "text" };
import write from "./note-write.md" with { type: "text" };
import { doneWord, type Nudge, nudgeIn } from "./nudge.ts";
import { packetText } from "./packet.ts";

export type PacketNeeds = "channel" | "choice" | "ledgers" | "memory" | "settings" | "tree";

const notes: Readonly<Record<Nudge, string>> = { nudge, write, words };

type SessionMemory = Awaited<ReturnType<Hall["memory"]>>;

/** Writes the packet of a step. */
export class PacketWriter {
  readonly #hall: Pick<Hall, PacketNeeds>;
  readonly #memory: SessionMemory;
  /** Facts that were told since the last compaction. */
  #told: { since: string | undefined; rows: ReadonlySet<string> } = { since: undefined, rows: new Set() };

  constructor(hall: Pick<Hall, PacketNeeds>, memory: SessionMemory) {
    this.#hall = hall;
    this.#memory = memory;
  }

  /** Writes the packet where one is due; `input` is the entry that began the turn. */
  write(turn: TurnView, input: string | null): void {
    const entries = this.#sinceReply();
    const nudged = entries.map(nudgeIn).find((kind) => kind !== undefined);
    const isWritten = entries.some((entry) => entry.type === "custom_message" && entry.customType === type);
    const isWanted = nudged !== undefined || this.#hall.settings.get("local.packets");
    // A retry finds the packet; an answer that was cut off goes on where it ended.
    if (isWanted && !isWritten && turn.reply?.stopReason !== "length")
      this.#record(turn, this.#task(input), entries, nudged);
  }

  #record(turn: TurnView, task: string, entries: readonly Entry[], nudged: Nudge | undefined): void {
    const { channel, choice, ledgers, settings } = this.#hall;
    const ledger = ledgers.of(turn);
    const wrong = entries.some(asksForFixes);
    const memory = this.#news();
    const { text, told } = packetText({
      state: wrong ? "need_fixes" : "need_tools",
      iteration: turn.step,
      most: choice.wanted.maxSteps ?? settings.get("turns.max"),
      filesChanged: new Set(ledger.rows.flatMap(({ wrote, failed }) => (failed ? [] : wrote))).size,
      note: (nudged ? notes[nudged] : wrong ? fixes : noteOn(ledger.last)).trim(),
      task,
      memory,
      word: settings.get("local.completion") ? doneWord : "a last word",
    });
    this.#told = { ...this.#told, rows: new Set([...this.#told.rows, ...memory.slice(0, told)]) };
    channel.record({ type: "custom_message", customType: type, content: text, display: false });
  }

  /** New facts, with a line that counts all. */
  #news(): string[] {
    const since = this.#hall.tree.last("compaction")?.id;
    if (since !== this.#told.since) this.#told = { since, rows: new Set() };
    const rows = this.#memory.rows.filter((row) => !this.#told.rows.has(row));
    return rows.length === 0 ? [] : [this.#memory.counts, ...rows];
  }

  /** The entries since the last reply. */
  #sinceReply(): Entry[] {
    const entries: Entry[] = [];
    for (const entry of this.#hall.tree.back()) {
      if (entry.type === "message" && entry.message.role !== "toolResult") break;
      entries.push(entry);
    }
    return entries;
  }

  /** The input that began the turn, as one line. */
  #task(input: string | null): string {
    for (const entry of this.#hall.tree.back(input))
      if (entry.type === "message" && entry.message.role === "user")
        return textOf(entry.message.content).replace(/\s+/g, " ").trim();
    return "";
  }
}

const type = "pith.packet";

function noteOn(calls: readonly { repeat: boolean }[]): string {
  if (calls.length > 0 && calls.every(({ repeat }) => repeat)) return repeats;
  return calls.length > manyCalls ? fill(many, { count: calls.length }) : results;
}

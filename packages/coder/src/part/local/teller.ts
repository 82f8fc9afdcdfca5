import { type Entry, type TurnView, textOf } from "@pith/agent";
import { fill } from "@pith/kit";
import type { Hall } from "../../hall/hall.ts";
import { asksForFixes } from "../../session/fixes.ts";
import { manyCalls } from "./crowds.ts";
import fixes from "./note-fixes.md" with { type: "text" };
import many from "./note-many.md" with { type: "text" };
import nudge from "./note-nudge.md" with { type: "text" };
import repeats from "./note-repeats.md" with { type: "text" };
import results from "./note-results.md" with { type: "text" };
import words from "./note-words.md" with { type: "text" };
import write from "./note-write.md" with { type: "text" };
import { type Nudge, nudgeIn } from "./nudge.ts";
import { packetText } from "./packet.ts";
import { word } from "./word.ts";

export type TellerNeeds = "channel" | "choice" | "ledgers" | "memory" | "settings" | "tree";

const notes: Readonly<Record<Nudge, string>> = { nudge, write, words };

type SessionMemory = Awaited<ReturnType<Hall["memory"]>>;

/** Tells a model where it stands. */
export class Teller {
  readonly #hall: Pick<Hall, TellerNeeds>;
  readonly #memory: SessionMemory;
  /** What was told of the memory since the last compaction. */
  #told: { since: string | undefined; rows: ReadonlySet<string> } = { since: undefined, rows: new Set() };

  constructor(hall: Pick<Hall, TellerNeeds>, memory: SessionMemory) {
    this.#hall = hall;
    this.#memory = memory;
  }

  /** `input` is the entry that the turn was begun with. */
  tell(turn: TurnView, input: string | null): void {
    const said = this.#since();
    const nudged = said.map(nudgeIn).find((kind) => kind !== undefined);
    const packed = said.some((entry) => entry.type === "custom_message" && entry.customType === type);
    const isWanted = nudged !== undefined || this.#hall.settings.get("local.packets");
    // A retry finds the packet there; who was cut goes on with the next word.
    if (isWanted && !packed && turn.reply?.stopReason !== "length") this.#tell(turn, this.#task(input), said, nudged);
  }

  #tell(turn: TurnView, task: string, said: readonly Entry[], nudged: Nudge | undefined): void {
    const { channel, choice, ledgers, settings } = this.#hall;
    const ledger = ledgers.of(turn);
    const wrong = said.some(asksForFixes);
    const memory = this.#news();
    const { text, told } = packetText({
      state: wrong ? "need_fixes" : "need_tools",
      iteration: turn.step,
      most: choice.wanted.maxSteps ?? settings.get("turns.max"),
      filesChanged: new Set(ledger.rows.flatMap(({ wrote, failed }) => (failed ? [] : wrote))).size,
      note: (nudged ? notes[nudged] : wrong ? fixes : noteOn(ledger.last)).trim(),
      task,
      memory,
      word: settings.get("local.completion") ? word : "a last word",
    });
    this.#told = { ...this.#told, rows: new Set([...this.#told.rows, ...memory.slice(0, told)]) };
    channel.record({ type: "custom_message", customType: type, content: text, display: false });
  }

  /** What the memory holds and was not told; behind a line that counts it. */
  #news(): string[] {
    const since = this.#hall.tree.last("compaction")?.id;
    if (since !== this.#told.since) this.#told = { since, rows: new Set() };
    const rows = this.#memory.rows.filter((row) => !this.#told.rows.has(row));
    return rows.length === 0 ? [] : [this.#memory.counts, ...rows];
  }

  /** What was said since the last reply. */
  #since(): Entry[] {
    const said: Entry[] = [];
    for (const entry of this.#hall.tree.back()) {
      if (entry.type === "message" && entry.message.role !== "toolResult") break;
      said.push(entry);
    }
    return said;
  }

  /** What the turn was begun with. */
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

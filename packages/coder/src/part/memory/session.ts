import type { Entry, EntryDraft, SessionTree } from "@pith/agent";
import { countsOf, type Memory, memoryIn, memoryRows, memoryText, noMemory } from "./facts.ts";
import { withEntries } from "./gather.ts";

const type = "pith.memory";
/** Entries that are read back where no memory is recorded. */
const farthest = 5000;

/** The memory of a session: the newest `pith.memory` entry on the path, with the facts of all later entries. */
export class SessionMemory {
  readonly #tree: SessionTree;
  readonly #record: (draft: EntryDraft) => void;
  #known: { leaf: string | null; memory: Memory } = { leaf: null, memory: noMemory };

  constructor(tree: SessionTree, record: (draft: EntryDraft) => void) {
    this.#tree = tree;
    this.#record = record;
  }

  get current(): Memory {
    const { leaf } = this.#tree;
    if (leaf === this.#known.leaf) return this.#known.memory;
    const fresh: Entry[] = [];
    let memory = noMemory;
    for (const entry of this.#tree.back()) {
      if (entry.id === this.#known.leaf) memory = this.#known.memory;
      else if (entry.type === "custom" && entry.customType === type) memory = memoryIn(entry.data);
      else if (fresh.length < farthest) {
        fresh.push(entry);
        continue;
      }
      break;
    }
    this.#known = { leaf, memory: withEntries(memory, fresh.reverse()) };
    return this.#known.memory;
  }

  /** The memory as text for a model; empty if there is nothing. */
  get text(): string {
    return memoryText(this.current);
  }

  /** `2 files read, 1 file written, 1 error`. */
  get counts(): string {
    return countsOf(this.current);
  }

  /** Every fact as a short text, most important first. */
  get rows(): string[] {
    return memoryRows(this.current);
  }

  /** Records the memory, if it differs from the recorded one. */
  save(memory: Memory = this.current): void {
    if (JSON.stringify(memoryIn(this.#tree.lastCustom(type)?.data)) === JSON.stringify(memory)) return;
    this.#record({ type: "custom", customType: type, data: memory });
  }
}

import type { Entry, EntryDraft, SessionTree } from "@pith/agent";
import { countsOf, type Memory, memoryIn, memoryRows, memoryText, noMemory } from "./facts.ts";
import { remembered } from "./gather.ts";

const type = "pith.memory";
/** A session that was never remembered is looked at this far back. */
const farthest = 5000;

/**
 * The memory of a session: what the newest `pith.memory` entry on the path says, and what the entries behind it add by
 * rule. Each is read once.
 */
export class SessionMemory {
  readonly #tree: SessionTree;
  readonly #record: (draft: EntryDraft) => void;
  #known: { leaf: string | null; memory: Memory } = { leaf: null, memory: noMemory };

  constructor(tree: SessionTree, record: (draft: EntryDraft) => void) {
    this.#tree = tree;
    this.#record = record;
  }

  /** As it stands now. */
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
    this.#known = { leaf, memory: remembered(memory, fresh.reverse()) };
    return this.#known.memory;
  }

  /** How it is told to a model; nothing where nothing is known. */
  get text(): string {
    return memoryText(this.current);
  }

  /** `2 files read, 1 file written, 1 error`. */
  get counts(): string {
    return countsOf(this.current);
  }

  /** All of it, each as one short text: what matters most first. */
  get rows(): string[] {
    return memoryRows(this.current);
  }

  /** Keeps it in the record, where that does not say the same. */
  save(memory: Memory = this.current): void {
    if (JSON.stringify(memoryIn(this.#tree.lastCustom(type)?.data)) === JSON.stringify(memory)) return;
    this.#record({ type: "custom", customType: type, data: memory });
  }
}

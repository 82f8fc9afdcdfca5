import type { Hook, Hooks, Tool } from "@pith/agent";
import type { Command } from "../command/command.ts";
import type { Handler } from "../url/handler.ts";
import type { Hall } from "./hall.ts";
import type { Keeps } from "./keeping.ts";

/** A capability of the agent: everything it adds to a conversation. It is a hook itself, at the points that it has. */
export interface Part extends Partial<Hooks> {
  name: string;
  /** Further hooks; they follow the part itself. */
  hooks?: readonly Hook[] | undefined;
  tools?: readonly Tool[];
  commands?: readonly Command[];
  /** Blocks of the system prompt; they follow those of earlier parts in the list. */
  prompt?(): readonly string[];
  /** Schemes of internal addresses. */
  urls?: Readonly<Record<string, () => Promise<Handler>>>;
  /** State that outlives a compaction. */
  keeps?: Keeps;
  /** State that later parts may need, under the names that the part added to `Hall`. */
  owns?: Partial<Hall>;
  /**
   * Called after the first input is safe, for work that takes long or comes from elsewhere. Its tools and hooks count
   * from the next step on.
   */
  arrive?(door: Door, signal: AbortSignal): Promise<void>;
  [Symbol.asyncDispose]?(): Promise<void>;
}

/** Registers tools, hooks, commands and addresses while a conversation runs. */
export interface Door {
  /** Returns the names that another source holds already. */
  tools(source: string, tools: readonly Tool[]): string[];
  /** Removes the tools of a source. */
  gone(source: string): void;
  hooks(hooks: readonly Hook[]): void;
  commands(commands: readonly Command[]): void;
  urls(urls: NonNullable<Part["urls"]>): void;
}

type Owner = keyof Hall;

/** A part that owns state is always there, because others count on it; any other may be switched off. */
export type MadePart<Gives extends Owner> = [Gives] extends [never]
  ? (Part & { owns?: never }) | undefined
  : Part & { owns: Pick<Hall, Gives> };

/**
 * Makes a part from the owners it needs, and adds the owners it gives. Cheap to call: heavy code is imported where it
 * is used.
 */
export type MakePart<Needs extends Owner, Gives extends Owner = never> = (hall: Pick<Hall, Needs>) => MadePart<Gives>;

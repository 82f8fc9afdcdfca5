import type { Hook, Tool } from "@pith/agent";
import type { Command } from "../command/command.ts";
import type { Keeps } from "../compact/keeping.ts";
import type { Handler } from "../url/handler.ts";
import type { Hall } from "./hall.ts";

/** One capability of the agent: what it adds. */
export interface Part {
  name: string;
  hooks?: readonly Hook[] | undefined;
  tools?: readonly Tool[];
  commands?: readonly Command[];
  /** Blocks of the system prompt, behind those that stand before it in the list. */
  prompt?(): readonly string[];
  /** Schemes of internal addresses. */
  urls?: Readonly<Record<string, () => Promise<Handler>>>;
  /** What outlives a compaction. */
  keeps?: Keeps;
  /**
   * After the first input is safe: what takes long, or comes from elsewhere. What it brings counts from the next step
   * on.
   */
  arrive?(door: Door, signal: AbortSignal): Promise<void>;
  [Symbol.asyncDispose]?(): Promise<void>;
}

/** How something that arrives later comes in. */
export interface Door {
  /** Names that somebody else holds are handed back. */
  tools(source: string, tools: readonly Tool[]): string[];
  /** The tools of a source have gone. */
  gone(source: string): void;
  hooks(hooks: readonly Hook[]): void;
  commands(commands: readonly Command[]): void;
  urls(urls: NonNullable<Part["urls"]>): void;
}

/**
 * Makes a part of what its type says it needs; undefined when it is switched off. Cheap to call: what is heavy is
 * imported where it is used.
 */
export type MakePart<Needs extends keyof Hall> = (hall: Pick<Hall, Needs>) => Part | undefined;

/** A row of the list: for every conversation, or for the one that a person holds. */
export type Row = readonly ["every" | "main", (hall: Hall) => Part | undefined];

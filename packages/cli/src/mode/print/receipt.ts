import { renameSync, rmSync, writeFileSync } from "node:fs";
import type { Entry, Event, TurnChanges, TurnEnd } from "@pith/agent";
import type { Coder } from "@pith/coder";
import { fail, messageOf, ok, type Result } from "@pith/kit";
import { modelName, type ToolResultMessage } from "@pith/llm";

interface Call {
  id: string;
  tool: string;
  failed: boolean;
  /** Set when it was refused: by a guard, a person, or because nobody was there. */
  refused?: unknown;
  /** The intent by which it was judged. */
  intent?: unknown;
  /** The rule or person that allowed it. */
  allowed?: unknown;
}

/** Collects what a run does, for its receipt. */
export class RunLog {
  readonly #began: number;
  readonly #calls: Call[] = [];
  readonly #files = new Map<string, TurnChanges["files"]>();
  #end: TurnEnd = { reason: "done" };
  /** The last answer, or its errors, where it has to fit a schema. */
  output: { text?: string; errors?: readonly string[] } | undefined;

  constructor(now: number) {
    this.#began = now;
  }

  take(event: Event): void {
    if (event.type === "changed") this.#files.set(event.turn, event.files);
    if (event.type === "turn" && event.state.name === "idle") this.#end = event.state.end;
    if (event.type === "entry") this.#entry(event.entry);
  }

  /** True when the last call was refused because nobody was there to allow it. */
  get wanted(): boolean {
    return this.#calls.at(-1)?.refused === "nobody";
  }

  #entry(entry: Entry): void {
    if (entry.type === "custom" && entry.customType === "pith.output") this.output = entry.data as RunLog["output"];
    if (entry.type === "message" && entry.message.role === "toolResult") this.#calls.push(callIn(entry.message));
  }

  /** The receipt as it is written to a file. */
  receipt(coder: Coder, exitCode: number, now: number): object {
    const { tokens, cost } = coder.scene.spent;
    return {
      version: 1,
      session: { id: coder.header.id, file: coder.file },
      cwd: coder.header.cwd,
      model: modelName(coder.model),
      began: new Date(this.#began).toISOString(),
      durationMs: now - this.#began,
      calls: this.#calls,
      refusals: this.#calls.filter(({ refused }) => refused !== undefined),
      files: [...this.#files.values()].flat(),
      spent: { tokens, cost },
      end: this.#end,
      exitCode,
    };
  }
}

function callIn({ toolCallId, toolName, isError, details = {} }: ToolResultMessage): Call {
  const { refused, intent, allowed } = details;
  return { id: toolCallId, tool: toolName, failed: isError, refused, intent, allowed };
}

/** Replaces the file as a whole, so that it is never read half-written. */
export function writeReceipt(file: string, receipt: object): Result<undefined, "receipt"> {
  const fresh = `${file}.${crypto.randomUUID()}`;
  try {
    writeFileSync(fresh, `${JSON.stringify(receipt, null, 2)}\n`, { flag: "wx" });
    renameSync(fresh, file);
    return ok(undefined);
  } catch (error) {
    rmSync(fresh, { force: true });
    return fail("receipt", `the receipt could not be written: ${messageOf(error)}`);
  }
}

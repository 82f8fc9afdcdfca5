import type { Behaviour, Draft } from "@pith/agent";
import { type ExecuteParts, execute } from "../job/execute.ts";

/** A command that a person ran, as pi and omp record it too. */
export interface UserRun {
  role: "bashExecution";
  command: string;
  output: string;
  exitCode?: number;
  /** What ended it, when it was not the command itself. */
  signal?: string;
  limit?: string;
  cancelled: boolean;
  truncated: boolean;
  timedOut?: true;
  /** Lines of the whole output, when this is not all of it. */
  totalLines?: number;
  /** `artifact://<id>` of the whole output. */
  artifactId?: string;
  /** The model does not see it. */
  excludeFromContext?: true;
  timestamp: number;
}

export interface UserCommandParts extends ExecuteParts {
  /** Milliseconds that a command may take. */
  timeoutMs: number;
  now(): number;
  /** Whether a turn runs; then there is no place for an entry before its next step. */
  busy(): boolean;
  record(draft: Draft): void;
  tell(text: string): void;
}

/**
 * Runs what people type in the session's shell and records it. Nothing is rewritten or intercepted, nobody is asked:
 * so it is
 * for a face to say that a person typed it, and a prompt that begins with `!` is only a prompt.
 */
export function userCommands(parts: UserCommandParts): Behaviour & {
  run(command: string, context: "in" | "out"): Promise<UserRun | undefined>;
  /** Ends what people run; says whether anything did. */
  stop(): boolean;
} {
  const running = new Set<AbortController>();
  const waiting: UserRun[] = [];
  const flush = () => {
    for (const message of waiting.splice(0)) parts.record({ type: "message", message } as unknown as Draft);
  };
  const run = async (command: string, context: "in" | "out") => {
    const stop = new AbortController();
    running.add(stop);
    try {
      const live = await execute(parts, { command, timeoutMs: parts.timeoutMs, signal: stop.signal });
      if (!live.ok) {
        parts.tell(live.message);
        return undefined;
      }
      const { ran, dump, raw } = await live.value.done;
      const artifactId = raw ?? dump.truncation?.artifactId;
      const message: UserRun = {
        ...{
          role: "bashExecution",
          command,
          output: dump.text,
          cancelled: ran.end === "abort",
          truncated: dump.truncation !== undefined,
          timestamp: parts.now(),
        },
        ...(ran.exitCode !== undefined && { exitCode: ran.exitCode }),
        ...(ran.signal !== undefined && { signal: ran.signal }),
        ...(ran.end === "limit" && ran.limit && { limit: ran.limit.text }),
        ...(ran.end === "timeout" && { timedOut: true as const }),
        ...(dump.truncation && { totalLines: dump.truncation.totalLines }),
        ...(artifactId !== undefined && { artifactId }),
        ...(context === "out" && { excludeFromContext: true as const }),
      };
      waiting.push(message);
      if (!parts.busy()) flush();
      return message;
    } finally {
      running.delete(stop);
    }
  };
  return {
    name: "user command",
    run,
    stop() {
      for (const one of running) one.abort("interrupted");
      return running.size > 0;
    },
    step() {
      flush();
      return { do: "go" };
    },
  };
}

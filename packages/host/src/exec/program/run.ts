import { ok, type Result, sleep } from "@pith/kit";
import type { LimitBreach } from "../process/limits.ts";
import { OutputReader } from "../shell/drain.ts";
import type { ShellRuntime } from "../shell/runtime.ts";
import { type ProgramEnd, type ProgramOptions, startProgram } from "./program.ts";

export interface ProgramRun extends Omit<ProgramOptions, "stdin"> {
  /** All of its standard input. */
  input?: string | undefined;
  timeoutMs: number;
  /** Bytes of output after which it is ended. */
  maxOutput: number;
  signal: AbortSignal;
}

export interface RanProgram extends ProgramEnd {
  end: "exit" | "timeout" | "abort" | "limit";
  output: string;
  /** The last of what it wrote on standard error. */
  complaints: string;
}

/** Runs a program to its end, and ends all that it left behind. */
export async function runProgram(
  runtime: ShellRuntime,
  run: ProgramRun,
): Promise<Result<RanProgram, "missing" | "sandbox" | "spawn">> {
  const { input = "", timeoutMs, maxOutput, signal, ...options } = run;
  const started = await startProgram(runtime, { ...options, stdin: Buffer.from(input) });
  if (!started.ok) return started;
  const program = started.value;
  let stopped: { end: RanProgram["end"]; limit?: LimitBreach } | undefined;
  const stop = (end: RanProgram["end"], limit?: LimitBreach) => {
    if (stopped) return;
    stopped = { end, ...(limit && { limit }) };
    void program.end(0);
  };
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = new OutputReader([program.output], (chunk) => {
    if (stopped?.limit) return;
    size += chunk.length;
    chunks.push(chunk.slice());
    if (size > maxOutput) stop("limit", { what: "output", text: "more output than may be kept" });
  });
  const over = new AbortController();
  void sleep(timeoutMs, over.signal).then((how) => how === "slept" && stop("timeout"));
  const onAbort = () => stop("abort");
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const end = await program.exited;
    await reader.settle();
    const limit = stopped?.limit ?? (end.exitCode === 0 ? undefined : end.limit);
    const how = stopped?.end ?? (end.limit && end.signal ? "limit" : "exit");
    const output = Buffer.concat(chunks).toString();
    return ok({ ...end, limit, end: how, output, complaints: program.complaints });
  } finally {
    over.abort();
    signal.removeEventListener("abort", onAbort);
    await reader.close();
  }
}

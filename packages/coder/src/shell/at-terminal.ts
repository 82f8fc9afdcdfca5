import { OutputSink, type ShellResult, type TerminalRun } from "@pith/host";
import { ok, type Result } from "@pith/kit";
import type { Executed, ExecuteSources, Execution } from "./execute.ts";

/** A face with a person at a terminal. */
export interface TerminalFrontend {
  size(): { columns: number; rows: number };
  /** Shows a program until it is done and hands it what the person types. */
  show(program: TerminalProgram): void;
}

/** A program that a person can see and type at. */
export interface TerminalProgram extends Pick<TerminalRun, "screen" | "write" | "resize" | "onChange"> {
  command: string;
  done: Promise<ShellResult>;
  /** Ends it. */
  end(): void;
}

/**
 * Runs a command at a terminal that a person sees. The text is what stood there at the end, the artifact all that was
 * written.
 */
export async function runAtTerminal(
  sources: ExecuteSources,
  face: TerminalFrontend,
  execution: Execution,
): Promise<Result<Executed, "command" | "spawn">> {
  const stop = new AbortController();
  const maxBytes = sources.maxShown();
  const sink = new OutputSink({
    maxBytes,
    maxFileBytes: sources.maxOutput,
    openFile: () => sources.artifacts.allocate("bash"),
    spareFile: () => sources.shell.spareFile(),
  });
  const mask = sources.masking?.();
  const opened = await sources.shell.runAtTerminal({
    ...execution,
    ...face.size(),
    env: { TERM: "xterm-256color", ...execution.env },
    signal: AbortSignal.any([execution.signal, stop.signal]),
    onData: (chunk) => sink.push(mask ? mask.push(chunk) : chunk),
  });
  if (!opened.ok) return opened;
  const { done, screen, write, resize, onChange } = opened.value;
  face.show({
    command: execution.command,
    screen,
    write,
    resize,
    onChange,
    done,
    end: () => stop.abort("ended by the user"),
  });
  const ran = await done;
  if (mask) sink.push(mask.end());
  const dump = sink.finish();
  return ok({
    ran,
    dump: {
      ...dump,
      text: `${ran.trouble === undefined ? "" : `PTY error: ${ran.trouble}\n`}${ran.text.slice(-maxBytes)}`,
    },
  });
}

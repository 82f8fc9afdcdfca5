import { ok, type Result } from "@pith/kit";
import type { RunningCommand, ShellCommand, ShellResult } from "../shell/command.ts";

type Start = (command: ShellCommand) => Promise<Result<RunningCommand, "command" | "spawn">>;

/**
 * Starts a command, and again where its sandbox could not be built: something that is hidden, a socket mostly, went in
 * that moment. Nothing has run then.
 */
export async function startBuilt(
  command: ShellCommand,
  start: Start,
): Promise<Result<RunningCommand, "command" | "spawn">> {
  let left = mostTries;
  let aside: "limited" | "unlimited" | undefined;
  const held = new HeldOutput(command.onData);
  const once = () => start({ ...command, onData: (chunk) => held.push(chunk) });
  const first = await once();
  if (!first.ok) return first;
  let running = first.value;
  const toEnd = async (): Promise<ShellResult> => {
    const result = await running.done;
    if (!result.unbuilt || --left === 0 || command.signal.aborted) {
      held.end("shown");
      return result;
    }
    held.end("left out");
    const again = await once();
    if (!again.ok) return result;
    running = again.value;
    if (aside) running.toBackground(aside);
    return toEnd();
  };
  return ok({
    pid: running.pid,
    done: toEnd(),
    toBackground: (time) => {
      aside = time;
      running.toBackground(time);
    },
    detach: (log) => running.detach(log),
  });
}

/** Holds back what bubblewrap says of its own trouble, until it is known if that matters. */
class HeldOutput {
  readonly #pass: (chunk: Uint8Array) => void;
  #held: Uint8Array[] | undefined = [];

  constructor(pass: (chunk: Uint8Array) => void) {
    this.#pass = pass;
  }

  push(chunk: Uint8Array): void {
    if (this.#held?.length === 0 && !Buffer.from(chunk).toString("latin1", 0, ofBuilder.length).startsWith(ofBuilder))
      this.#held = undefined;
    if (this.#held) this.#held.push(chunk.slice());
    else this.#pass(chunk);
  }

  end(what: "shown" | "left out"): void {
    if (what === "shown") for (const chunk of this.#held ?? []) this.#pass(chunk);
    this.#held = [];
  }
}

const ofBuilder = "bwrap: ";
const mostTries = 8;

import { detachedFolder, listDetached, stopDetached } from "@pith/coder";
import { plainText } from "@pith/kit";
import { exit } from "../io/interrupt.ts";
import { complain, type Io, usage } from "../io/io.ts";
import type { Command } from "./command.ts";

/** `pith jobs`: the commands that people let go on without pith, with their processes and logs; `stop` ends one. */
export const jobs: Command = async ([verb, id, ...more], io) => {
  const folder = detachedFolder(io.home);
  if (verb === undefined || (verb === "list" && id === undefined)) return list(folder, io);
  if (verb !== "stop" || id === undefined || more.length > 0)
    return usage(io, "usage: pith jobs [list] | pith jobs stop <id>");
  const stopped = stopDetached(folder, id, io.clock.now());
  if (stopped.ok) return exit.finished;
  complain(io, stopped.message);
  return exit.unfinished;
};

function list(folder: string, io: Io): number {
  for (const { id, pid, state, command, log } of listDetached(folder, io.clock.now())) {
    io.out.write(`${plainText(`${id}  ${state}  ${pid}  ${log}  ${command.split("\n", 1)[0]}`)}\n`);
  }
  return exit.finished;
}

import { detachedFolder, listDetached, stopDetached } from "@pith/coder";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, usage } from "../../io/io.ts";
import type { Command } from "../command.ts";
import { type Column, inColumns, printList } from "../list.ts";

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

async function list(folder: string, io: Io): Promise<number> {
  const rows = listDetached(folder, io.clock.now()).map(({ id, pid, state, command, log }) => [
    id,
    state,
    String(pid),
    log,
    command.split("\n", 1)[0] ?? "",
  ]);
  if (rows.length > 0) await printList(inColumns(columns, rows, io), io);
  else complain(io, "nothing runs without pith; /jobs detach <id> in a conversation lets a job go on (pith help jobs)");
  return exit.finished;
}

const columns: readonly Column[] = [
  { head: "id" },
  { head: "state" },
  { head: "process", align: "right" },
  { head: "log", gives: true },
  { head: "command" },
];

import { detachedFolder, listDetached, stopDetached } from "@pith/coder";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, unfinished } from "../../io/io.ts";
import { type Column, printColumns } from "../list.ts";
import { subcommand } from "../subcommand.ts";

/** Lists the commands that go on without pith, with their processes and logs; `stop` ends one. */
export const jobs = subcommand({
  usage: "[list | stop <id>]",
  about: "list detached background commands",
  help: "jobs",
  options: {},
  words: ["list", "stop"],
  maxWords: 2,
  async run({ words: [verb, id] }, io) {
    const folder = detachedFolder(io.home);
    if (verb === undefined || (verb === "list" && id === undefined)) return list(folder, io);
    if (verb !== "stop" || id === undefined) return "usage";
    const stopped = stopDetached(folder, id, io.clock.now());
    return stopped.ok ? exit.finished : unfinished(io, stopped.message);
  },
});

async function list(folder: string, io: Io): Promise<number> {
  const rows = listDetached(folder, io.clock.now()).map(({ id, pid, state, command, log }) => [
    id,
    state,
    String(pid),
    log,
    command.split("\n", 1)[0] ?? "",
  ]);
  if (rows.length > 0) await printColumns(columns, rows, io);
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

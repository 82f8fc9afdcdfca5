import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { cleanUp, defaultSessionsFolder, forgetFolder } from "@pith/agent";
import { vanishedStores } from "@pith/coder";
import { formatBytes, isInside, plural } from "@pith/kit";
import { type FlagTable, parseArguments } from "../../argv/parse.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, usage } from "../../io/io.ts";
import { sessionDir, sessionsFolder } from "../../open/folder.ts";
import type { Command } from "../command.ts";

export const options = {
  "dry-run": { takes: "nothing", about: "only say what would go" },
  forget: { takes: "text", as: "dir", about: "a folder of sessions that is gone for good" },
  "session-dir": sessionDir,
} as const satisfies FlagTable;

/**
 * `pith gc`: removes blobs that no session names, sessions deleted long ago, leftovers, and what undo kept for projects
 * that are gone.
 */
export const gc: Command = async (argv, io) => {
  const parsed = parseArguments(options, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags, words } = parsed.value;
  if (words.length > 0) return usage(io, "usage: pith gc [--dry-run] [--forget <dir>]");
  if (flags.forget !== undefined && forgetFolder(io.home, resolve(io.cwd, flags.forget)) === 0)
    return usage(io, `${flags.forget} is no folder of sessions that is known`);
  const sessions = await sessionsFolder(io, flags["session-dir"]);
  if (!sessions.ok) return usage(io, sessions.message);
  const does = flags["dry-run"] ? "look" : "remove";
  const { trash, blobs, bytes, leftovers, unreachable } = cleanUp({
    home: io.home,
    sessions: sessions.value,
    now: io.clock.now(),
    does,
  });
  for (const folder of unreachable) {
    const way = isInside(defaultSessionsFolder(io.home), folder) ? "" : ` (gone for good: pith gc --forget ${folder})`;
    complain(io, `${folder} cannot be read; while that is so no blob is removed${way}`);
  }
  const stores = vanishedStores(io.home);
  if (does === "remove") for (const store of stores) rmSync(store, { recursive: true, force: true });
  const verb = does === "look" ? "would be removed" : "removed";
  const undo = `${plural(stores.length, "undo store")} of projects that are gone`;
  const rest = `${plural(trash, "deleted session")}, ${undo}, ${plural(leftovers, "leftover")}`;
  io.out.write(`${plural(blobs, "blob")} (${formatBytes(bytes)}), ${rest} ${verb}\n`);
  return exit.finished;
};

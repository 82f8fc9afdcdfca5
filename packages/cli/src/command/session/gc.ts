import { rmSync } from "node:fs";
import { resolve } from "node:path";
import { cleanUp, defaultSessionsFolder, forgetFolder } from "@pith/agent";
import { vanishedStores } from "@pith/coder";
import { formatBytes, isInside, plural } from "@pith/kit";
import { exit } from "../../io/interrupt.ts";
import { complain, usage } from "../../io/io.ts";
import { sessionDir, sessionsFolder } from "../../open/folder.ts";
import { subcommand } from "../subcommand.ts";

/** Removes blobs that no session names, sessions deleted long ago, leftovers, and undo stores of projects that are gone. */
export const gc = subcommand({
  usage: "",
  about: "remove unused files of sessions",
  help: "session",
  options: {
    "dry-run": { takes: "nothing", about: "only list what would be removed" },
    forget: { takes: "text", as: "dir", about: "forget a deleted folder of sessions" },
    "session-dir": sessionDir,
  },
  maxWords: 0,
  async run({ flags }, io) {
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
      const way = isInside(defaultSessionsFolder(io.home), folder)
        ? ""
        : ` (gone for good: pith gc --forget ${folder})`;
      complain(io, `${folder} cannot be read; while that is so no blob is removed${way}`);
    }
    const stores = vanishedStores(io.home);
    if (does === "remove") for (const store of stores) rmSync(store, { recursive: true, force: true });
    const verb = does === "look" ? "would be removed" : "removed";
    const undo = `${plural(stores.length, "undo store")} of projects that are gone`;
    const rest = `${plural(trash, "deleted session")}, ${undo}, ${plural(leftovers, "leftover")}`;
    io.out.write(`${plural(blobs, "blob")} (${formatBytes(bytes)}), ${rest} ${verb}\n`);
    return exit.finished;
  },
});

import { existsSync, readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { moveSession } from "@pith/agent";
import { sessionsFolder } from "@pith/coder";
import { expandHome, messageOf } from "@pith/kit";
import { copyCommand, exportCommand, nameCommand, type SharedCommand } from "../../shared-command.ts";
import type { Seat } from "../context.ts";
import type { Action } from "./action.ts";

/** Runs what may fail outside of ours; a failure is a line in the transcript. */
const attempt = (seat: Seat, work: () => Promise<void>): void =>
  void work().catch((error) => seat.say("error", messageOf(error)));

/** What other faces have, too: here what came of it is a line in the transcript. */
const shared = (name: string, { run, ...deed }: SharedCommand): Action => ({
  ...deed,
  name,
  keys: [],
  run: (seat, words) =>
    attempt(seat, async () => {
      const { coder, io, settings, cwd, terminal } = seat;
      if (!coder) return seat.say("warn", "There is no session yet.");
      const told = await run({ coder, io, settings, cwd, write: (bytes) => terminal.write(bytes) }, words);
      if (told.ok) seat.say("info", told.value);
      else seat.say(told.kind === "usage" ? "warn" : "error", told.message);
    }),
});

export const sharedActions: readonly Action[] = [
  shared("app.message.copy", copyCommand),
  shared("app.session.rename", nameCommand),
  shared("app.session.export", exportCommand),
];

/** A new session that begins as this one, which stays as it is. */
export const forkAction: Action = {
  name: "app.session.fork",
  about: "go on in a copy of this session; this one stays as it is",
  keys: [],
  command: "fork",
  run: (seat) =>
    attempt(seat, async () => {
      const copy = await seat.coder?.walk.fork();
      if (!copy) return;
      if (!copy.ok) seat.say("error", copy.message);
      else if ((await seat.swap({ open: "file", path: copy.value.file })) === "swapped")
        seat.say("info", "This is a copy; the session before stays as it was.");
    }),
};

/** Another way from an earlier place: in the tree, or where that is preferred, in a copy. */
export const branchAction: Action = {
  name: "app.session.branch",
  about: "go another way from an earlier place of this session",
  keys: [],
  command: "branch",
  run: (seat) =>
    seat.act(seat.settings.get("doubleEscapeAction") === "branch" ? "app.session.fork" : "app.session.tree"),
};

export const moveAction: Action = {
  name: "app.session.move",
  about: "go on with this session in another directory",
  keys: [],
  command: "move",
  usage: "<directory>",
  complete: directories,
  run: (seat, words) => attempt(seat, () => move(seat, words)),
};

/** Directories that may be meant, with a slash behind them to go on from there. */
function directories(words: string, { cwd, io }: Seat): string[] {
  const above = words.slice(0, words.lastIndexOf("/") + 1);
  const begun = words.slice(above.length);
  try {
    return readdirSync(resolve(cwd, expandHome(above, io.userHome)), { withFileTypes: true })
      .filter(
        (each) => each.isDirectory() && each.name.startsWith(begun) && (begun !== "" || !each.name.startsWith(".")),
      )
      .map(({ name }) => `${above}${name}/`)
      .toSorted()
      .slice(0, 50);
  } catch {
    return [];
  }
}

async function move(seat: Seat, words: string): Promise<void> {
  const file = seat.coder?.file;
  if (words === "") return seat.say("warn", "Say where: /move <directory>");
  if (file === undefined || !existsSync(file))
    return seat.say("warn", "Nothing is recorded, so there is nothing to move.");
  const to = resolve(seat.cwd, expandHome(words, seat.io.userHome));
  if (!statSync(to, { throwIfNoEntry: false })?.isDirectory()) return seat.say("warn", `There is no directory ${to}.`);
  const from = seat.cwd;
  if (to === from) return seat.say("info", "This is where it is.");
  // A record has one writer: it moves while nobody has it.
  if ((await seat.swap({ open: "none" })) !== "swapped") return;
  const moved = await moveSession(file, to, sessionsFolder(seat.settings, seat.io), seat.io.clock);
  if (!moved.ok) {
    await seat.swap({ open: "file", path: file });
    return seat.say("error", moved.message);
  }
  if ((await seat.swap({ open: "file", path: moved.value }, to)) === "swapped")
    seat.say("info", `From here on this is in ${to}; what runs, runs there.`);
  else seat.say("warn", `The session is in ${to} now; nothing is recorded here until you open another one.`);
}

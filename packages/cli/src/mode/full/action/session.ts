import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { moveSession } from "@pith/agent";
import { sessionsFolder } from "@pith/coder";
import { messageOf } from "@pith/kit";
import type { Seat } from "../seat.ts";
import type { Action } from "./action.ts";

/** Runs what may fail outside of ours; a failure is a line in the transcript. */
const attempt = (seat: Seat, work: () => Promise<void>): void =>
  void work().catch((error) => seat.say("error", messageOf(error)));

export const nameAction: Action = {
  name: "app.session.rename",
  about: "name this session",
  keys: [],
  command: "name",
  usage: "<name>",
  aliases: ["rename"],
  run(seat, words) {
    if (words === "") return seat.say("warn", "Say how: /name <name>");
    seat.coder?.walk.rename(words);
    seat.say("info", "The session has its name.");
  },
};

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
  run: (seat, words) => attempt(seat, () => move(seat, words)),
};

async function move(seat: Seat, words: string): Promise<void> {
  const file = seat.coder?.file;
  if (words === "") return seat.say("warn", "Say where: /move <directory>");
  if (file === undefined || !existsSync(file))
    return seat.say("warn", "Nothing is recorded, so there is nothing to move.");
  const to = resolve(seat.cwd, words.replace(/^~(?=\/|$)/, seat.io.userHome));
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

const forms = ["html", "md", "json", "jsonl"] as const;

export const exportAction: Action = {
  name: "app.session.export",
  about: "write this session to a file: a page, Markdown or data",
  keys: [],
  command: "export",
  usage: "[html|md|json|jsonl] [file]",
  complete: (words) => forms.filter((form) => form.startsWith(words)),
  run: (seat, words) => attempt(seat, () => write(seat, words)),
};

async function write(seat: Seat, words: string): Promise<void> {
  const { coder, cwd, io } = seat;
  if (coder?.file === undefined) return seat.say("warn", "Nothing is recorded, so there is nothing to export.");
  const [, named, rest = ""] = /^(html|md|json|jsonl)?\s*(.*)$/.exec(words) ?? [];
  const form = named ?? forms.find((each) => rest.endsWith(`.${each}`)) ?? "html";
  const file = resolve(cwd, rest === "" ? `pith-session-${coder.header.id.slice(0, 8)}.${form}` : rest);
  const { exportTo } = await import("../../../export/write.ts");
  const done = await exportTo(coder.file, form as (typeof forms)[number], file, { io, settings: seat.settings });
  seat.say(done.ok ? "info" : "error", done.ok ? `The session is in ${file}.` : done.message);
}

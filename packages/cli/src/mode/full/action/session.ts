import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { moveSession } from "@pith/agent";
import { sessionsFolder } from "@pith/coder";
import { entriesIn, expandHome, isDirectory, messageOf } from "@pith/kit";
import { copyCommand, exportCommand, nameCommand, type SharedCommand } from "../../shared-command.ts";
import type { ScreenContext } from "../context.ts";
import type { Action } from "./action.ts";

/** Runs an action; a failure is a line in the transcript. */
const attempt = (context: ScreenContext, work: () => Promise<void>): void =>
  void work().catch((error) => context.say("error", messageOf(error)));

/** Makes an action of a shared command; its result is a line in the transcript. */
const shared = (name: string, { run, ...deed }: SharedCommand): Action => ({
  ...deed,
  name,
  run: (context, words) =>
    attempt(context, async () => {
      const { coder, io, settings, cwd, terminal } = context;
      if (!coder) return context.say("warn", "There is no session yet.");
      const told = await run({ coder, io, settings, cwd, write: (bytes) => terminal.write(bytes) }, words);
      if (told.ok) context.say("info", told.value);
      else context.say(told.kind === "usage" ? "warn" : "error", told.message);
    }),
});

export const sharedActions: readonly Action[] = [
  shared("app.message.copy", copyCommand),
  shared("app.session.rename", nameCommand),
  shared("app.session.export", exportCommand),
];

/** Goes on in a copy of the session. */
const fork = (context: ScreenContext): void =>
  attempt(context, async () => {
    const copy = await context.coder?.walk.fork();
    if (!copy) return;
    if (!copy.ok) context.say("error", copy.message);
    else if ((await context.swap({ open: "file", path: copy.value.file })) === "swapped")
      context.say("info", "This is a copy; the session before stays as it was.");
  });

/** Goes another way from an earlier place: in the tree, or in a copy where the settings prefer that. */
const branch = (context: ScreenContext): void =>
  context.act(context.settings.get("doubleEscapeAction") === "branch" ? "app.session.fork" : "app.session.tree");

export const sessionActions: readonly Action[] = [
  {
    name: "app.session.fork",
    about: "continue in a copy; this session stays as it is",
    command: "fork",
    run: fork,
  },
  {
    name: "app.session.branch",
    about: "continue from an earlier place of this session",
    command: "branch",
    run: branch,
  },
  {
    name: "app.session.move",
    about: "move this session to another directory",
    command: "move",
    usage: "<directory>",
    complete: directories,
    run: (context, words) => attempt(context, () => move(context, words)),
  },
];

/** Directories that complete what is typed, each with a slash behind it. */
function directories(words: string, { cwd, io }: ScreenContext): string[] {
  const above = words.slice(0, words.lastIndexOf("/") + 1);
  const begun = words.slice(above.length);
  return entriesIn(resolve(cwd, expandHome(above, io.userHome)))
    .filter((each) => each.isDirectory() && each.name.startsWith(begun) && (begun !== "" || !each.name.startsWith(".")))
    .map(({ name }) => `${above}${name}/`)
    .toSorted()
    .slice(0, 50);
}

async function move(context: ScreenContext, words: string): Promise<void> {
  const file = context.coder?.file;
  if (words === "") return context.say("warn", "Say where: /move <directory>");
  if (file === undefined || !existsSync(file))
    return context.say("warn", "Nothing is recorded, so there is nothing to move.");
  const to = resolve(context.cwd, expandHome(words, context.io.userHome));
  if (!isDirectory(to)) return context.say("warn", `There is no directory ${to}.`);
  const from = context.cwd;
  if (to === from) return context.say("info", "This is where it is.");
  // A record has one writer, so it is closed before it is moved.
  if ((await context.swap({ open: "none" })) !== "swapped") return;
  const moved = await moveSession(file, to, sessionsFolder(context.settings, context.io), context.io.clock);
  if (!moved.ok) {
    await context.swap({ open: "file", path: file });
    return context.say("error", moved.message);
  }
  if ((await context.swap({ open: "file", path: moved.value }, to)) === "swapped")
    context.say("info", `From here on this is in ${to}; what runs, runs there.`);
  else context.say("warn", `The session is in ${to} now; nothing is recorded here until you open another one.`);
}

import type { DialogResult, ScreenContext } from "../context.ts";
import type { Action } from "./action.ts";
import { openAction } from "./open.ts";
import { branchAction, forkAction, moveAction, sharedActions } from "./session.ts";

type Load = () => Promise<
  (context: ScreenContext, close: () => void, words: string) => DialogResult | Promise<DialogResult>
>;

/** Makes an action that loads and opens a dialog. */
const opens = (row: Omit<Action, "run">, load: Load): Action => ({
  ...row,
  run: (context, words) => void context.open(async (at, close) => (await load())(at, close, words)),
});

/** Actions that open a dialog, and those on the session as a whole. */
export const dialogActions: readonly Action[] = [
  opens(
    {
      name: "app.session.tree",
      about: "the tree of this session, to go to another place of it",
      keys: [],
      command: "tree",
    },
    async () => (await import("../dialog/tree/tree.ts")).treeDialog,
  ),
  opens(
    {
      name: "app.model.select",
      about: "models: whom to ask, and who has which role",
      keys: ["ctrl+l"],
      command: "models",
    },
    async () => (await import("../dialog/models/models.ts")).modelsDialog,
  ),
  opens(
    {
      name: "app.settings",
      about: "every setting, and when a change counts",
      keys: [],
      command: "settings",
      aliases: ["config"],
    },
    async () => (await import("../dialog/settings/settings.ts")).settingsDialog,
  ),
  opens(
    {
      name: "app.theme.select",
      about: "themes, shown while you choose",
      keys: [],
      command: "theme",
      aliases: ["themes"],
    },
    async () => (await import("../dialog/theme/theme.ts")).themeDialog,
  ),
  opens(
    {
      name: "app.diff",
      about: "what was changed, hunk by hunk, to take back",
      keys: [],
      command: "diff",
      usage: "[session|turn|<file>]",
      complete: (words) => ["session", "turn"].filter((word) => word.startsWith(words)),
    },
    async () => (await import("../dialog/diff/diff.ts")).diffDialog,
  ),
  opens(
    {
      name: "app.jobs",
      about: "what goes on in the background, to look at, cancel or detach",
      keys: [],
      command: "jobs",
    },
    async () => (await import("../dialog/jobs/jobs.ts")).jobsDialog,
  ),
  opens(
    { name: "app.context", about: "show the use of the model's window", keys: [], command: "context" },
    async () => (await import("../dialog/context/context.ts")).contextDialog,
  ),
  opens(
    {
      name: "app.debug",
      about: "report, log, system: to find out what is wrong",
      keys: [],
      command: "debug",
      usage: "[what]",
      complete: async (words) =>
        (await import("../../../report/debug.ts")).debugCommands.flatMap(({ name }) =>
          name.startsWith(words) ? [name] : [],
        ),
    },
    async () => (await import("../dialog/debug/debug.ts")).debugDialog,
  ),
  openAction,
  ...sharedActions,
  opens(
    { name: "app.trust", about: "what this project would run, to say yes to", keys: [], command: "trust" },
    async () => (await import("../dialog/trust/trust.ts")).trustDialog,
  ),
  forkAction,
  branchAction,
  moveAction,
];

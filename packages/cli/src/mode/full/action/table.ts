import type { Command } from "@pith/coder";
import { efforts } from "@pith/llm";
import { type KeyEvent, wrap } from "@pith/tui";
import type { DialogResult, ScreenContext, ScreenPane } from "../context.ts";
import { openWhole, pager } from "../dialog/pager.ts";
import { inputOf } from "../submit.ts";
import type { Action } from "./action.ts";
import { cheatSheet } from "./cheat-sheet.ts";
import { cycleModels } from "./cycle.ts";
import { takeBack } from "./escape.ts";
import { openAction } from "./open.ts";
import { sessionActions, sharedActions } from "./session.ts";

type Load = () => Promise<
  (context: ScreenContext, close: () => void, words: string) => DialogResult | Promise<DialogResult>
>;

/** Loads a dialog and opens it. */
const opens =
  (load: Load): Action["run"] =>
  (context, words) =>
    void context.open(async (at, close) => (await load())(at, close, words));

const row = (name: string, about: string, key: string, run: Action["run"]): Action => ({
  name,
  about,
  keys: [key],
  run,
});

/** An action that opens a dialog, by a command and its other names. */
const dialog = (name: string, about: string, [command, ...aliases]: readonly string[], load: Load): Action => {
  return { name, about, command, aliases, run: opens(load) };
};

/** All actions of the full screen, in the order in which they are listed. */
export const actions: readonly Action[] = [
  row("app.interrupt", "stop what runs, clear what is typed", "escape", ({ leaving }) => leaving.escape()),
  row("app.clear", "clear what is typed, or stop what runs; twice leaves", "ctrl+c", ({ leaving }) => leaving.clear()),
  row("app.exit", "leave, when nothing is typed", "ctrl+d", ({ leaving }) => leaving.exit()),
  row("app.suspend", "stop pith and go to the shell; fg comes back", "ctrl+z", (context) => context.suspend()),
  row("app.message.followUp", "send it after this turn", "alt+enter", followUp),
  row("app.message.dequeue", "edit queued messages", "alt+up", (context) => {
    if (takeBack(context) === 0) context.say("info", "Nothing waits.");
  }),
  row("app.tools.expand", "show all of the newest output", "ctrl+o", expand),
  row("app.tools.expandAll", "show all of every output, and paint anew", "ctrl+shift+o", expandAll),
  row("app.thinking.toggle", "show or hide what the model thinks", "ctrl+t", toggleThinking),
  row("app.approval.cycle", "what runs without asking: write, auto, plan, ask", "shift+tab", nextMode),
  row("app.thinking.cycle", "how long the model thinks", "alt+t", thinkLonger),
  row("app.editor.external", "write it in your editor", "ctrl+g", async (context) =>
    (await import("../composer/external.ts")).editElsewhere(context),
  ),
  row("app.clipboard.pasteImage", "paste a picture", "ctrl+v", async (context) =>
    (await import("../composer/paste.ts")).pastePicture(context),
  ),
  row(
    "app.history.search",
    "what was typed before",
    "ctrl+r",
    opens(async () => (await import("../dialog/history/history.ts")).historyDialog),
  ),
  dialog(
    "app.transcript",
    "the whole conversation, page by page",
    ["transcript"],
    async () => (await import("../dialog/transcript/transcript.ts")).transcriptDialog,
  ),
  {
    name: "app.hotkeys",
    about: "which key does what",
    command: "hotkeys",
    aliases: ["keys"],
    usage: "[names]",
    complete: (words) => ["names"].filter((word) => word.startsWith(words)),
    run: (context, words) =>
      context.show({ kind: "prose", data: {}, text: context.hotkeys(words === "names" ? "names" : "keys") }),
  },
  {
    name: "app.cheatSheet",
    about: "the most important keys, and what the status line says; ? on an empty line",
    command: "shortcuts",
    run: (context) => void context.open(() => openSheet(context)),
  },
  row("app.redraw", "draw the screen anew", "ctrl+shift+l", ({ screen }) => screen.redraw()),
  {
    name: "app.session.new",
    about: "begin a new session",
    command: "new",
    aliases: ["clear"],
    async run(context) {
      if ((await context.swap({ open: "new" })) === "swapped") context.say("info", "A new session; /resume goes back.");
    },
  },
  {
    name: "app.session.resume",
    about: "resume another session",
    command: "resume",
    aliases: ["sessions"],
    run: opens(async () => {
      const { sessionsDialog } = await import("../dialog/sessions/sessions.ts");
      return (context, close) => sessionsDialog(context, close);
    }),
  },
  row("app.model.cycleForward", "switch to the next role model", "ctrl+p", (context) => cycleModels(context, 1)),
  row("app.model.cycleBackward", "switch to the one before", "ctrl+shift+p", (context) => cycleModels(context, -1)),
  dialog(
    "app.session.tree",
    "the tree of this session, to go to another place of it",
    ["tree"],
    async () => (await import("../dialog/tree/tree.ts")).treeDialog,
  ),
  {
    name: "app.model.select",
    about: "choose the model, and the models of roles",
    keys: ["ctrl+l"],
    command: "models",
    run: opens(async () => (await import("../dialog/models/models.ts")).modelsDialog),
  },
  dialog(
    "app.settings",
    "every setting, and when a change counts",
    ["settings", "config"],
    async () => (await import("../dialog/settings/settings.ts")).settingsDialog,
  ),
  dialog(
    "app.theme.select",
    "themes, shown while you choose",
    ["theme", "themes"],
    async () => (await import("../dialog/theme/theme.ts")).themeDialog,
  ),
  {
    name: "app.diff",
    about: "review changes hunk by hunk, and undo them",
    command: "diff",
    usage: "[session|turn|<file>]",
    complete: (words) => ["session", "turn"].filter((word) => word.startsWith(words)),
    run: opens(async () => (await import("../dialog/diff/diff.ts")).diffDialog),
  },
  dialog(
    "app.jobs",
    "what goes on in the background, to look at, cancel or detach",
    ["jobs"],
    async () => (await import("../dialog/jobs/jobs.ts")).jobsDialog,
  ),
  dialog(
    "app.context",
    "show the use of the model's window",
    ["context"],
    async () => (await import("../dialog/context/context.ts")).contextDialog,
  ),
  {
    name: "app.debug",
    about: "report, log and system information for finding faults",
    command: "debug",
    usage: "[what]",
    async complete(words) {
      const { debugCommands } = await import("../../../report/debug.ts");
      return debugCommands.flatMap(({ name }) => (name.startsWith(words) ? [name] : []));
    },
    run: opens(async () => (await import("../dialog/debug/debug.ts")).debugDialog),
  },
  openAction,
  ...sharedActions,
  dialog(
    "app.trust",
    "what this project would run, to say yes to",
    ["trust"],
    async () => (await import("../dialog/trust/trust.ts")).trustDialog,
  ),
  ...sessionActions,
];

const openSheet = ({ theme, keys }: ScreenContext) =>
  Object.assign(
    pager(theme, "keys", (columns) => wrap(cheatSheet(keys), columns)),
    { rows: 30 },
  );

function followUp({ composer, submitter }: ScreenContext): void {
  const { text, attachments } = composer.take();
  composer.clear();
  submitter.enter({ ...inputOf(text, attachments), when: "after" });
}

function expand(context: ScreenContext): void {
  const more = context.view.expand();
  if (more === "expanded") context.screen.request();
  else if (more) void context.open(openWhole(context.theme, more));
  else context.say("info", "There is nothing more to show.");
}

function expandAll(context: ScreenContext): void {
  if (context.can.multiplexer) context.act("app.transcript");
  else {
    context.view.style.whole = !context.view.style.whole;
    context.screen.replace();
  }
}

function thinkLonger(context: ScreenContext): void {
  const { coder, screen } = context;
  const at = efforts.indexOf(coder?.choice.effort ?? "off");
  if (coder) coder.configure({ thinking: efforts[(at + 1) % efforts.length] ?? "off" });
  else context.submitter.later(() => thinkLonger(context));
  screen.now();
}

/** Goes to the next mode; the status line shows it, and an open question that it covers closes. */
function nextMode(context: ScreenContext): void {
  const { coder, screen } = context;
  if (!coder) {
    context.submitter.later(() => nextMode(context));
    return;
  }
  const next = following[(following.indexOf(coder.choice.approval) + 1) % following.length];
  const typed = coder.commands.read(`/approval ${next}`);
  if (typed.is === "command") void coder.perform(typed).then(() => screen.now());
}

/** Modes in the order in which a key goes through them; `yolo` is chosen by its name alone. */
const following: readonly string[] = ["write", "auto", "plan", "ask"];

function toggleThinking(context: ScreenContext): void {
  const { style } = context.view;
  style.thinking = style.thinking === "brief" ? "whole" : "brief";
  const how = style.thinking === "brief" ? "in brief" : "whole";
  if (context.can.multiplexer) context.say("info", `What the model thinks is shown ${how} from here on.`);
  else context.screen.replace();
}

/** Gives a key to a pane that waits for one, or to its action, before the composer has it. */
export function pressed(event: KeyEvent, context: ScreenContext, panes: readonly ScreenPane[]): "used" | "passed" {
  for (const pane of panes) if (pane.key?.(event) === "used") return "used";
  const asks = event.text === "?" && context.composer.isEmpty && context.coder?.scene.questions.length === 0;
  const name = asks ? "app.cheatSheet" : context.keys.actions.get(event.combo);
  if (name === undefined) return "passed";
  // The first Escape is vim's, and Ctrl+D deletes where there is something.
  const { vim, mode, isEmpty } = context.composer;
  if (name === "app.interrupt" && vim && mode !== "normal") return "passed";
  if (name === "app.exit" && !isEmpty) return "passed";
  context.act(name);
  return "used";
}

/**
 * Rows of the command table for actions that can be typed. An action with the name of a command in `rows` covers it:
 * alone it acts on the screen, with words it is the command.
 */
export const actionCommands = (context: ScreenContext, rows: readonly Command[]): Command[] =>
  actions.flatMap((action): Command[] => {
    const { name, command, usage, complete } = action;
    if (command === undefined) return [];
    const covered = rows.find((row) => row.name === command);
    return [
      {
        name: command,
        about: covered?.about ?? action.about,
        usage: usage ?? covered?.usage,
        aliases: covered?.aliases ?? action.aliases,
        when: "any time",
        complete: complete ? (words) => complete(words, context) : covered?.complete,
        run: (words, signal) =>
          covered && words !== "" && usage === undefined
            ? covered.run(words, signal)
            : { do: "wish", wish: { name: "act", action: name, words } },
      },
    ];
  });

import { efforts } from "@pith/llm";
import type { ScreenContext } from "../context.ts";
import type { Action } from "./action.ts";
import { takeBack } from "./escape.ts";

/** What the face itself can do; dialogs and panes have rows of their own beside these. */
export const coreActions: readonly Action[] = [
  // The first four are one table of their own (`escape.ts`); full.ts hands them there.
  row("app.interrupt", "stop what runs, clear what is typed", ["escape"]),
  row("app.clear", "clear what is typed, or stop what runs; twice leaves", ["ctrl+c"]),
  row("app.exit", "leave, when nothing is typed", ["ctrl+d"]),
  row("app.suspend", "stop pith and go to the shell; fg comes back", ["ctrl+z"]),
  row("app.message.followUp", "say it when the turn is over", ["alt+enter"]),
  {
    name: "app.message.dequeue",
    about: "take back what waits",
    keys: ["alt+up"],
    run(context) {
      if (takeBack(context) === 0) context.say("info", "Nothing waits.");
    },
  },
  row("app.tools.expand", "show all of the newest output", ["ctrl+o"]),
  row("app.tools.expandAll", "show all of every output, and paint anew", ["ctrl+shift+o"]),
  row("app.thinking.toggle", "show or hide what the model thinks", ["ctrl+t"]),
  {
    name: "app.thinking.cycle",
    about: "how long the model thinks",
    keys: ["shift+tab"],
    run: thinkLonger,
  },
  row("app.editor.external", "write it in your editor", ["ctrl+g"]),
  row("app.clipboard.pasteImage", "paste a picture", ["ctrl+v"]),
  {
    name: "app.history.search",
    about: "what was typed before",
    keys: ["ctrl+r"],
    run: (context) =>
      void context.open(async (...at) => (await import("../dialog/history/history.ts")).historyDialog(...at)),
  },
  {
    name: "app.transcript",
    about: "the whole conversation, page by page",
    keys: [],
    command: "transcript",
    run: (context) =>
      void context.open(async (at) => (await import("../dialog/transcript/transcript.ts")).transcriptDialog(at)),
  },
  {
    name: "app.hotkeys",
    about: "which key does what",
    keys: [],
    command: "hotkeys",
    aliases: ["keys"],
    usage: "[names]",
    complete: (words) => ["names"].filter((word) => word.startsWith(words)),
    run: (context, words) =>
      context.show({ kind: "prose", data: {}, text: context.hotkeys(words === "names" ? "names" : "keys") }),
  },
  { name: "app.redraw", about: "draw the screen anew", keys: ["ctrl+shift+l"], run: ({ screen }) => screen.redraw() },
  {
    name: "app.session.new",
    about: "begin a new session",
    keys: [],
    command: "new",
    aliases: ["clear"],
    async run(context) {
      if ((await context.swap({ open: "new" })) === "swapped") context.say("info", "A new session; /resume goes back.");
    },
  },
  {
    name: "app.session.resume",
    about: "go on with another session",
    keys: [],
    command: "resume",
    aliases: ["sessions"],
    run: (context) =>
      void context.open(async (...at) => (await import("../dialog/sessions/sessions.ts")).sessionsDialog(...at)),
  },
];

function thinkLonger(context: ScreenContext): void {
  const { coder, screen } = context;
  const at = efforts.indexOf(coder?.choice.effort ?? "off");
  if (coder) coder.configure({ thinking: efforts[(at + 1) % efforts.length] ?? "off" });
  else context.later(() => thinkLonger(context));
  screen.now();
}

/** One that full.ts does itself. */
function row(name: string, about: string, keys: readonly string[]): Action {
  return { name, about, keys, run: (context) => context.own(name) };
}

import { efforts } from "@pith/llm";
import type { ScreenContext } from "../context.ts";
import { openWhole } from "../dialog/pager.ts";
import { inputOf } from "../submit.ts";
import type { Action } from "./action.ts";
import { takeBack } from "./escape.ts";

/** Actions of the interface itself; dialogs have rows of their own. */
export const coreActions: readonly Action[] = [
  row("app.interrupt", "stop what runs, clear what is typed", ["escape"], ({ leaving }) => leaving.escape()),
  row("app.clear", "clear what is typed, or stop what runs; twice leaves", ["ctrl+c"], ({ leaving }) =>
    leaving.clear(),
  ),
  row("app.exit", "leave, when nothing is typed", ["ctrl+d"], ({ leaving }) => leaving.exit()),
  row("app.suspend", "stop pith and go to the shell; fg comes back", ["ctrl+z"], (context) => context.suspend()),
  row("app.message.followUp", "say it when the turn is over", ["alt+enter"], ({ composer, submitter }) => {
    const { text, attachments } = composer.take();
    composer.clear();
    submitter.enter({ ...inputOf(text, attachments), when: "after" });
  }),
  row("app.message.dequeue", "take back what waits", ["alt+up"], (context) => {
    if (takeBack(context) === 0) context.say("info", "Nothing waits.");
  }),
  row("app.tools.expand", "show all of the newest output", ["ctrl+o"], (context) => {
    const more = context.view.expand();
    if (more === "expanded") context.screen.request();
    else if (more) void context.open(openWhole(context.theme, more));
    else context.say("info", "There is nothing more to show.");
  }),
  row("app.tools.expandAll", "show all of every output, and paint anew", ["ctrl+shift+o"], (context) => {
    if (context.can.multiplexer) return context.act("app.transcript");
    context.view.style.whole = !context.view.style.whole;
    context.screen.replace();
  }),
  row("app.thinking.toggle", "show or hide what the model thinks", ["ctrl+t"], toggleThinking),
  row("app.thinking.cycle", "how long the model thinks", ["shift+tab"], thinkLonger),
  row("app.editor.external", "write it in your editor", ["ctrl+g"], async (context) =>
    (await import("../composer/external.ts")).editElsewhere(context),
  ),
  row("app.clipboard.pasteImage", "paste a picture", ["ctrl+v"], async (context) =>
    (await import("../composer/paste.ts")).pastePicture(context),
  ),
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
  else context.submitter.later(() => thinkLonger(context));
  screen.now();
}

function toggleThinking(context: ScreenContext): void {
  const { style } = context.view;
  style.thinking = style.thinking === "brief" ? "whole" : "brief";
  const how = style.thinking === "brief" ? "in brief" : "whole";
  if (context.can.multiplexer) context.say("info", `What the model thinks is shown ${how} from here on.`);
  else context.screen.replace();
}

function row(name: string, about: string, keys: readonly string[], run: Action["run"]): Action {
  return { name, about, keys, run };
}

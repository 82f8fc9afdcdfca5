import { formatBytes, messageOf, plainText, plural } from "@pith/kit";
import { createList, type ListItem } from "@pith/tui";
import {
  clearOutputs,
  type DebugCommand,
  debugCommand,
  debugCommands,
  noneOld,
  oldOutputs,
} from "../../../../report/debug.ts";
import { systemFacts } from "../../../../report/report.ts";
import type { DialogResult, MakeDialog, ScreenContext } from "../../context.ts";
import { openWhole } from "../pager.ts";

/** Commands with a dialog; the others say their result in words. */
const dialogs: Readonly<Record<string, MakeDialog>> = {
  logs: async (context) => (await import("./logs.ts")).logsDialog(context),
  system: (context, close) =>
    openWhole(context.theme, { title: "system", text: systemFacts(context.io).join("\n") })(context, close),
  "raw-sse": async (context) => (await import("./raw-sse.ts")).rawDialog(context),
  performance: async (context, close) => (await import("./watch.ts")).performanceDialog(context, close),
  work: async (context, close) => (await import("./watch.ts")).workDialog(context, close),
  transcript(context) {
    context.act("app.transcript");
    return "";
  },
  "clear-cache": clearDialog,
};

/** Does what the words name, or lists everything that helps to find out what is wrong. */
export function debugDialog(
  context: ScreenContext,
  close: () => void,
  words: string,
): DialogResult | Promise<DialogResult> {
  const [name = "", ...more] = words.split(/\s+/);
  if (name !== "") {
    const command = debugCommand(name);
    if (command) return opened(command, more.join(" "))(context, close);
    const names = debugCommands.map((each) => each.name).join(", ");
    throw new Error(plainText(`/debug knows no ${name}. It knows ${names}.`));
  }
  const list = createList<ListItem & { command: DebugCommand }>({
    theme: context.theme,
    items: debugCommands.map((command) => ({ command, label: command.name, detail: command.about })),
    choose({ command }) {
      close();
      void context.open(opened(command, ""));
    },
    cancel: close,
  });
  return Object.assign(list, { title: "debug", hint: "Enter does it  Esc closes", rows: 11 });
}

/** Opens the dialog of a command, or says what came of it. */
const opened =
  ({ name, run }: DebugCommand, words: string): MakeDialog =>
  async (context, close) => {
    try {
      const dialog = name === "clear-cache" && words === "yes" ? undefined : dialogs[name];
      if (dialog) return await dialog(context, close);
      const done = await run?.(context, words);
      if (done?.ok === false) throw new Error(done.message);
      return plainText(done?.value ?? "");
    } catch (error) {
      throw new Error(plainText(messageOf(error)));
    }
  };

/** Asks before old outputs are removed. */
function clearDialog(context: ScreenContext, close: () => void): DialogResult {
  const old = oldOutputs(context);
  if (old.length === 0) return noneOld;
  const bytes = formatBytes(old.reduce((sum, one) => sum + one.bytes, 0));
  const list = createList<ListItem>({
    theme: context.theme,
    items: [
      { id: "no", label: "No", detail: "leave them" },
      { id: "yes", label: "Yes", detail: `remove ${plural(old.length, "folder")} (${bytes}); the sessions stay` },
    ],
    choose({ id }) {
      close();
      if (id !== "yes") return;
      const done = clearOutputs(context);
      context.say(done.ok ? "info" : "error", plainText(done.ok ? done.value : done.message));
    },
    cancel: close,
  });
  return Object.assign(list, {
    title: `remove outputs of ${plural(old.length, "session")} that are older than 30 days?`,
    hint: "Enter answers  Esc leaves them",
    rows: 3,
  });
}

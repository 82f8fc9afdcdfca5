import { messageOf, plainText } from "@pith/kit";
import { createList, type ListItem } from "@pith/tui";
import { debugAliases, debugCommands } from "../../../../report/debug.ts";
import type { DialogResult, MakeDialog, ScreenContext } from "../../context.ts";

interface Entry extends ListItem {
  make(context: ScreenContext, close: () => void, more: string): DialogResult | Promise<DialogResult>;
}

const entry = (label: string, detail: string, make: Entry["make"]): Entry => ({ label, detail, make });

/** What is done at once, and told in a sentence. */
const told = (label: string, detail: string): Entry =>
  entry(label, detail, (context, _, more) => worded(context, label, more));

/** What helps to find out what is wrong. Nothing of it is for the model. */
const entries: readonly Entry[] = [
  told("dump", "an archive of session, outputs, log and system, without the keys that pith knows of"),
  entry("logs", "pith's log, from its newest lines", async (context) =>
    (await import("./logs.ts")).logsDialog(context),
  ),
  entry("system", "machine, terminal, versions", async (context) =>
    (await import("./system.ts")).systemDialog(context),
  ),
  entry("raw-sse", "what the model's server sends, as it comes", async (context) =>
    (await import("./raw-sse.ts")).rawDialog(context),
  ),
  told("memory", "all that pith has in memory, in an archive like dump's"),
  entry("performance", "where pith's time goes until you press Enter, in such an archive", async (context, close) =>
    (await import("./performance.ts")).performanceDialog(context, close),
  ),
  entry("work", "where its time goes for 30 seconds, as a picture", async (context, close) =>
    (await import("./work.ts")).workDialog(context, close),
  ),
  entry("transcript", "the whole conversation", (context) => {
    context.act("app.transcript");
    return "";
  }),
  told("open-artifacts", "where the session is, and what was too long for it"),
  entry("clear-cache", "remove outputs older than 30 days; asks first", async (context, close, more) =>
    more === "yes"
      ? worded(context, "clear-cache", more)
      : (await import("./clear-cache.ts")).clearDialog(context, close),
  ),
];

export const debugNames: readonly string[] = entries.map(({ label }) => label);

export function debugDialog(
  context: ScreenContext,
  close: () => void,
  words: string,
): DialogResult | Promise<DialogResult> {
  const [name = "", ...more] = words.split(/\s+/);
  if (name !== "") {
    const known = entries.find(({ label }) => label === (debugAliases[name] ?? name));
    if (known) return opened(known, more.join(" "))(context, close);
    throw new Error(plainText(`/debug knows no ${name}. It knows ${debugNames.join(", ")}.`));
  }
  const list = createList<Entry>({
    theme: context.theme,
    items: entries,
    choose([chosen]) {
      close();
      if (chosen) void context.open(opened(chosen, ""));
    },
    cancel: close,
  });
  return Object.assign(list, { title: "debug", hint: "Enter does it  Esc closes", rows: 11 });
}

/** A failure is shown; nothing is thrown further than that. */
const opened =
  (chosen: Entry, more: string): MakeDialog =>
  async (context, close) => {
    try {
      return await chosen.make(context, close, more);
    } catch (error) {
      throw new Error(plainText(messageOf(error)));
    }
  };

async function worded(context: ScreenContext, name: string, more: string): Promise<string> {
  const done = await debugCommands[name]?.(context, more);
  if (done?.ok === false) throw new Error(done.message);
  return plainText(done?.value ?? "");
}

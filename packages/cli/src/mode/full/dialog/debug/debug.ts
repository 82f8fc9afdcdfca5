import { messageOf, plainText } from "@pith/kit";
import { createList, type ListItem } from "@pith/tui";
import { debugAliases, debugWords } from "../../../../report/debug.ts";
import type { MakeDialog, Opening, Seat } from "../../context.ts";

interface Entry extends ListItem {
  make(seat: Seat, close: () => void, more: string): Opening | Promise<Opening>;
}

const entry = (label: string, detail: string, make: Entry["make"]): Entry => ({ label, detail, make });

/** What is done at once, and told in a sentence. */
const told = (label: string, detail: string): Entry =>
  entry(label, detail, (seat, _, more) => worded(seat, label, more));

/** What helps to find out what is wrong. Nothing of it is for the model. */
const entries: readonly Entry[] = [
  told("dump", "an archive of session, outputs, log and system, without the keys that pith knows of"),
  entry("logs", "pith's log, from its newest lines", async (seat) => (await import("./logs.ts")).logsDialog(seat)),
  entry("system", "machine, terminal, versions", async (seat) => (await import("./system.ts")).systemDialog(seat)),
  entry("raw-sse", "what the model's server sends, as it comes", async (seat) =>
    (await import("./raw-sse.ts")).rawDialog(seat),
  ),
  told("memory", "all that pith has in memory, in an archive like dump's"),
  entry("performance", "where pith's time goes until you press Enter, in such an archive", async (seat, close) =>
    (await import("./performance.ts")).performanceDialog(seat, close),
  ),
  entry("work", "where its time goes for 30 seconds, as a picture", async (seat, close) =>
    (await import("./work.ts")).workDialog(seat, close),
  ),
  entry("transcript", "the whole conversation", (seat) => {
    seat.act("app.transcript");
    return "";
  }),
  told("open-artifacts", "where the session is, and what was too long for it"),
  entry("clear-cache", "remove outputs older than 30 days; asks first", async (seat, close, more) =>
    more === "yes" ? worded(seat, "clear-cache", more) : (await import("./clear-cache.ts")).clearDialog(seat, close),
  ),
];

export const debugNames: readonly string[] = entries.map(({ label }) => label);

export function debugDialog(seat: Seat, close: () => void, words: string): Opening | Promise<Opening> {
  const [name = "", ...more] = words.split(/\s+/);
  if (name !== "") {
    const known = entries.find(({ label }) => label === (debugAliases[name] ?? name));
    if (known) return opened(known, more.join(" "))(seat, close);
    throw new Error(plainText(`/debug knows no ${name}. It knows ${debugNames.join(", ")}.`));
  }
  const list = createList<Entry>({
    theme: seat.theme,
    items: entries,
    choose([chosen]) {
      close();
      if (chosen) void seat.open(opened(chosen, ""));
    },
    cancel: close,
  });
  return Object.assign(list, { title: "debug", hint: "Enter does it  Esc closes", rows: 11 });
}

/** A failure is shown; nothing is thrown further than that. */
const opened =
  (chosen: Entry, more: string): MakeDialog =>
  async (seat, close) => {
    try {
      return await chosen.make(seat, close, more);
    } catch (error) {
      throw new Error(plainText(messageOf(error)));
    }
  };

async function worded(seat: Seat, name: string, more: string): Promise<string> {
  const done = await debugWords[name]?.(seat, more);
  if (done?.ok === false) throw new Error(done.message);
  return plainText(done?.value ?? "");
}

import { type Event, schema as s } from "@pith/agent";
import { fail } from "@pith/kit";
import { compaction } from "../event.ts";
import { text } from "../schema.ts";
import type { SessionHost } from "../session-host.ts";
import { command, configures } from "./row.ts";

/** Commands that make a long conversation shorter. */
export const compactionCommands = {
  compact: command({
    about: "sum up what was said so far, to make room; what runs is ended first",
    takes: { customInstructions: text.optional() },
    gives: compaction,
    order: "input",
    shortens: true,
    run: ({ customInstructions = "" }, host) => compact(customInstructions, host),
  }),
  set_auto_compaction: configures(
    "whether a conversation that fills the window is made shorter by itself",
    { enabled: s.boolean() },
    ({ enabled }) => ({ compaction: enabled ? "on" : "off" }),
  ),
};

/** Performs the slash command that people type; an event brings the result. */
async function compact(words: string, { coder, performing }: SessionHost) {
  const row = coder.commands.own.find(({ name }) => name === "compact");
  if (!row) return fail("missing", "Compaction is not there.");
  const stop = new AbortController();
  let done: (Event & { type: "compacted" }) | undefined;
  using _ = coder.subscribe((event) => {
    if (event.type === "compacted") done = event;
  });
  performing.add(stop);
  try {
    const ending = await coder.perform({ is: "command", command: row, words: words.trim() }, stop.signal);
    const { entry, tokensAfter, error } = done ?? {};
    if (!entry)
      return fail("compaction", error ?? (ending.do === "show" ? ending.outcome.text : "Nothing came of it."));
    const { summary, firstKeptEntryId, tokensBefore, details } = entry;
    const estimatedTokensAfter = tokensAfter === undefined ? undefined : Math.round(tokensAfter);
    return { summary, firstKeptEntryId, tokensBefore, estimatedTokensAfter, details };
  } finally {
    performing.delete(stop);
  }
}

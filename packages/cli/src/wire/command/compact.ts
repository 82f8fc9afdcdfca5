import { type Event, schema as s } from "@pith/agent";
import { fail, ok } from "@pith/kit";
import { compaction } from "../event.ts";
import { text } from "../schema.ts";
import type { SessionHost } from "../session-host.ts";
import { command, type Ran } from "./row.ts";

/** How a long conversation is made shorter. */
export const compacting = {
  compact: command(
    "sum up what was said so far, to make room; what runs is ended first",
    { customInstructions: text.optional() },
    {
      order: "input",
      shortens: true,
      gives: compaction,
      run: ({ customInstructions = "" }, station) => compact(customInstructions, station),
    },
  ),
  set_auto_compaction: command(
    "whether a conversation that fills the window is made shorter by itself",
    { enabled: s.boolean() },
    {
      run({ enabled }, { coder }) {
        coder.configure({ compaction: enabled ? "on" : "off" });
        return ok(undefined);
      },
    },
  ),
};

type Compacted = Extract<Event, { type: "compacted" }>;

/** The command that people type; what came of it is in the event. */
async function compact(words: string, { coder, performing }: SessionHost): Promise<Ran<never>> {
  const row = coder.commands.own.find(({ name }) => name === "compact");
  if (!row) return fail("missing", "Compaction is not there.");
  const stop = new AbortController();
  let done: Compacted | undefined;
  using _ = coder.subscribe((event) => {
    if (event.type === "compacted") done = event;
  });
  performing.add(stop);
  try {
    const ending = await coder.perform({ is: "command", command: row, words: words.trim() }, stop.signal);
    const { entry, tokensAfter, error } = done ?? {};
    if (entry) {
      const { summary, firstKeptEntryId, tokensBefore, details } = entry;
      const estimatedTokensAfter = tokensAfter === undefined ? undefined : Math.round(tokensAfter);
      return ok({ summary, firstKeptEntryId, tokensBefore, estimatedTokensAfter, details }) as Ran<never>;
    }
    return fail("compaction", error ?? (ending.do === "show" ? ending.outcome.text : "Nothing came of it."));
  } finally {
    performing.delete(stop);
  }
}

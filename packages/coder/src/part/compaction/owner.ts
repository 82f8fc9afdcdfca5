import type { EntryDraft, Header, Summarizer } from "@pith/agent";
import type { Result } from "@pith/kit";
import type { MakePart } from "../../hall/part.ts";
import { Compactor } from "./compactor.ts";

declare module "../../hall/hall.ts" {
  interface Hall {
    /** Decides when the conversation is too long, and shortens it. */
    compactor: Compactor;
    /** Models to ask for the summary of a branch; `record` takes the cost of each answer. */
    branchSummarizers(record: (draft: EntryDraft) => void): Promise<Summarizer[]>;
    /** Goes on in a new session that begins with a document. */
    handOver(document: string): Promise<Result<Header, "unable">>;
  }
}

type Needs =
  | "scope"
  | "cwd"
  | "home"
  | "sessions"
  | "launch"
  | "models"
  | "secrets"
  | "settings"
  | "choice"
  | "journal"
  | "tree"
  | "channel"
  | "points"
  | "keeping"
  | "gauge"
  | "aside"
  | "asideTo"
  | "briefing"
  | "conversation"
  | "directory"
  | "snapshots";

export const compactor: MakePart<Needs, "compactor" | "handOver" | "branchSummarizers"> = (hall) => {
  const { scope, launch, settings, journal, channel, keeping, briefing, conversation, snapshots } = hall;
  const tell = (text: string) => channel.notify({ level: "warn", text });
  const handOverTo = async (document: string): Promise<Result<Header, "unable">> => {
    const { handOver } = await import("./handover.ts");
    const { cwd, home, sessions, directory: beside } = hall;
    const own = { cwd, home, sessions, terminal: launch.terminal, sync: settings.get("session.sync") };
    return handOver({ ...own, journal, conversation, beside, snapshots, keeping, tell }, document);
  };
  const { choice, models, secrets, tree, points, gauge, aside } = hall;
  return {
    name: "compactor",
    owns: {
      handOver: handOverTo,
      async branchSummarizers(record) {
        const { candidatesFor } = await import("./candidates.ts");
        return candidatesFor({ ...hall, aside: hall.asideTo(record) }, "branch");
      },
      compactor: new Compactor({
        settings,
        choice,
        models,
        secrets,
        journal,
        tree,
        channel,
        points,
        keeping,
        gauge,
        aside,
        standing: () => conversation.nextRequest(),
        anew: () => briefing.anew(),
        // A sub-agent stays in the record that its parent names.
        handOver: scope === "main" ? handOverTo : undefined,
      }),
    },
  };
};

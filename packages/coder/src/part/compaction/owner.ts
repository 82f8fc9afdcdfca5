import type { EntryDraft, Header, Summarizer } from "@pith/agent";
import type { Result } from "@pith/kit";
import type { MakePart } from "../../hall/part.ts";
import { Compactor } from "./compactor.ts";
import type { HandoverNeeds } from "./handover.ts";
import type { CompactorNeeds } from "./order.ts";

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

export const sessionHandover: MakePart<HandoverNeeds, "handOver"> = (hall) => ({
  name: "session handover",
  owns: { handOver: async (document) => (await import("./handover.ts")).handOver(hall, document) },
});

export const compactor: MakePart<CompactorNeeds | "asideTo", "compactor" | "branchSummarizers"> = (hall) => ({
  name: "compactor",
  owns: {
    compactor: new Compactor(hall),
    async branchSummarizers(record) {
      const { candidatesFor } = await import("./candidates.ts");
      return candidatesFor(hall, "branch", hall.asideTo(record));
    },
  },
});

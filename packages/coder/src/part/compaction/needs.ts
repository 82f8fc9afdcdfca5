import type {
  AskModel,
  Channel,
  CompactionCause,
  EntryDraft,
  Journal,
  Points,
  SessionTree,
  SizeSettings,
} from "@pith/agent";
import type { Result } from "@pith/kit";
import type { Model, Models, Request } from "@pith/llm";
import type { Keeping } from "../../hall/keeping.ts";
import type { Choice } from "../../model/choice.ts";
import type { Secrets } from "../../secret/secrets.ts";
import type { SettingView } from "../../setting/setting.ts";
import type { Gauge } from "../../usage/gauge.ts";

/** What it takes to make a conversation shorter. */
export interface CompactorNeeds {
  settings: SettingView;
  choice: Choice;
  models: Pick<Models, "resolve">;
  secrets: Pick<Secrets, "mask">;
  journal: Pick<Journal, "file">;
  tree: SessionTree;
  channel: Channel;
  points: Points;
  keeping: Keeping;
  gauge(): Promise<Gauge>;
  aside: AskModel;
  standing(): Promise<Request>;
  /** Goes on in a new session that begins with a document; a sub-agent does not. */
  handOver: ((document: string) => Promise<Result<unknown, string>>) | undefined;
  /** What the model is told before the conversation, said anew, for the write that shortens it. */
  anew(): EntryDraft;
}

/** One run of it. */
export interface Order {
  cause: CompactionCause;
  /** The one that the conversation goes on with, and what fits into its window. */
  model: Model;
  window: number;
  instructions?: string | undefined;
  /** Of this run alone, whatever is set: nothing else takes its place. */
  only?: "handoff";
  /** The past is pictures, and this model sees none: they are put into words whatever room there is. */
  blind?: boolean;
  /** An answer that was cut off and is to be shown no more. */
  drop?: string | undefined;
  /** How the turn goes on behind it, where there is one. */
  next: "step" | "again" | "nothing";
  signal: AbortSignal;
}

export type Ran =
  | { did: "shorter"; before: number; after: number }
  /** There is nothing to leave out. */
  | { did: "nothing"; why: string }
  /** `unanswered`: only because nobody has answered since the last time. */
  | { did: "failed"; why: string; unanswered?: true }
  | { did: "stopped" };

/** What people set of sizes. */
export const wishesOf = (settings: SettingView): SizeSettings => ({
  thresholdPercent: settings.get("compaction.thresholdPercent"),
  thresholdTokens: settings.get("compaction.thresholdTokens"),
  reserveTokens: settings.get("compaction.reserveTokens"),
  reserve: settings.origin("compaction.reserveTokens").layer === "default" ? "default" : "set",
  keepRecentTokens: settings.get("compaction.keepRecentTokens"),
});

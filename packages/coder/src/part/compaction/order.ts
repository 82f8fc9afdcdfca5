import type {
  CompactionCause,
  CompactionModule,
  MeasuredEntry,
  MessageEdit,
  SizeSettings,
  WindowSizes,
} from "@pith/agent";
import type { Model } from "@pith/llm";
import type { Hall } from "../../hall/hall.ts";
import type { SettingView } from "../../setting/setting.ts";
import type { Measure } from "../../usage/gauge.ts";

export type CompactorNeeds =
  | ("aside" | "briefing" | "channel" | "choice" | "gauge" | "handOver" | "journal" | "keeping" | "models")
  | ("points" | "scope" | "secrets" | "settings" | "standing" | "tree");

export type CompactionHall = Pick<Hall, CompactorNeeds>;

/** An order to shorten a conversation. */
export interface CompactionOrder {
  cause: CompactionCause;
  /** The model that the conversation goes on with, and its window. */
  model: Model;
  window: number;
  instructions?: string | undefined;
  /** The strategy to use, whatever is configured; no other takes its place. */
  only?: "handoff";
  /** True when the past is pictures and the model sees none: it is put into words, whatever room there is. */
  blind?: boolean;
  /** The entry of an incomplete answer, to be left out. */
  drop?: string | undefined;
  /** The next thing in the turn: a step, or the same request again. */
  next: "step" | "again" | "nothing";
  signal: AbortSignal;
}

export type CompactionEnd =
  | { did: "shorter"; before: number; after: number }
  | { did: "nothing"; why: string }
  /** `unanswered`: nothing was tried, because the model has not answered since the last time. */
  | { did: "failed"; why: string; unanswered?: true }
  | { did: "stopped" };

/** The conversation, measured for a window. */
export interface MeasuredPath {
  compaction: CompactionModule;
  measure: Measure;
  sizes: WindowSizes;
  path: readonly MeasuredEntry[];
  /** Edits that leave out an incomplete answer. */
  dropped: readonly MessageEdit[];
}

/** The settings about sizes. */
export const sizeSettings = (settings: SettingView): SizeSettings => ({
  thresholdPercent: settings.get("compaction.thresholdPercent"),
  thresholdTokens: settings.get("compaction.thresholdTokens"),
  reserveTokens: settings.get("compaction.reserveTokens"),
  reserve: settings.origin("compaction.reserveTokens").layer === "default" ? "default" : "set",
  keepRecentTokens: settings.get("compaction.keepRecentTokens"),
});

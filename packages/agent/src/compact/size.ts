/** Settings of compaction; -1 is unset. */
export interface SizeSettings {
  thresholdPercent: number;
  thresholdTokens: number;
  reserveTokens: number;
  /** `set` if the user set the reserve: the default one shrinks more in a small window. */
  reserve: "default" | "set";
  keepRecentTokens: number;
}

/** Division of a window, in tokens. */
export interface WindowSizes {
  window: number;
  /** Longest request that is sent without a compaction. */
  threshold: number;
  /** System prompt and tools. */
  fixed: number;
  /** Rest for the conversation. */
  room: number;
  /** End of the conversation that is kept unchanged. */
  keep: number;
  summary: number;
  /** Quotes beside the summary. */
  words: number;
  /** Newest results that pruning leaves alone. */
  protect: number;
  /** Least gain of pruning that is worth a cached prefix. */
  win: number;
  /** Longest request after a compaction: a third of the room is free. */
  goal: number;
}

/**
 * Divides a window. The defaults are for large windows; where they do not fit they become shares of the room. A default
 * reserve takes at most a quarter of the window, one that the user set at most 60 %.
 */
export function sizesOf(window: number, fixed: number, wishes: SizeSettings): WindowSizes {
  const threshold = thresholdOf(window, wishes);
  const room = Math.max(0, threshold - fixed);
  const atMost = (most: number, share: number) => Math.floor(Math.min(most, room * share));
  return {
    window,
    threshold,
    fixed,
    room,
    keep: atMost(wishes.keepRecentTokens, 0.4),
    summary: atMost(16_384, 0.15),
    words: atMost(20_000, 0.1),
    protect: atMost(40_000, 0.4),
    win: room * 0.4 >= 40_000 ? 20_000 : Math.floor(room * 0.1),
    goal: fixed + Math.floor((room * 2) / 3),
  };
}

/** The threshold for compaction; zero for an unknown window, which is only compacted when a server asks for it. */
export function thresholdOf(window: number, wishes: Omit<SizeSettings, "keepRecentTokens">): number {
  const { thresholdPercent, thresholdTokens, reserveTokens, reserve } = wishes;
  if (!(window > 0)) return 0;
  if (thresholdTokens > 0) return Math.min(thresholdTokens, window);
  if (thresholdPercent > 0) return Math.floor((window * Math.min(100, thresholdPercent)) / 100);
  const most = window * (reserve === "set" ? 0.6 : 0.25);
  return Math.floor(window - Math.max(window * 0.15, Math.min(reserveTokens, most)));
}

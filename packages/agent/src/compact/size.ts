/** What people may set of it; -1 is unset. */
export interface SizeSettings {
  thresholdPercent: number;
  thresholdTokens: number;
  reserveTokens: number;
  /** Whether somebody set the reserve: a default one yields more to a small window. */
  reserve: "default" | "set";
  keepRecentTokens: number;
}

/** How a window is divided, in tokens. */
export interface WindowSizes {
  window: number;
  /** A request that is longer is not sent before the conversation was made shorter. */
  threshold: number;
  /** What stands before the conversation in every request: the system prompt and the tools. */
  fixed: number;
  /** For the conversation. */
  room: number;
  /** Of its end that is kept as it stands. */
  keep: number;
  summary: number;
  /** What is kept word for word beside the summary. */
  words: number;
  /** Results of tools that pruning leaves alone, the newest. */
  protect: number;
  /** What pruning has to win to be worth a cached prefix. */
  win: number;
  /** How long a request may be after a run: a third of the room is free again. */
  goal: number;
}

/**
 * The rows' figures are made for large windows: where they do not fit they become shares of the room. A reserve never
 * takes more than a quarter of the window by itself, nor more than 60 % where somebody set it.
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

/** Zero where nobody knows the window: then nothing is made shorter before a server asks for it. */
export function thresholdOf(window: number, wishes: Omit<SizeSettings, "keepRecentTokens">): number {
  const { thresholdPercent, thresholdTokens, reserveTokens, reserve } = wishes;
  if (!(window > 0)) return 0;
  if (thresholdTokens > 0) return Math.min(thresholdTokens, window);
  if (thresholdPercent > 0) return Math.floor((window * Math.min(100, thresholdPercent)) / 100);
  const most = window * (reserve === "set" ? 0.6 : 0.25);
  return Math.floor(window - Math.max(window * 0.15, Math.min(reserveTokens, most)));
}

import type { Strategy } from "./strategy.ts";

/** Strategies of compaction, each loaded on use. */
export const strategies: Readonly<Record<string, () => Promise<Strategy>>> = {
  "context-full": async () => (await import("./full.ts")).contextFull,
  handoff: async () => (await import("./handoff.ts")).handoff,
  snapcompact: async () => (await import("./snap/snap.ts")).snapcompact,
  shake: async () => (await import("./shake.ts")).shake,
};

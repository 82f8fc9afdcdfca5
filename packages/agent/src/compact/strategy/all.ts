import type { Strategy } from "./strategy.ts";

/** The ways to make a conversation shorter, each loaded when it is used. */
export const strategies: Readonly<Record<string, () => Promise<Strategy>>> = {
  "context-full": async () => (await import("./full.ts")).contextFull,
  handoff: async () => (await import("./handoff.ts")).handoff,
  snapcompact: async () => (await import("./snap/snap.ts")).snapcompact,
  shake: async () => (await import("./shake.ts")).shake,
};

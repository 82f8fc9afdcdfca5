import type { Profile } from "./flame.ts";

// Profiles of time and memory, in the formats that the usual tools open.

/** Starts a profile; `stop` ends it and can be called once. */
export async function watchTime(): Promise<{ stop(): Promise<Profile> }> {
  const { Session } = await import("node:inspector");
  const session = new Session();
  session.connect();
  const post = (method: string) =>
    new Promise<{ profile?: unknown }>((done, failed) =>
      session.post(method, (error: Error | null, answer?: object) => (error ? failed(error) : done(answer ?? {}))),
    );
  await post("Profiler.enable");
  await post("Profiler.start");
  return {
    async stop() {
      try {
        const { profile } = await post("Profiler.stop");
        return profile as Profile;
      } finally {
        session.disconnect();
      }
    },
  };
}

/** A snapshot of the memory after a collection, and its sizes. */
export function heapNow(): { snapshot: string; sizes: string[] } {
  Bun.gc(true);
  const sizes = Object.entries(process.memoryUsage()).map(([name, bytes]) => `${name}: ${(bytes / 1e6).toFixed(1)} MB`);
  return { snapshot: Bun.generateHeapSnapshot("v8"), sizes };
}

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// What this program does with its time and its memory, as files that the usual tools open.

/** Begins to watch where time goes; `stop` writes it down and says where. */
export async function watchTime(): Promise<{ stop(): Promise<string> }> {
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
      const { profile } = await post("Profiler.stop");
      session.disconnect();
      return keep("pith.cpuprofile", JSON.stringify(profile));
    },
  };
}

/** All that is in memory now. It holds whatever pith holds, keys too. */
export function writeHeap(): string {
  Bun.gc(true);
  return keep("pith.heapsnapshot", Bun.generateHeapSnapshot("v8"));
}

function keep(name: string, text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "pith-profile-")), name);
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  return file;
}

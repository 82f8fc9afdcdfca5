// A power cut: what was written and not synced when something was promised is gone. A tracer notes writes and syncs.
import { existsSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";

/** Words before a command that note its writes and syncs in a file. */
export const tracer = (log: string): string[] => [
  ..."strace -f -y -qq -s 100000 --seccomp-bpf".split(" "),
  ...["-e", "trace=write,pwrite64,writev,fsync,fdatasync,ftruncate", "-e", "signal=none", "-o", log],
];

/** Promises: all of a turn is on the disk when it has ended, and what was asked for when a call begins. */
const promise = /\\"type\\":\\"(?:agent_settled|tool_execution_start)\\"/;

type Sizes = Map<string, number>;

/**
 * Cuts the records back to what was synced when the process last promised something; returns whether it had. A record
 * that was there before loses nothing of what it had then.
 */
export function cutPower(log: string, before: ReadonlyMap<string, number>): boolean {
  const sizes = new Map(before);
  const synced = new Map(before);
  const syncing = new Map<string, string>();
  let kept: Sizes | undefined;
  for (const line of readFileSync(log, "latin1").split("\n")) {
    if (/^\d+ +write\(1</.test(line) && promise.test(line)) kept = new Map(synced);
    const done = syncedBy(line, syncing);
    if (done === undefined) grow(line, sizes);
    else synced.set(done, sizes.get(done) ?? 0);
  }
  if (!kept) return false;
  for (const path of sizes.keys()) cut(path, kept.get(path) ?? 0);
  return true;
}

const isRecord = (path: string): boolean => path.endsWith(".jsonl") && path.includes("/sessions/");

/** The record that this line of the log says is synced; a call of several threads may end in a later line. */
function syncedBy(line: string, syncing: Map<string, string>): string | undefined {
  const [, thread = "", path = "", rest = ""] = /^(\d+) +f(?:data)?sync\(\d+<([^>]*)>(.*)/.exec(line) ?? [];
  if (isRecord(path) && !rest.includes("<unfinished")) return path;
  if (isRecord(path)) syncing.set(thread, path);
  const [, resumed = ""] = /^(\d+) +<\.\.\. f(?:data)?sync resumed>/.exec(line) ?? [];
  const ended = syncing.get(resumed);
  syncing.delete(resumed);
  return ended;
}

/** Takes what this line of the log writes. */
function grow(line: string, sizes: Sizes): void {
  const [, call = "", path = ""] = /^\d+ +(\w+)\(\d+<([^>]*)>/.exec(line) ?? [];
  if (!isRecord(path)) return;
  const bytes = Number(/ = (\d+)$/.exec(line)?.[1] ?? /, (\d+) <unfinished/.exec(line)?.[1] ?? 0);
  if (call === "ftruncate") sizes.set(path, Number(/, (\d+)/.exec(line)?.[1] ?? 0));
  else if (call.includes("write")) sizes.set(path, (sizes.get(path) ?? 0) + bytes);
}

function cut(path: string, bytes: number): void {
  if (!existsSync(path) || statSync(path).size <= bytes) return;
  if (bytes === 0) rmSync(path);
  else truncateSync(path, bytes);
  // The index is written after the record, and is not synced: without power it need not be there.
  rmSync(`${path}.idx`, { force: true });
}

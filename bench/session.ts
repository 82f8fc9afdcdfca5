// Sessions to measure with: as long as wanted, compacted every 2,000 entries, so that what a model is shown stays
// short.
import { closeSync, existsSync, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileStorage, Journal } from "../packages/agent/src/index.ts";
import { systemClock } from "../packages/kit/src/index.ts";
import type { Lab } from "./lab.ts";
import { wordsOf } from "./mock.ts";
import { argsFor } from "./turn.ts";
import type { Sample } from "./work.ts";

export interface Size {
  name: string;
  entries: number;
  bytes: number;
  /** Without it, a compaction stands at every 2,000 entries. */
  compacted?: "never";
}
export const small: Size = { name: "small", entries: 200, bytes: 1e6 };
export const huge: Size = { name: "huge", entries: 200_000, bytes: 1e9 };
/** As long, and never made shorter. */
export const uncompacted: Size = { name: "uncompacted", entries: 200_000, bytes: 1e9, compacted: "never" };

/** The file of a session of that size; written once per lab, index included. */
export async function sessionOf(lab: Lab, size: Size): Promise<string> {
  const file = join(lab.project, "..", "sessions", `${size.name}.jsonl`);
  if (existsSync(file)) return file;
  mkdirSync(dirname(file), { recursive: true });
  write(file, size, lab.project);
  const opened = Journal.open({ storage: fileStorage(file), clock: systemClock, onFault: () => {} });
  if (!opened.ok) throw new Error(opened.message);
  if (opened.value.journal.tree.size !== size.entries)
    throw new Error(`${file} has ${opened.value.journal.tree.size} entries`);
  await opened.value.journal.close();
  return file;
}

/** Runs one prompt in a resumed session. Throws unless the answer is right and the summary reached the model. */
export async function resume(lab: Lab, file: string): Promise<Sample> {
  const run = await lab.start("pith", [...argsFor("pith", "say it"), "-r", file], { play: "words", count: 1 });
  const [first] = run.seen;
  if (run.output.trim() !== wordsOf(1).join("").trim() || !first || first.bytes < 10_000)
    throw new Error(`the session did not go on: ${run.output}`);
  return { request: first.arrived - run.began, rss: run.peakMb, cpu: run.cpuMs };
}

const usage = {
  input: 1,
  output: 1,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 2,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

function write(file: string, { entries, bytes, compacted }: Size, cwd: string): void {
  const timestamp = "2026-01-01T00:00:00.000Z";
  const length = Math.max(100, Math.floor(bytes / entries) - 250);
  const id = (at: number) => (at + 1).toString(16).padStart(8, "0");
  const fd = openSync(file, "w");
  let lines = [JSON.stringify({ type: "session", version: 3, id: `bench-${entries}`, timestamp, cwd })];
  for (let at = 0; at < entries; at++) {
    const base = { id: id(at), parentId: at === 0 ? null : id(at - 1), timestamp };
    const entry = (!compacted && compactionAt(at, entries, id)) || messageAt(at, length);
    lines.push(JSON.stringify({ ...entry, ...base }));
    if (lines.length < 500) continue;
    writeSync(fd, `${lines.join("\n")}\n`);
    lines = [];
  }
  if (lines.length > 0) writeSync(fd, `${lines.join("\n")}\n`);
  closeSync(fd);
}

/** A compaction now and then, and one near the end. */
function compactionAt(at: number, entries: number, id: (at: number) => string): object | undefined {
  if (at <= 100 || (at % 2000 !== 0 && at !== entries - 40)) return undefined;
  return { type: "compaction", summary: textAt(at, 2000), firstKeptEntryId: id(at - 80), tokensBefore: 100_000 };
}

/** Questions, replies with a call, results and answers in turn. */
function messageAt(at: number, length: number): object {
  const reply = (content: object[], stopReason: string) => ({
    role: "assistant",
    content,
    api: "openai-completions",
    provider: "openai",
    model: "bench",
    usage,
    stopReason,
    timestamp: 1,
  });
  const text = (size: number) => ({ type: "text", text: textAt(at, size) });
  const messages = [
    () => ({ role: "user", content: [text(200)], timestamp: 1 }),
    () => reply([text(300), { type: "toolCall", id: `c${at}`, name: "bash", arguments: { command: "ls" } }], "toolUse"),
    () => ({
      role: "toolResult",
      toolCallId: `c${at - 1}`,
      toolName: "bash",
      content: [text(length * 3)],
      isError: false,
      timestamp: 1,
    }),
    () => reply([text(length)], "stop"),
  ];
  return { type: "message", message: messages[at % 4]?.() };
}

const stock = Array.from({ length: 4000 }, (_, at) => `w${(Math.imul(at, 2654435761) >>> 0).toString(36)} `).join("");

/** Words with a distribution: each text is another part of the same stock, and one in two hundred holds a rare word. */
function textAt(at: number, size: number): string {
  const start = (at * 7919) % (stock.length - 100);
  const part = (stock + stock).slice(start, start + Math.min(size, stock.length));
  return (at % 200 === 3 ? "needle " : "") + part.repeat(Math.ceil(size / part.length)).slice(0, size);
}

import { statSync } from "node:fs";
import { fail, ok, type Result } from "@pith/kit";
import { runScript } from "../exec/script.ts";
import type { Reply } from "./answer.ts";

/** Endings of documents that are shown as Markdown. */
export const documentEnding = /\.(?:pdf|docx?|pptx?|xlsx?|rtf|epub|od[tsp])$/i;

const timeoutMs = 30_000;
const maxMemory = 1024 * 1024 * 1024;

/** A large document is read page by page, and taking it apart is what costs: the last one is kept. */
let last: { stamp: string; text: string } | undefined;

/**
 * A document as Markdown. It is taken apart in a process of its own, with a limit of time and of memory: documents
 * come from strangers, and what goes wrong there must not go wrong here.
 */
export async function readDocument(path: string, signal: AbortSignal): Promise<Result<string, "document" | "aborted">> {
  if (signal.aborted) return fail("aborted", "stopped");
  const stat = statSync(path, { throwIfNoEntry: false });
  const stamp = [path, stat?.ino, stat?.size, stat?.mtimeMs, stat?.ctimeMs].join("\0");
  if (last?.stamp === stamp) return ok(last.text);
  const { scripts } = await import("./script.ts");
  const script = scripts[/\.(?:pdf|epub)$/i.test(path) ? "book" : "office"];
  const ran = await runScript({ script, args: [path], timeoutMs, maxMemory, signal });
  if (!ran.ok && ran.kind === "aborted") return fail("aborted", "stopped");
  if (!ran.ok && ran.kind === "crash")
    return fail("document", `it could not be taken apart (${ran.message.split("\n").at(-1)})`);
  if (!ran.ok) return fail("document", `reading it ${ran.message}`);
  const answer = JSON.parse(ran.value) as Reply;
  if (!answer.ok) return fail("document", answer.message);
  last = { stamp, text: answer.text };
  return ok(answer.text);
}

import { createReadStream } from "node:fs";
import { LineCutter, openPlain, parseJson, recordOf } from "@pith/kit";
import type { AssistantMessage } from "@pith/llm";
import type { Billed } from "./total.ts";

/** An answer of a session, with what a bill needs. */
export interface Spent {
  message: Billed & Pick<AssistantMessage, "provider" | "model">;
  /** Epoch milliseconds. */
  at: number;
  /** The directory the session worked in. */
  project: string;
  session: string;
}

/** Reads the answers of session files, each once: those that a fork has copied do not count again. */
export async function* spentIn(files: readonly string[], onUnreadable: (file: string) => void): AsyncGenerator<Spent> {
  const seen = new Set<string>();
  for (const file of files) {
    let project = "";
    try {
      for await (const line of linesOf(file)) {
        if (line.startsWith('{"type":"session"')) project = String(recordOf(parseJson(line)).cwd ?? "");
        const answer = answerIn(line);
        if (!answer || seen.has(answer.key)) continue;
        seen.add(answer.key);
        yield { message: answer.message, at: answer.at, project, session: file };
      }
    } catch {
      onUnreadable(file);
    }
  }
}

function answerIn(line: string): { message: Spent["message"]; at: number; key: string } | undefined {
  // Most lines are long and no answers, so only possible ones are parsed.
  const entry = line.includes('"role":"assistant"') || line.includes('"pith.spent"') ? recordOf(parseJson(line)) : {};
  const lost = entry.customType === "pith.spent" ? (entry.data as AssistantMessage | undefined) : undefined;
  const message = lost ? { ...lost, lost: true } : (entry.message as AssistantMessage | undefined);
  if (!message?.usage || (!lost && message.role !== "assistant")) return undefined;
  const at = typeof message.timestamp === "number" ? message.timestamp : Date.parse(String(entry.timestamp));
  return Number.isNaN(at) ? undefined : { message, at, key: `${String(entry.id)} ${at}` };
}

/** Longer lines are no entries. */
const maxLine = 64 * 1024 * 1024;

async function* linesOf(file: string): AsyncGenerator<string> {
  const cutter = new LineCutter();
  for await (const chunk of createReadStream("", {
    fd: openPlain(file, "followed"),
    encoding: "utf8",
    highWaterMark: 256 * 1024,
  })) {
    yield* cutter.push(chunk as string);
    if (cutter.rest.length > maxLine) throw new Error("a line without end");
  }
  if (cutter.rest !== "") yield cutter.rest;
}

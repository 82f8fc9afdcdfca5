import { type Entry, textOf } from "@pith/agent";
import type { Seat } from "../seat.ts";
import type { Action } from "./action.ts";

const kinds = ["message", "code", "command"] as const;
type Kind = (typeof kinds)[number];

/** `/copy [message|code|command] [n]`: the newest, or the n-th before it. */
export const copyAction: Action = {
  name: "app.message.copy",
  about: "copy an answer, a block of code or a command; the newest, or the nth",
  keys: [],
  command: "copy",
  usage: "[message|code|command] [n]",
  complete: (words) => kinds.filter((kind) => kind.startsWith(words)),
  run(seat, words) {
    const [, kind = "message", count = "1"] = /^(message|code|command)?\s*(\d+)?$/.exec(words) ?? [undefined, ""];
    if (kind === "" || count === "0") seat.say("warn", "Usage: /copy [message|code|command] [n]");
    else void copy(seat, kind as Kind, Number(count));
  },
};

async function copy(seat: Seat, kind: Kind, n: number): Promise<void> {
  const text = nth(seat.coder?.back() ?? [], kind, n);
  if (text === undefined) {
    seat.say("warn", n === 1 ? `There is no ${kind} to copy yet.` : `There is no ${kind} ${n}.`);
    return;
  }
  const { copyText } = await import("../../../desk/copy.ts");
  const { env } = seat.io;
  const done = await copyText(text, { env, platform: process.platform, write: (bytes) => seat.terminal.write(bytes) });
  const size = `${text.split("\n").length > 1 ? `${text.split("\n").length} lines` : `${text.length} characters`}`;
  seat.say(done.ok ? "info" : "error", done.ok ? `Copied the ${kind} (${size}) by ${done.value}.` : done.message);
}

/** The n-th from the end; only as much is read as it takes. */
function nth(back: Iterable<Entry>, kind: Kind, n: number): string | undefined {
  let left = n;
  for (const entry of back)
    for (const text of pieces[kind](entry).toReversed()) {
      left--;
      if (left === 0) return text;
    }
  return undefined;
}

const pieces: Record<Kind, (entry: Entry) => string[]> = {
  message: (entry) => answersIn(entry).filter((text) => text.trim() !== ""),
  code: (entry) =>
    answersIn(entry).flatMap((text) =>
      [...text.matchAll(/^(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^\1[`~]*\s*$/gm)].map(([, , code = ""]) => code),
    ),
  command(entry) {
    if (entry.type !== "message") return [];
    const { role, command } = entry.message as { role: string; command?: unknown };
    if (role === "bashExecution") return typeof command === "string" ? [command] : [];
    if (entry.message.role !== "assistant") return [];
    return entry.message.content.flatMap((part) =>
      part.type === "toolCall" && typeof part.arguments.command === "string" ? [part.arguments.command] : [],
    );
  },
};

const answersIn = (entry: Entry): string[] =>
  entry.type === "message" && entry.message.role === "assistant" ? [textOf(entry.message.content)] : [];

import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Entry, textOf } from "@pith/agent";
import type { Coder, Settings } from "@pith/coder";
import { countLines, expandHome, fail, idStart, ok, type Result } from "@pith/kit";
import type { Io } from "../io/io.ts";

/** The result of a command in a sentence. */
type CommandResult = Result<string, "usage" | "failed">;

export interface SharedCommandContext {
  coder: Coder;
  io: Io;
  settings: Settings;
  cwd: string;
  /** Writes to the terminal. */
  write(bytes: string): void;
}

/** A command on the session that several interfaces have; each shows the result in its own way. */
export interface SharedCommand {
  command: string;
  about: string;
  usage: string;
  aliases?: readonly string[];
  complete?(words: string): readonly string[];
  run(needs: SharedCommandContext, words: string): CommandResult | Promise<CommandResult>;
}

export const nameCommand: SharedCommand = {
  command: "name",
  about: "name this session",
  usage: "<name>",
  aliases: ["rename"],
  run({ coder }, words) {
    if (words === "") return fail("usage", "Say how: /name <name>");
    coder.walk.rename(words);
    return ok("The session was renamed.");
  },
};

const forms = ["html", "md", "json", "jsonl"] as const;

export const exportCommand: SharedCommand = {
  command: "export",
  about: "write this session to a file: a page, Markdown or data",
  usage: "[html|md|json|jsonl] [file]",
  complete: (words) => forms.filter((form) => form.startsWith(words)),
  async run({ coder, io, settings, cwd }, words) {
    if (coder.file === undefined) return fail("usage", "Nothing is recorded, so there is nothing to export.");
    const [, named, rest = ""] = /^(html|md|json|jsonl)?(?:\s+|$)(.*)$/.exec(words) ?? [undefined, undefined, words];
    const form = named ?? forms.find((each) => rest.endsWith(`.${each}`)) ?? "html";
    const file = resolve(cwd, expandHome(rest, io.userHome) || `pith-session-${idStart(coder.header.id)}.${form}`);
    // A file that is named by mistake is not overwritten.
    if (rest !== "" && existsSync(file)) return fail("usage", `${file} is there already; name another file.`);
    if (!existsSync(dirname(file))) return fail("usage", `There is no directory ${dirname(file)}.`);
    const { exportTo } = await import("../export/write.ts");
    const done = await exportTo(coder.file, form as (typeof forms)[number], file, { io, settings });
    return done.ok ? ok(`The session is in ${file}.`) : fail("failed", done.message);
  },
};

const kinds = ["message", "code", "command"] as const;
type Kind = (typeof kinds)[number];

/** `/copy [message|code|command] [n]`: the newest, or the n-th before it. */
export const copyCommand: SharedCommand = {
  command: "copy",
  about: "copy an answer, a block of code or a command; the newest, or the nth",
  usage: "[message|code|command] [n]",
  complete: (words) => kinds.filter((kind) => kind.startsWith(words)),
  async run({ coder, io, write }, words) {
    const [, kind = "message", count = "1"] = /^(message|code|command)?\s*(\d+)?$/.exec(words) ?? [undefined, ""];
    if (kind === "" || count === "0") return fail("usage", "Usage: /copy [message|code|command] [n]");
    const text = nth(coder.record.back(), kind as Kind, Number(count));
    if (text === undefined)
      return fail("usage", count === "1" ? `There is no ${kind} to copy yet.` : `There is no ${kind} ${count}.`);
    const { copyText } = await import("../io/clipboard.ts");
    const done = await copyText(text, { env: io.env, platform: process.platform, write });
    if (!done.ok) return done;
    const lines = countLines(text);
    return ok(`Copied the ${kind} (${lines > 1 ? `${lines} lines` : `${text.length} characters`}) by ${done.value}.`);
  },
};

/** The nth text from the end of the conversation. */
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

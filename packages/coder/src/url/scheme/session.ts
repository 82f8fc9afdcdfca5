import { type Entry, type SessionTree, textOf } from "@pith/agent";
import { fail, formatBytes, ok, plainText, plural, type Result, sleep } from "@pith/kit";
import { Marks, type Origin } from "../../policy/provenance.ts";
import type { Resource } from "../handler.ts";
import type { Url } from "../url.ts";

/** Entries that are listed, the newest. */
const most = 20;
/** Characters that are shown before a found word, and behind it. */
const around = { before: 40, behind: 120 };
/** Entries that are searched before other work may run. */
const stepOf = 200;

/** Reads entries of this session as they were written, also when the model is not shown them any more. */
export class OwnRecord {
  readonly #tree: SessionTree;
  readonly #marks: Marks;

  constructor(tree: SessionTree) {
    this.#tree = tree;
    this.#marks = new Marks(tree);
  }

  /** Resolves an entry by its id, the entries that contain all words of `?q=`, or the newest ones. */
  async resolve({ path, query }: Url, signal: AbortSignal): Promise<Result<Resource, "url">> {
    if (path !== "") return this.#one(path);
    const words = (query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const hits: { entry: Entry; text: string; at: number }[] = [];
    let seen = 0;
    let found = 0;
    for (const entry of this.#tree.all()) {
      if (++seen % stepOf === 0) await sleep(0);
      if (signal.aborted) return fail("url", "The search was ended.");
      // Internal entries would hide the conversation.
      const text = entry.type === "custom" ? "" : said(entry);
      if (text === "") continue;
      const lower = text.toLowerCase();
      // The search itself contains the words.
      if (words.length > 0 && lower.includes("history://session?q=")) continue;
      if (!words.every((word) => lower.includes(word))) continue;
      found++;
      hits.push({ entry, text, at: lower.indexOf(words[0] ?? "") });
      if (hits.length > most) hits.shift();
    }
    const rows = hits
      .reverse()
      .map(({ entry, text, at }) => `history://session/${entry.id} ${title(entry)}: ${part(text, at)}`);
    const many = `${plural(found, "entry", "entries")}${words.length > 0 ? ` with ${words.join(" ")}` : ""}`;
    const newest = found > most ? `, the newest ${most}` : "";
    const origin = hits.map(({ entry }) => this.#origin(entry.id)).find(Boolean);
    return ok({ text: [`${many}${newest}${found > 0 ? ":" : "."}`, ...rows].join("\n"), origin });
  }

  #one(id: string): Result<Resource, "url"> {
    const entry = this.#tree.get(id);
    if (!entry) return fail("url", `history://session/${id} not found. history://session?q=words finds entries`);
    const text = `${title(entry)}, ${plainText(entry.timestamp)}\n\n${said(entry) || "(it says nothing)"}`;
    return ok({ text, origin: this.#origin(id) });
  }

  /** Returns the origin of text by strangers before an entry, which it keeps when it is read again. */
  #origin(id: string): Origin | undefined {
    const mark = this.#marks.upTo(id).at(-1);
    return mark && { from: mark.from, what: mark.what };
  }
}

/** Names an entry in a few words. */
function title(entry: Entry): string {
  if (entry.type !== "message") return plainText("customType" in entry ? entry.customType : entry.type);
  const { role, toolName } = entry.message as { role: string; toolName?: string };
  return plainText(toolName === undefined ? role : `${role} ${toolName}`);
}

/** Renders an entry uncut, with images as a short text. */
function said(entry: Entry): string {
  if (entry.type === "compaction" || entry.type === "branch_summary") return entry.summary;
  if (entry.type === "custom_message") return blocks(entry.content);
  if (entry.type !== "message") return JSON.stringify(entry, undefined, 2);
  const { content, command, code, output, summary } = entry.message as Foreign;
  if (content !== undefined) return blocks(content);
  return [command ?? code, output, summary].filter(Boolean).join("\n");
}

/** A message of any program. */
interface Foreign {
  content?: unknown;
  command?: string;
  code?: string;
  output?: string;
  summary?: string;
}

interface Block {
  type?: unknown;
  thinking?: unknown;
  name?: unknown;
  arguments?: unknown;
  mimeType?: unknown;
  data?: unknown;
}

function blocks(content: unknown): string {
  if (!Array.isArray(content)) return textOf(content);
  return content
    .map((block: Block | null) => {
      if (block?.type === "toolCall") return `→ ${String(block.name)} ${JSON.stringify(block.arguments)}`;
      if (block?.type === "thinking") return `(thought) ${String(block.thinking ?? "")}`;
      if (block?.type === "image")
        return `[${String(block.mimeType)}, ${formatBytes(Math.floor((String(block.data ?? "").length * 3) / 4))}]`;
      return textOf([block]);
    })
    .filter(Boolean)
    .join("\n");
}

/** Cuts a line out of a text, around a place in it. */
function part(text: string, at: number): string {
  const from = Math.max(0, at - around.before);
  const to = at + around.behind;
  const line = text.slice(from, to).replace(/\s+/g, " ").trim();
  return `${from > 0 ? "…" : ""}${plainText(line)}${to < text.length ? "…" : ""}`;
}

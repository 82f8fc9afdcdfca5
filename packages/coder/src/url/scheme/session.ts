import { type Entry, type SessionTree, textOf } from "@pith/agent";
import { fail, formatBytes, ok, plainText, plural, type Result, sleep } from "@pith/kit";
import { Marks, type Origin } from "../../policy/provenance.ts";
import type { Resource } from "../handler.ts";
import type { Url } from "../url.ts";

/** Hits of a search, and entries of the list without one: the newest. */
const most = 20;
/** Characters of a hit before the word that was found, and behind it. */
const around = { before: 40, behind: 120 };
/** Entries that are looked through before others have their turn. */
const stepOf = 200;

/** Who reads the record of this session: an entry as it was written, whatever a model is shown of it now. */
export class OwnRecord {
  readonly #tree: SessionTree;
  readonly #marks: Marks;

  constructor(tree: SessionTree) {
    this.#tree = tree;
    this.#marks = new Marks(tree);
  }

  /** One entry by its id, the entries that hold all words of `?q=`, or the newest. */
  async resolve({ path, query }: Url, signal: AbortSignal): Promise<Result<Resource, "url">> {
    if (path !== "") return this.#one(path);
    const words = (query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const hits: { entry: Entry; text: string; at: number }[] = [];
    let seen = 0;
    let found = 0;
    for (const entry of this.#tree.all()) {
      if (++seen % stepOf === 0) await sleep(0);
      if (signal.aborted) return fail("url", "The search was ended.");
      // What pith keeps for itself would bury what was said.
      const text = entry.type === "custom" ? "" : said(entry);
      if (text === "") continue;
      const lower = text.toLowerCase();
      // Whoever searches has said the words just now.
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

  /** What strangers wrote on the way to an entry is as strange when it is read again from another place. */
  #origin(id: string): Origin | undefined {
    const mark = this.#marks.upTo(id).at(-1);
    return mark && { from: mark.from, what: mark.what };
  }
}

/** What an entry is, in a few words. */
function title(entry: Entry): string {
  if (entry.type !== "message") return plainText("customType" in entry ? entry.customType : entry.type);
  const { role, toolName } = entry.message as { role: string; toolName?: string };
  return plainText(toolName === undefined ? role : `${role} ${toolName}`);
}

/** All that an entry says: nothing of it is cut, for that is what it is read for. Pictures are named. */
function said(entry: Entry): string {
  if (entry.type === "compaction" || entry.type === "branch_summary") return entry.summary;
  if (entry.type === "custom_message") return blocks(entry.content);
  if (entry.type !== "message") return JSON.stringify(entry, undefined, 2);
  const { content, command, code, output, summary } = entry.message as Foreign;
  if (content !== undefined) return blocks(content);
  return [command ?? code, output, summary].filter(Boolean).join("\n");
}

/** A message of whatever program. */
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

/** One line of a text around a place in it. */
function part(text: string, at: number): string {
  const from = Math.max(0, at - around.before);
  const to = at + around.behind;
  const line = text.slice(from, to).replace(/\s+/g, " ").trim();
  return `${from > 0 ? "…" : ""}${plainText(line)}${to < text.length ? "…" : ""}`;
}

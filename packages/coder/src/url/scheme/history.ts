import type { SessionTree } from "@pith/agent";
import { fail, ok, parseJson, recordOf, shorten } from "@pith/kit";
import { available, filesIn, findIn, sessionFolder } from "../folder.ts";
import type { Handler } from "../handler.ts";
import { OwnRecord } from "./session.ts";

/** Names the conversation itself; no agent has this name. */
const own = "session";

/** Transcripts of sub-agents, and the entries of this conversation. */
export const historyOf = (tree?: SessionTree): Handler => {
  const record = tree && new OwnRecord(tree);
  return {
    resolve(url, { sessionDir }, signal) {
      const { host } = url;
      if (host === own && record) return record.resolve(url, signal);
      if (sessionDir === undefined) return fail("url", "There is no session that has kept anything");
      const file = findIn([sessionFolder(sessionDir)], `${host}.jsonl`);
      if (!file) return fail("url", `history://${host} not found. ${available(names(sessionDir))}`);
      return ok({ file, extract: transcript });
    },
    list: ({ sessionDir }) =>
      [...(record ? [own] : []), ...(sessionDir ? names(sessionDir) : [])].map((name) => `history://${name}`),
  };
};

const names = (sessionDir: string): string[] =>
  filesIn(sessionFolder(sessionDir))
    .flatMap((file) => /^([^/]+)\.jsonl$/.exec(file)?.[1] ?? [])
    .filter((name) => name !== own);

const transcript = (record: string) => ok(record.split("\n").flatMap(turnOf).join("\n\n") || "(nothing was said yet)");

interface RecordedMessage {
  role?: string;
  content?: string | Block[];
  toolName?: string;
}

interface Block {
  type?: string;
  text?: string;
  name?: string;
  arguments?: unknown;
}

/** Renders a line of a record as a paragraph; nothing for a line that is no message or broken. */
function turnOf(line: string): string[] {
  const entry = recordOf(parseJson(line));
  const { role, content, toolName } = (entry.type === "message" ? recordOf(entry.message) : {}) as RecordedMessage;
  if (role === undefined || content === undefined) return [];
  const blocks: unknown[] =
    typeof content === "string" ? [{ type: "text", text: content }] : Array.isArray(content) ? content : [];
  const said = blocks.flatMap((part) => {
    const block: Block = part ?? {};
    if (block.type === "text") return [shorten(String(block.text ?? ""), role === "toolResult" ? 300 : 2000)];
    return block.type === "toolCall" ? [`→ ${block.name} ${shorten(JSON.stringify(block.arguments) ?? "", 200)}`] : [];
  });
  return said.length > 0 ? [`${toolName ? `${role} ${toolName}` : role}: ${said.join("\n")}`] : [];
}

import type { SessionTree } from "@pith/agent";
import { fail, ok, shorten } from "@pith/kit";
import { available, filesIn, findIn, sessionFolder } from "../folder.ts";
import type { Handler } from "../handler.ts";
import { OwnRecord } from "./session.ts";

/** No agent is called like this: it is the conversation itself. */
const own = "session";

/** What a delegated agent said and did, from its record; and every entry of this conversation, from its own. */
export const historyOf = (tree?: SessionTree): Handler => {
  const record = tree && new OwnRecord(tree);
  return {
    resolve(url, { sessionDir }, signal) {
      const { host } = url;
      if (host === own && record) return record.resolve(url, signal);
      if (sessionDir === undefined) return fail("url", "Nothing is kept here: there is no session");
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

interface Block {
  type?: string;
  text?: string;
  name?: string;
  arguments?: unknown;
}

/** One line of a record as one paragraph; what is no message, or was torn, is none. */
function turnOf(line: string): string[] {
  let entry: { type?: string; message?: { role?: string; content?: string | Block[]; toolName?: string } };
  try {
    entry = JSON.parse(line);
  } catch {
    return [];
  }
  const { role, content, toolName } = entry?.type === "message" ? (entry.message ?? {}) : {};
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

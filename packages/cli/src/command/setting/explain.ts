import { type Entry, recentSessions } from "@pith/agent";
import { loadPolicy } from "@pith/coder";
import { plainText } from "@pith/kit";
import { exit } from "../../io/interrupt.ts";
import { type Io, jsonLine, usage } from "../../io/io.ts";
import { readSession, sessionsFolder } from "../../open/folder.ts";

interface ExplainRequest {
  call: string;
  session: string | undefined;
  form: "json" | "text";
}

/** Explains a call of a session: what it was, who allowed it, and which text of strangers stood before it. */
export async function explainCall({ call, session, form }: ExplainRequest, io: Io): Promise<number> {
  const sessions = await sessionsFolder(io);
  if (!sessions.ok) return usage(io, sessions.message);
  const [last] = session === undefined ? recentSessions(sessions.value, io.cwd, io.home, undefined) : [session];
  if (last === undefined) return usage(io, "there is no session in this directory; --session names one");
  const opened = await readSession(io, last);
  if (!opened.ok) return usage(io, opened.message);
  const { tree } = opened.value.journal;
  const found = resultOf(tree.all(), call);
  if (!found) return usage(io, `the session has no call ${JSON.stringify(call)}; --session names another one`);
  const { Marks, markText } = await loadPolicy();
  const { message, entry } = found;
  const details = (message.details ?? {}) as Record<string, unknown>;
  const marks = new Marks(tree).upTo(entry.parentId);
  const [first] = message.content;
  const text = first?.type === "text" ? first.text : "";
  if (form === "json") {
    const { allowed = null, intent = null, meta } = details;
    const { origin = null } = (meta ?? {}) as { origin?: unknown };
    const failed = message.isError ? text.slice(0, 2000) : null;
    io.out.write(jsonLine({ call, tool: message.toolName, intent, allowed, origin, failed, strangers: marks }, io));
    return exit.finished;
  }
  const rows = [
    `${message.toolName} (${call})`,
    `what it was to do: ${details.intent ? JSON.stringify(details.intent) : "not known"}`,
    `who allowed it: ${typeof details.allowed === "string" ? details.allowed : message.isError ? "nobody" : "not noted"}`,
    ...(message.isError ? [`what became of it: ${text.slice(0, 2000)}`] : []),
    marks.length > 0 ? "before it the conversation held:" : "before it the conversation held no untrusted content",
    ...marks.map((mark) => `- ${markText(mark)}`),
  ];
  io.out.write(plainText(`${rows.join("\n")}\n`));
  return exit.finished;
}

/** The last result of a call, with its entry. */
function resultOf(entries: Iterable<Entry>, call: string) {
  const results = [...entries].flatMap((entry) =>
    entry.type === "message" && entry.message.role === "toolResult" ? [{ entry, message: entry.message }] : [],
  );
  return results.findLast(({ message }) => message.toolCallId === call);
}

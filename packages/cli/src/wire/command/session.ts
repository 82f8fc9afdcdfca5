import { resolve } from "node:path";
import { type Entry, schema as s, shownEntries, textOf } from "@pith/agent";
import type { Coder } from "@pith/coder";
import { type Fail, fail, realPath } from "@pith/kit";
import { customMessage } from "../encoder.ts";
import { entry } from "../event.ts";
import { level, model, wireModel } from "../message.ts";
import { bool, int, list, nullSchema, open, text } from "../schema.ts";
import type { SessionHost } from "../session-host.ts";
import { levelOf } from "./model.ts";
import { freshSession, isBusy } from "./prompt.ts";
import { type Answered, command } from "./row.ts";

const moved = s.object({ cancelled: bool });
const orNull = s.union([text, nullSchema]);
const delivery = s.oneOf(["all", "one-at-a-time"]);
const message = open<object>({ role: text });
interface TreeNode {
  entry: Entry;
  children: TreeNode[];
  label?: string;
  labelTimestamp?: string;
}
const node = open<TreeNode>({ entry, children: list(s.unknown()) });

const fork = command({
  about: "go on in a copy of the path before something that was said",
  takes: { entryId: text },
  gives: s.object({ text, cancelled: bool }),
  order: "swap",
  async run({ entryId }, host) {
    const said = host.coder.record.entry(entryId);
    if (said?.type !== "message" || said.message.role !== "user")
      return fail("missing", `No message of the user has the id ${JSON.stringify(entryId.slice(0, 100))}.`);
    const refusal = await goOnInCopy(host, said.parentId);
    return refusal ?? { text: textOf(said.message.content), cancelled: false };
  },
});
const forkMessages = command({
  about: "what was said on this path, to fork from",
  takes: {},
  gives: s.object({ messages: list(s.object({ entryId: text, text })) }),
  run: (_, { coder }) => ({
    messages: coder.path().flatMap((entry) => {
      const said = entry.type === "message" && entry.message.role === "user" ? entry.message : undefined;
      return said ? [{ entryId: entry.id, text: textOf(said.content) }] : [];
    }),
  }),
});

/** Commands about the session: what stands in it, and others in its place. */
export const sessionCommands = {
  new_session: command({
    about: "begin another session",
    takes: { parentSession: text.optional() },
    gives: moved,
    order: "swap",
    run: ({ parentSession }, host) => swapped(host.swap(freshSession(host.coder, parentSession))),
  }),
  switch_session: command({
    about: "go on with the session of a file",
    takes: { sessionPath: text },
    gives: moved,
    order: "swap",
    async run({ sessionPath }, host) {
      const path = resolve(host.cwd, sessionPath);
      const isOpen = host.coder.file !== undefined && realPath(path) === realPath(host.coder.file);
      return isOpen ? { cancelled: false } : swapped(host.swap({ open: "file", path }));
    },
  }),
  fork,
  branch: { ...fork, ours: true as const },
  clone: command({
    about: "go on in a copy of this path",
    takes: {},
    gives: moved,
    order: "swap",
    run: (_, host) => swapped(goOnInCopy(host, host.coder.record.leaf())),
  }),
  get_fork_messages: forkMessages,
  get_branch_messages: { ...forkMessages, ours: true as const },
  get_state: command({
    about: "how things stand",
    takes: {},
    gives: s.object({
      model,
      thinkingLevel: level,
      isStreaming: bool,
      isCompacting: bool,
      steeringMode: delivery,
      followUpMode: delivery,
      interruptMode: s.oneOf(["immediate", "wait"]),
      approvalMode: text,
      sessionFile: text.optional(),
      sessionId: text,
      sessionName: text.optional(),
      autoCompactionEnabled: bool,
      messageCount: int,
      pendingMessageCount: int,
    }),
    run: (_, { coder, interruptMode }) => ({
      model: wireModel(coder.model),
      thinkingLevel: levelOf(coder),
      isStreaming: isBusy(coder),
      isCompacting: coder.scene.turn?.name === "compacting",
      steeringMode: coder.choice.queue.steer,
      followUpMode: coder.choice.queue.after,
      interruptMode,
      approvalMode: coder.choice.approval,
      sessionFile: coder.file,
      sessionId: coder.header.id,
      sessionName: nameOf(coder),
      autoCompactionEnabled: coder.choice.compaction === "on",
      messageCount: coder.messageCount(),
      pendingMessageCount: coder.scene.queue.length,
    }),
  }),
  get_messages: command({
    about: "the messages of this path; of what was summarized the summary, and then what came with and behind it",
    takes: {},
    gives: s.object({ messages: list(message) }),
    run: (_, { coder }) => ({ messages: shownEntries(coder.path()).flatMap(({ entry }) => messageOf(entry)) }),
  }),
  get_last_assistant_text: command({
    about: "what the model said last, or null",
    takes: {},
    gives: s.object({ text: orNull }),
    run(_, { coder }) {
      for (const entry of coder.record.back()) {
        const said =
          entry.type === "message" && entry.message.role === "assistant" ? textOf(entry.message.content) : "";
        if (said !== "") return { text: said };
      }
      return { text: null };
    },
  }),
  get_entries: command({
    about: "every entry of the session in the order of its file; with `since` those behind that one",
    takes: { since: text.optional() },
    gives: s.object({ entries: list(entry), leafId: orNull }),
    run({ since }, { coder: { record } }) {
      const entries = [...record.entries()];
      const at = entries.findIndex(({ id }) => id === since);
      if (since !== undefined && at === -1)
        return fail("missing", `The session has no entry ${JSON.stringify(since.slice(0, 100))}.`);
      return { entries: entries.slice(at + 1), leafId: record.leaf() };
    },
  }),
  get_tree: command({
    about: "the same as a tree",
    takes: {},
    gives: s.object({ tree: list(node), leafId: orNull }),
    run: (_, { coder: { record } }) => ({ tree: treeOf(record.entries()), leafId: record.leaf() }),
  }),
  get_session_stats: command({
    about: "what was said, used and spent",
    takes: {},
    gives: s.object({
      sessionFile: text.optional(),
      sessionId: text,
      userMessages: int,
      assistantMessages: int,
      toolCalls: int,
      toolResults: int,
      totalMessages: int,
      tokens: s.object({ input: int, output: int, cacheRead: int, cacheWrite: int, total: int }),
      cost: s.number(),
      contextUsage: s.object({ tokens: int, contextWindow: int, percent: s.number() }).optional(),
    }),
    run: (_, { coder }) => statsOf(coder),
  }),
  set_session_name: command({
    about: "name the session",
    takes: { name: text.min(1) },
    run: ({ name }, { coder }) => (name.trim() === "" ? fail("name", "The name is empty.") : coder.walk.rename(name)),
  }),
  export_html: command({
    about: "write the session as a page",
    takes: { outputPath: text.optional() },
    gives: s.object({ path: text }),
    async run({ outputPath }, host) {
      const path = await host.exportHtml(outputPath);
      return path.ok ? { path: path.value } : path;
    },
  }),
  get_commands: command({
    about: "the slash commands that `prompt` knows",
    takes: {},
    gives: s.object({
      commands: list(
        s.object({
          name: text,
          description: text,
          source: text,
          sourceInfo: s.object({ path: text, source: text, scope: text, origin: text }),
        }),
      ),
    }),
    run: (_, { coder }) => ({
      commands: coder.commands.rows.map(({ name, about, from: { path, level } = { path: "", level: "user" } }) => ({
        name,
        description: about,
        source: path === "" ? "extension" : name.startsWith("skill:") ? "skill" : "prompt",
        sourceInfo: { path, source: path === "" ? "pith" : "auto", scope: level, origin: "top-level" },
      })),
    }),
  }),
};

const swapped = async (refusal: Promise<Fail<string> | undefined>): Promise<Answered<{ cancelled: boolean }>> =>
  (await refusal) ?? { cancelled: false };

async function goOnInCopy(host: SessionHost, upTo: string | null): Promise<Fail<string> | undefined> {
  const { record, walk } = host.coder;
  if (record.leaf() === null) return fail("empty", "Nothing has been said yet, so there is nothing to copy.");
  const copy = await walk.fork(upTo);
  return copy.ok ? host.swap({ open: "file", path: copy.value.file }) : copy;
}

function nameOf({ record, header }: Coder): string | undefined {
  for (const entry of record.back()) if (entry.type === "session_info") return entry.name || undefined;
  return header.title;
}

/** The message of an entry as a conversation shows it: of what was summarized, the summary. */
function messageOf(entry: Entry): object[] {
  const timestamp = Date.parse(entry.timestamp);
  switch (entry.type) {
    case "message":
      return [entry.message];
    case "custom_message":
      return [customMessage(entry)];
    case "compaction":
      return [{ role: "compactionSummary", summary: entry.summary, tokensBefore: entry.tokensBefore, timestamp }];
    case "branch_summary":
      return [{ role: "branchSummary", summary: entry.summary, fromId: entry.fromId, timestamp }];
    default:
      return [];
  }
}

function treeOf(entries: Iterable<Entry>): TreeNode[] {
  const nodes = new Map<string, TreeNode>();
  const roots: TreeNode[] = [];
  for (const entry of entries) {
    const node: TreeNode = { entry, children: [] };
    nodes.set(entry.id, node);
    const parent = entry.parentId === null ? undefined : nodes.get(entry.parentId);
    (parent?.children ?? roots).push(node);
    const marked = entry.type === "label" ? nodes.get(entry.targetId) : undefined;
    if (marked && entry.type === "label")
      Object.assign(marked, { label: entry.label, labelTimestamp: entry.timestamp });
  }
  return roots;
}

async function statsOf(coder: Coder) {
  const count: Record<string, number> = {};
  const add = (what: string, more: number) => {
    count[what] = (count[what] ?? 0) + more;
  };
  for (const entry of coder.record.entries()) {
    if (entry.type !== "message") continue;
    const { message } = entry;
    add("all", 1);
    add(message.role, 1);
    if (message.role === "assistant") add("call", message.content.filter(({ type }) => type === "toolCall").length);
  }
  const [{ total }, context] = await Promise.all([coder.usage(), coder.context()]);
  const { input, output, cacheRead, cacheWrite, cost } = total;
  return {
    sessionFile: coder.file,
    sessionId: coder.header.id,
    userMessages: count.user ?? 0,
    assistantMessages: count.assistant ?? 0,
    toolCalls: count.call ?? 0,
    toolResults: count.toolResult ?? 0,
    totalMessages: count.all ?? 0,
    tokens: { input, output, cacheRead, cacheWrite, total: input + output + cacheRead + cacheWrite },
    cost,
    contextUsage: {
      tokens: context.size,
      contextWindow: context.window,
      percent: context.window === 0 ? 0 : (100 * context.size) / context.window,
    },
  };
}

import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { type Entry, schema as s, shownEntries, textOf } from "@pith/agent";
import type { Coder } from "@pith/coder";
import { fail, ok } from "@pith/kit";
import { entry } from "../event.ts";
import { level, model, wireModel } from "../message.ts";
import { list, none, open, text, truth, whole } from "../schema.ts";
import type { SessionHost } from "../session-host.ts";
import { levelOf } from "./model.ts";
import { fresh, isBusy } from "./prompt.ts";
import { command, type Ran } from "./row.ts";

const moved = s.object({ cancelled: truth });
const orNull = s.union([text, none]);
const delivery = s.oneOf(["all", "one-at-a-time"]);
const message = open<object>({ role: text });
const node = open<TreeNode>({ entry, children: list(s.unknown()) });
interface TreeNode {
  entry: Entry;
  children: TreeNode[];
  label?: string;
  labelTimestamp?: string;
}
const source = s.object({ path: text, source: text, scope: text, origin: text });

const fork = command(
  "go on in a copy of the path before something that was said",
  { entryId: text },
  {
    order: "swap",
    gives: s.object({ text, cancelled: truth }),
    async run({ entryId }, station) {
      const said = station.coder.record.entry(entryId);
      if (said?.type !== "message" || said.message.role !== "user")
        return fail("missing", `No message of the user has the id ${JSON.stringify(entryId.slice(0, 100))}.`);
      const gone = await copied(station, said.parentId);
      return gone.ok ? ok({ text: textOf(said.message.content), cancelled: false }) : gone;
    },
  },
);
const forkMessages = command(
  "what was said on this path, to fork from",
  {},
  {
    gives: s.object({ messages: list(s.object({ entryId: text, text })) }),
    run: (_, { coder }) =>
      ok({
        messages: coder.path().flatMap((entry) => {
          const said = entry.type === "message" && entry.message.role === "user" ? entry.message : undefined;
          return said ? [{ entryId: entry.id, text: textOf(said.content) }] : [];
        }),
      }),
  },
);

/** The session: what stands in it, and others in its place. */
export const recording = {
  new_session: command(
    "begin another session",
    { parentSession: text.optional() },
    {
      order: "swap",
      gives: moved,
      run: ({ parentSession }, station) => gone(station.swap(fresh(station.coder, parentSession))),
    },
  ),
  switch_session: command(
    "go on with the session of a file",
    { sessionPath: text },
    {
      order: "swap",
      gives: moved,
      async run({ sessionPath }, station) {
        const path = resolve(station.cwd, sessionPath);
        // It is the one that is open.
        if (station.coder.file !== undefined && realOf(path) === realOf(station.coder.file))
          return ok({ cancelled: false });
        return gone(station.swap({ open: "file", path }));
      },
    },
  ),
  fork,
  branch: { ...fork, ours: true as const },
  clone: command(
    "go on in a copy of this path",
    {},
    {
      order: "swap",
      gives: moved,
      run: (_, station) => gone(copied(station, station.coder.record.leaf())),
    },
  ),
  get_fork_messages: forkMessages,
  get_branch_messages: { ...forkMessages, ours: true as const },
  get_state: command(
    "how things stand",
    {},
    {
      gives: s.object({
        model,
        thinkingLevel: level,
        isStreaming: truth,
        isCompacting: truth,
        steeringMode: delivery,
        followUpMode: delivery,
        interruptMode: s.oneOf(["immediate", "wait"]),
        approvalMode: text,
        sessionFile: text.optional(),
        sessionId: text,
        sessionName: text.optional(),
        autoCompactionEnabled: truth,
        messageCount: whole,
        pendingMessageCount: whole,
      }),
      run: (_, { coder, interruptMode }) =>
        ok({
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
    },
  ),
  get_messages: command(
    "the messages of this path; of what was summed up the summary, and then what came with and behind it",
    {},
    {
      gives: s.object({ messages: list(message) }),
      run: (_, { coder }) => ok({ messages: shownEntries(coder.path()).flatMap(({ entry }) => messageOf(entry)) }),
    },
  ),
  get_last_assistant_text: command(
    "what the model said last, or null",
    {},
    {
      gives: s.object({ text: orNull }),
      run(_, { coder }) {
        for (const entry of coder.record.back()) {
          const said =
            entry.type === "message" && entry.message.role === "assistant" ? textOf(entry.message.content) : "";
          if (said !== "") return ok({ text: said });
        }
        return ok({ text: null });
      },
    },
  ),
  get_entries: command(
    "every entry of the session in the order of its file; with `since` those behind that one",
    {
      since: text.optional(),
    },
    {
      gives: s.object({ entries: list(entry), leafId: orNull }),
      run({ since }, { coder }) {
        const entries = [...coder.record.entries()];
        const at = since === undefined ? -1 : entries.findIndex(({ id }) => id === since);
        if (since !== undefined && at === -1)
          return fail("missing", `The session has no entry ${JSON.stringify(since.slice(0, 100))}.`);
        return ok({ entries: entries.slice(at + 1), leafId: coder.record.leaf() });
      },
    },
  ),
  get_tree: command(
    "the same as a tree",
    {},
    {
      gives: s.object({ tree: list(node), leafId: orNull }),
      run: (_, { coder }) => ok({ tree: treeOf(coder.record.entries()), leafId: coder.record.leaf() }),
    },
  ),
  get_session_stats: command(
    "what was said, used and spent",
    {},
    {
      gives: s.object({
        sessionFile: text.optional(),
        sessionId: text,
        userMessages: whole,
        assistantMessages: whole,
        toolCalls: whole,
        toolResults: whole,
        totalMessages: whole,
        tokens: s.object({ input: whole, output: whole, cacheRead: whole, cacheWrite: whole, total: whole }),
        cost: s.number(),
        contextUsage: s.object({ tokens: whole, contextWindow: whole, percent: s.number() }).optional(),
      }),
      run: (_, { coder }) => statsOf(coder),
    },
  ),
  set_session_name: command(
    "name the session",
    { name: text.min(1) },
    {
      run({ name }, { coder }) {
        if (name.trim() === "") return fail("name", "The name is empty.");
        coder.walk.rename(name);
        return ok(undefined);
      },
    },
  ),
  export_html: command(
    "write the session as a page",
    { outputPath: text.optional() },
    {
      gives: s.object({ path: text }),
      async run({ outputPath }, { exportHtml }) {
        const path = await exportHtml(outputPath);
        return path.ok ? ok({ path: path.value }) : path;
      },
    },
  ),
  get_commands: command(
    "the slash commands that `prompt` knows",
    {},
    {
      gives: s.object({
        commands: list(s.object({ name: text, description: text, source: text, sourceInfo: source })),
      }),
      run: (_, { coder }) =>
        ok({
          commands: coder.commands.rows.map(({ name, about, from }) => ({
            name,
            description: about,
            source: from === undefined ? "extension" : name.startsWith("skill:") ? "skill" : "prompt",
            sourceInfo: {
              path: from?.path ?? "",
              source: from === undefined ? "pith" : "auto",
              scope: from?.level ?? "user",
              origin: "top-level",
            },
          })),
        }),
    },
  ),
};

async function gone(swapped: Promise<Ran<undefined>>): Promise<Ran<{ cancelled: boolean }>> {
  const done = await swapped;
  return done.ok ? ok({ cancelled: false }) : done;
}

async function copied(station: SessionHost, upTo: string | null): Promise<Ran<undefined>> {
  if (station.coder.record.leaf() === null)
    return fail("empty", "Nothing has been said yet, so there is nothing to copy.");
  const copy = await station.coder.walk.fork(upTo);
  return copy.ok ? station.swap({ open: "file", path: copy.value.file }) : copy;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function nameOf(coder: Coder): string | undefined {
  for (const entry of coder.record.back()) if (entry.type === "session_info") return entry.name || undefined;
  return coder.header.title;
}

/** As a conversation shows it: what was said, and what stands in the place of what was summed up. */
function messageOf(entry: Entry): object[] {
  const timestamp = Date.parse(entry.timestamp);
  switch (entry.type) {
    case "message":
      return [entry.message];
    case "custom_message": {
      const { customType, content, display, details } = entry;
      return [{ role: "custom", customType, content, display, details, timestamp }];
    }
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
    if (marked && entry.type === "label") {
      marked.label = entry.label;
      marked.labelTimestamp = entry.timestamp;
    }
  }
  return roots;
}

async function statsOf(coder: Coder): Promise<Ran<never>> {
  const count = { userMessages: 0, assistantMessages: 0, toolCalls: 0, toolResults: 0, totalMessages: 0 };
  for (const entry of coder.record.entries()) {
    if (entry.type !== "message") continue;
    const { message } = entry;
    count.totalMessages++;
    if (message.role === "user") count.userMessages++;
    if (message.role === "toolResult") count.toolResults++;
    if (message.role !== "assistant") continue;
    count.assistantMessages++;
    count.toolCalls += message.content.filter(({ type }) => type === "toolCall").length;
  }
  const [{ total }, context] = await Promise.all([coder.usage(), coder.context()]);
  const { input, output, cacheRead, cacheWrite, cost } = total;
  return ok({
    sessionFile: coder.file,
    sessionId: coder.header.id,
    ...count,
    tokens: { input, output, cacheRead, cacheWrite, total: input + output + cacheRead + cacheWrite },
    cost,
    contextUsage: {
      tokens: context.size,
      contextWindow: context.window,
      percent: context.window === 0 ? 0 : (100 * context.size) / context.window,
    },
  }) as Ran<never>;
}

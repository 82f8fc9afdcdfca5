import { type Entry, type EntryDraft, type Hook, type Notice, perTurn, type SessionTree } from "@pith/agent";
import { plural } from "@pith/kit";
import {
  type Failure,
  type Healer,
  type Healing,
  loadHealing,
  type Message,
  type Request,
  type Stream,
} from "@pith/llm";
import type { MakePart } from "../../hall/part.ts";

interface HealSources {
  tree: SessionTree;
  stream: Stream;
  record(draft: EntryDraft): Entry;
  tell(notice: Notice): void;
}

const type = "pith.heal";

/** Keeps a conversation going that a server refuses. */
export const heal: MakePart<"tree" | "models" | "channel"> = ({ tree, models, channel }) => ({
  name: "heal",
  keeps: { state: [type] },
  hooks: [
    healHook({
      tree,
      stream: models.stream,
      record: (draft) => channel.record(draft),
      tell: (notice) => channel.notify(notice),
    }),
  ],
});

/** How often a turn may be healed: each time takes something away, so this is only against a server without reason. */
const mostPerTurn = 4;

/** Before a request goes out a second time as it is. */
const againMs = 250;

/**
 * A conversation that a server refuses goes on all the same: first as it is, for the trouble may have passed; then
 * without what servers are known to refuse, then without the very blocks that this one refuses, which are found by
 * trying. What was done is in the record, so a resume does it too.
 */
export function healHook({ tree, stream, record, tell }: HealSources): Hook {
  let healing = recordedHealing(tree);
  let healer: Healer | undefined;
  let sent: Request | undefined;
  const healed = perTurn(() => ({ times: 0, again: 0 }));
  const load = async () => {
    healer ??= new (await loadHealing()).Healer();
    return healer;
  };
  return {
    name: "heal",
    async context(request) {
      sent = request;
      return healing ? { ...request, messages: await (await load()).apply(request.messages, healing) } : request;
    },
    async fail(failure, turn) {
      const memory = healed(turn);
      if (!sent || memory.times >= mostPerTurn || !isRefusal(failure, sent, healing)) return { do: "give up" };
      // A request is known by its length: a turn only adds to it.
      if (failure.kind === "rejected" && memory.again !== sent.messages.length) {
        memory.again = sent.messages.length;
        return { do: "retry", delayMs: againMs };
      }
      memory.times++;
      const before = healing ?? { rules: false, blocks: [] };
      const cure = await (await load()).cure(sent, before, stream, turn.signal);
      if (!cure) return { do: "give up" };
      if (cure === before) return { do: "retry", delayMs: 0 };
      const blocks = cure.blocks.slice(before.blocks.length);
      // Without the prompt, the model would answer what nobody asked.
      const prompt = tree.last("user");
      const said = prompt?.type === "message" ? healer?.keysOf(prompt.message as Message) : undefined;
      if (blocks.some(({ key }) => said?.includes(key))) {
        tell({ level: "warn", text: "The server refuses what was just said; it stays in the record, unanswered." });
        return { do: "give up" };
      }
      const answered = promptsAnswered(sent).flatMap((message) => healer?.keysOf(message) ?? []);
      if (blocks.some(({ key }) => answered.includes(key))) {
        tell({ level: "warn", text: "The server now refuses what it has answered before; nothing was left out." });
        return { do: "give up" };
      }
      const fresh = blocks.map((block) => block.what);
      healing = cure;
      record({ type: "custom", customType: type, data: { ...cure, reason: failure.message } });
      const how =
        fresh.length > 0 ? `without ${plural(fresh.length, "block")} (${fresh.join(", ")})` : repaired(sent.messages);
      tell({
        level: "warn",
        text: `The server refused the conversation; it goes on ${how}. The record keeps everything.`,
      });
      return { do: "retry", delayMs: 0 };
    },
  };
}

/** What the rules do to a history, of all that they could do. */
function repaired(messages: readonly Message[]): string {
  const parts = messages.flatMap(({ content }): { type: string; thoughtSignature?: string }[] =>
    typeof content === "string" ? [] : content,
  );
  const done = [
    ...(parts.some((part) => part.type === "thinking" || part.thoughtSignature)
      ? ["without what only one model can read"]
      : []),
    ...(parts.some((part) => part.type === "image") ? ["with its images repaired"] : []),
  ];
  return done.length > 0 ? done.join(", and ") : "with its messages put in order";
}

/** The words of people that this very model has answered; another may refuse what the first one took. */
function promptsAnswered({ messages, model }: Request): Message[] {
  const last = messages.findLastIndex(
    (message) =>
      message.role === "assistant" &&
      message.provider === model.vendor &&
      message.model === model.id &&
      message.stopReason !== "error" &&
      message.stopReason !== "aborted",
  );
  return messages.slice(0, Math.max(0, last)).flatMap((message) => {
    if (message.role !== "user") return [];
    const { content } = message;
    const text = typeof content === "string" ? content : content.filter((part) => part.type === "text");
    return [{ ...message, content: text }];
  });
}

/** Of whomever's file: what does not have the shape of a healing is none. */
function recordedHealing(tree: SessionTree): Healing | undefined {
  const { data } = (tree.lastCustom(type) ?? {}) as { data?: Partial<Healing> | null };
  const isBlock = (block: Partial<Healing["blocks"][number]> | null) =>
    typeof block?.key === "string" && typeof block.what === "string";
  const { rules, blocks } = data ?? {};
  return typeof rules === "boolean" && Array.isArray(blocks) && blocks.every(isBlock) ? { rules, blocks } : undefined;
}

/** A request may also be too large because of its images; that is worth one try. */
function isRefusal({ kind }: Failure, { messages }: Request, healing: Healing | undefined): boolean {
  if (kind === "rejected") return true;
  if (kind !== "overflow" || healing?.rules) return false;
  return messages.some(({ content }) => typeof content !== "string" && content.some((part) => part.type === "image"));
}

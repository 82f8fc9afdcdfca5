import { perTurn, type SessionTree } from "@pith/agent";
import { plural } from "@pith/kit";
import { type Failure, type Healer, type Healing, loadHealing, type Message, type Request } from "@pith/llm";
import type { MakePart } from "../../hall/part.ts";

const type = "pith.heal";

/** Cures of one turn. Each removes something, so the limit only stops a server that refuses everything. */
const mostPerTurn = 4;

/** Wait before a request is sent again unchanged. */
const againMs = 250;

/**
 * Keeps a conversation going that a server refuses: sends it again, then without what servers are known to refuse, then
 * without the very blocks that this server refuses, which are found by trying. A cure is recorded, so that a resume has
 * it, too.
 */
export const heal: MakePart<"tree" | "models" | "channel"> = ({ tree, models, channel }) => {
  const warn = (text: string) => channel.notify({ level: "warn", text });
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
    keeps: { state: [type] },
    async context(request) {
      sent = request;
      return healing && { ...request, messages: await (await load()).apply(request.messages, healing) };
    },
    async fail(failure, turn) {
      const memory = healed(turn);
      if (!sent || memory.times >= mostPerTurn || !isRefusal(failure, sent, healing)) return { do: "give up" };
      // Identifies a request by its length, because a turn only adds messages.
      if (failure.kind === "rejected" && memory.again !== sent.messages.length) {
        memory.again = sent.messages.length;
        return { do: "retry", delayMs: againMs };
      }
      memory.times++;
      const before = healing ?? { rules: false, blocks: [] };
      const cure = await (await load()).cure(sent, before, models.stream, turn.signal);
      if (!cure) return { do: "give up" };
      if (cure === before) return { do: "retry", delayMs: 0 };
      const blocks = cure.blocks.slice(before.blocks.length);
      // The present prompt is never left out: the model would answer something else.
      const prompt = tree.last("user");
      const said = prompt?.type === "message" ? healer?.keysOf(prompt.message as Message) : undefined;
      if (blocks.some(({ key }) => said?.includes(key))) {
        warn("The server refuses this prompt; it stays in the record without an answer.");
        return { do: "give up" };
      }
      const answered = promptsAnswered(sent).flatMap((message) => healer?.keysOf(message) ?? []);
      if (blocks.some(({ key }) => answered.includes(key))) {
        warn("The server now refuses messages that it has answered before; nothing was left out.");
        return { do: "give up" };
      }
      const fresh = blocks.map((block) => block.what);
      healing = cure;
      channel.record({ type: "custom", customType: type, data: { ...cure, reason: failure.message } });
      const how =
        fresh.length > 0 ? `without ${plural(fresh.length, "block")} (${fresh.join(", ")})` : repaired(sent.messages);
      warn(`The server refused the conversation; it goes on ${how}. The record keeps everything.`);
      return { do: "retry", delayMs: 0 };
    },
  };
};

/** Describes what the general rules change in these messages. */
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

/** Returns the prompts that this very model has answered. */
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

/** Reads the cure from a record that may be anyone's; undefined when it has another shape. */
function recordedHealing(tree: SessionTree): Healing | undefined {
  const { data } = (tree.lastCustom(type) ?? {}) as { data?: Partial<Healing> | null };
  const isBlock = (block: Partial<Healing["blocks"][number]> | null) =>
    typeof block?.key === "string" && typeof block.what === "string";
  const { rules, blocks } = data ?? {};
  return typeof rules === "boolean" && Array.isArray(blocks) && blocks.every(isBlock) ? { rules, blocks } : undefined;
}

/** True when a cure may help. A request that is too large may be so because of its images. */
function isRefusal({ kind }: Failure, { messages }: Request, healing: Healing | undefined): boolean {
  if (kind === "rejected") return true;
  if (kind !== "overflow" || healing?.rules) return false;
  return messages.some(({ content }) => typeof content !== "string" && content.some((part) => part.type === "image"));
}

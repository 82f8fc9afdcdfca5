import { type Draft, type Entry, type Hook, type Notice, perTurn, type Tree } from "@pith/agent";
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
import type { MakePart } from "../hall/part.ts";

interface HealSources {
  tree: Tree;
  stream: Stream;
  record(draft: Draft): Entry;
  tell(notice: Notice): void;
}

const type = "pith.heal";

/** Keeps a conversation going that a server refuses. */
export const heal: MakePart<"tree" | "models" | "channel"> = ({ tree, models, channel }) => ({
  name: "heal",
  hooks: [
    healHook({
      tree,
      stream: models.stream,
      record: (draft) => channel.record(draft),
      tell: (notice) => channel.tell(notice),
    }),
  ],
});

/** How often a turn may be healed: each time takes something away, so this is only against a server without reason. */
const mostPerTurn = 4;

/**
 * A conversation that a server refuses goes on all the same: first without what servers are known to refuse, then
 * without the very blocks that this one refuses, which are found by trying. What was done is in the record, so a resume
 * does it too.
 */
export function healHook({ tree, stream, record, tell }: HealSources): Hook {
  let healing = recordedHealing(tree);
  let healer: Healer | undefined;
  let sent: Request | undefined;
  const healed = perTurn(() => ({ times: 0 }));
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
      memory.times++;
      const cure = await (await load()).cure(sent, healing ?? { rules: false, blocks: [] }, stream, turn.signal);
      if (!cure) return { do: "give up" };
      const blocks = cure.blocks.slice(healing?.blocks.length ?? 0);
      // Without the prompt, the model would answer what nobody asked.
      const prompt = tree.last("user");
      const said = prompt?.type === "message" ? healer?.keysOf(prompt.message as Message) : undefined;
      if (blocks.some(({ key }) => said?.includes(key))) {
        tell({ level: "warn", text: "The server refuses what was just said; it stays in the record, unanswered." });
        return { do: "give up" };
      }
      const fresh = blocks.map((block) => block.what);
      healing = cure;
      record({ type: "custom", customType: type, data: { ...cure, reason: failure.message } });
      const without =
        fresh.length > 0
          ? `${plural(fresh.length, "block")} (${fresh.join(", ")})`
          : "what only one model can read, and with its images repaired";
      tell({
        level: "warn",
        text: `The server refused the conversation; it goes on without ${without}. The record keeps everything.`,
      });
      return { do: "retry", delayMs: 0 };
    },
  };
}

/** Of whomever's file: what does not have the shape of a healing is none. */
function recordedHealing(tree: Tree): Healing | undefined {
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

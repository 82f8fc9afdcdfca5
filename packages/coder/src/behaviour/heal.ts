import type { Behaviour, Draft, Entry, Notice, Tree } from "@pith/agent";
import { plural } from "@pith/kit";
import { type Failure, type Healer, type Healing, loadHealing, type Request, type Stream } from "@pith/llm";

export interface HealParts {
  tree: Tree;
  stream: Stream;
  record(draft: Draft): Entry;
  tell(notice: Notice): void;
}

const type = "pith.heal";

/** How often a turn may be healed: each time takes something away, so this is only against a server without reason. */
const mostPerTurn = 4;

/**
 * A conversation that a server refuses goes on all the same: first without what servers are known to refuse, then without
 * the very blocks that this one refuses, which are found by trying. What was done is in the record, so a resume does it too.
 */
export function heal({ tree, stream, record, tell }: HealParts): Behaviour {
  let healing = (tree.last(type) as { data?: Healing } | undefined)?.data;
  let healer: Healer | undefined;
  let sent: Request | undefined;
  const attempts = new WeakMap<AbortSignal, number>();
  const load = async () => {
    const loaded = await loadHealing();
    healer ??= new loaded.Healer();
    return { ...loaded, healer };
  };
  const keep = (next: Healing, reason: Failure, text: string) => {
    healing = next;
    record({ type: "custom", customType: type, data: { ...next, reason: reason.message } });
    tell({ level: "warn", text });
    return { do: "retry", delayMs: 0 } as const;
  };
  return {
    name: "heal",
    async context(request) {
      sent = request;
      return healing ? { ...request, messages: await (await load()).healer.apply(request.messages, healing) } : request;
    },
    async fail(failure, { signal }) {
      const count = attempts.get(signal) ?? 0;
      if (!sent || count >= mostPerTurn || !isRefusal(failure, sent, healing)) return { do: "give up" };
      attempts.set(signal, count + 1);
      const { healer, findOffenders } = await load();
      const request = sent;
      if (!healing?.rules) {
        const repaired = await healer.apply(request.messages, { rules: true, blocks: [] });
        if (JSON.stringify(repaired) !== JSON.stringify(request.messages))
          return keep(
            { rules: true, blocks: [] },
            failure,
            "The server refused the conversation. It is sent again without thinking, signatures and whatever else servers refuse.",
          );
      }
      const before = healing?.blocks ?? [];
      const history = await healer.apply(request.messages, { rules: false, blocks: before });
      const probing: Stream = async function* (own, stop) {
        yield* stream(healing?.rules ? { ...own, messages: await healer.apply(own.messages, { rules: true, blocks: [] }) } : own, stop);
      };
      const found = await findOffenders({ ...request, messages: history }, probing, signal);
      if (!found) return { do: "give up" };
      const what = `${plural(found.length, "block")} of the conversation (${found.map((block) => block.what).join(", ")})`;
      return keep(
        { rules: healing?.rules ?? false, blocks: [...before, ...found] },
        failure,
        `The server does not accept ${what}: set aside from now on, kept in the record.`,
      );
    },
  };
}

/** A request may also be too large because of its images; that is worth one try. */
function isRefusal({ kind }: Failure, { messages }: Request, healing: Healing | undefined): boolean {
  if (kind === "rejected") return true;
  if (kind !== "overflow" || healing?.rules) return false;
  return messages.some(({ content }) => typeof content !== "string" && content.some((part) => part.type === "image"));
}

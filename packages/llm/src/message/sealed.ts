import type { Model } from "../model/model.ts";
import type { Message, Sealed, SealedItem, SealedMessage } from "./message.ts";

/** The sealed form of a message, if this model can read it. */
export function sealedFor(message: Message, { vendor, id, api }: Sealable): Sealed | undefined {
  const { sealed } = message as Partial<SealedMessage>;
  if (sealed?.vendor !== vendor || api !== sealingApi) return undefined;
  return sealed.model === undefined || sealed.model === id ? sealed : undefined;
}

/** True when the model's vendor makes its own summaries. */
export const isSealing = ({ vendor, api }: Sealable): boolean => vendors.has(vendor) && api === sealingApi;

type Sealable = Pick<Model, "vendor" | "id" | "api">;
const vendors: ReadonlySet<string> = new Set(["openai", "openai-codex"]);
const sealingApi = "openai-responses";

/**
 * Reads sealed items from an answer or a record: messages, and the part that only the vendor can read. Undefined
 * without that part. Instructions are dropped: they are old, or a stranger's.
 */
export function sealedItems(output: unknown): SealedItem[] | undefined {
  const items = (Array.isArray(output) ? output : []).flatMap(itemOf);
  return items.some(({ type }) => type !== "message") ? items : undefined;
}

function itemOf(item: unknown): SealedItem[] {
  const { type, role, content, id, encrypted_content } = (item ?? {}) as Record<string, unknown>;
  if (type === "compaction" || type === "compaction_summary") {
    if (typeof encrypted_content !== "string" || encrypted_content === "") return [];
    const named = typeof id === "string" && /^cmp\w{1,61}$/.test(id) ? { id } : {};
    return [{ type, ...named, encrypted_content }];
  }
  if ((type !== undefined && type !== "message") || (role !== "user" && role !== "assistant")) return [];
  const kind = role === "user" ? "input_text" : "output_text";
  const parts = typeof content === "string" ? [{ type: kind, text: content }] : content;
  const said = (Array.isArray(parts) ? parts : []).flatMap((part) => partOf(part, kind));
  return said.length === 0 ? [] : [{ type: "message", role, content: said }];
}

function partOf(part: unknown, kind: string): object[] {
  const { type, text, image_url: url } = (part ?? {}) as Record<string, unknown>;
  if (type === kind && typeof text === "string") return [{ type, text }];
  if (kind === "input_text" && type === "input_image" && typeof url === "string" && /^data:image\//.test(url))
    return [{ type, image_url: url }];
  return [];
}

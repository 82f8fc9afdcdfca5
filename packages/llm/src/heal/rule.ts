import type { AssistantMessage, Image, Message, SealedMessage, Text } from "../message/message.ts";
import { alternateRoles, arrange } from "../protocol/history.ts";

/**
 * Removes everything that servers are known to refuse, at a loss: beyond the usual arrangement, thinking and signatures
 * are dropped, roles alternate, and images are readable and not too large.
 */
export async function repair(messages: readonly Message[], fixes: WeakMap<Message, Message>): Promise<Message[]> {
  const fixed: Message[] = [];
  for (const message of messages) {
    const mended = fixes.get(message) ?? (await fix(message));
    fixes.set(message, mended);
    fixed.push(mended);
  }
  return alternateRoles(arrange(fixed));
}

async function fix(message: Message): Promise<Message> {
  if (message.role === "assistant") return { ...message, content: message.content.flatMap(unsigned) };
  const before: (Text | Image)[] =
    typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  const content: (Text | Image)[] = [];
  for (const part of before) {
    if (part.type === "image") content.push(await fixImage(part));
    else if (part.text.trim() !== "") content.push({ type: "text", text: part.text });
  }
  const { sealed: _, ...open } = message as Partial<SealedMessage> & typeof message;
  return { ...open, content } as Message;
}

function unsigned(part: AssistantMessage["content"][number]): AssistantMessage["content"] {
  if (part.type === "thinking") return [];
  if (part.type === "text") return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
  const { thoughtSignature: _, ...call } = part;
  return [call];
}

/** Image limits that every vendor accepts. */
const maxSide = 2000;
const maxBytes = 3_500_000;

async function fixImage(image: Image): Promise<Image | Text> {
  const bytes = Buffer.from(image.data, "base64");
  const mimeType = typeOf(bytes);
  if (mimeType === undefined) return lost;
  const { shrinkImage } = await import("../platform.ts");
  const small = await shrinkImage(bytes, maxSide, maxBytes);
  if (small === "unreadable") return lost;
  return small === "fits"
    ? { type: "image", mimeType, data: bytes.toString("base64") }
    : { type: "image", mimeType: "image/jpeg", data: small.toString("base64") };
}

const lost: Text = { type: "text", text: "[An image stood here. It could not be read.]" };

/** Image type by its first bytes: the declared type may be wrong, and servers look. */
function typeOf(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, 12);
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  return head.startsWith("RIFF") && head.slice(8) === "WEBP" ? "image/webp" : undefined;
}

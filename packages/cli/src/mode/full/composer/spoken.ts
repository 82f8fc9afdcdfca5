import type { UserInput } from "@pith/agent";
import type { Image } from "@pith/llm";
import type { TextFold } from "@pith/tui";

export type Sent = UserInput;

/** What was typed with what is attached to it, as input. */
export function spokenOf(text: string, attachments: readonly TextFold[]): Sent {
  const images = attachments.flatMap(({ content }) =>
    content.kind === "attachment" && isImage(content.data) ? [content.data] : [],
  );
  return { text, ...(images.length > 0 ? { images } : {}) };
}

const isImage = (data: unknown): data is Image =>
  typeof data === "object" && data !== null && (data as { type?: unknown }).type === "image";

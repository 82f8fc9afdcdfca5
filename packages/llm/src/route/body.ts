import { formatLimit } from "../limit.ts";

/** Reads a body up to a limit; the rest of a longer one is not waited for. */
export async function readUpTo(
  { body }: Response,
  limit: number,
): Promise<{ text: string; end: "whole" | "longer" | "broken" }> {
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  const reader = body?.getReader();
  try {
    for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
      size += next.value.length;
      text += decoder.decode(next.value, { stream: true });
      if (size > limit) return { text, end: "longer" };
    }
  } catch {
    return { text, end: "broken" };
  } finally {
    reader?.cancel().catch(() => {});
  }
  return { text: text + decoder.decode(), end: "whole" };
}

/** Reads a whole body. Throws if it breaks off, as `fetch` does, or exceeds the limit. */
export async function limitedText(response: Response, limit: number): Promise<string> {
  const { text, end } = await readUpTo(response, limit);
  if (end === "longer") throw new Error(`the answer is longer than ${formatLimit(limit)}`);
  if (end === "broken") throw new Error("the answer ended in the middle");
  return text;
}

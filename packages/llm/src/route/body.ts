import { formatLimit } from "../limit.ts";

/** The text of a body, as far as it is not longer than this; the rest of a longer one is not waited for. */
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

/** The whole text of a body. Throws as `fetch` does when it breaks off, and when it is longer than this. */
export async function limitedText(response: Response, limit: number): Promise<string> {
  const { text, end } = await readUpTo(response, limit);
  if (end === "longer") throw new Error(`the answer is longer than ${formatLimit(limit)}`);
  if (end === "broken") throw new Error("the answer ended in the middle");
  return text;
}

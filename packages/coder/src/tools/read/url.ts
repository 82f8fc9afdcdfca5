import { type Outcome, refusal } from "@pith/agent";
import { type Shown, showStream, showText } from "./page.ts";
import type { ReadParts } from "./parts.ts";
import type { UrlTarget } from "./target.ts";

/** An internal address. What stands there is never edited in place, so it has no tag. */
export async function readUrl(parts: ReadParts, target: UrlTarget, signal: AbortSignal): Promise<Outcome> {
  const found = await parts.urls.resolve(target.href, signal);
  if (!found.ok) return refusal(found.message);
  const { value } = found;
  const shown: Shown = { name: target.href, source: { internal: target.href }, display: parts.display };
  if (value.text !== undefined) {
    if (value.whole === "extract" && target.ranges.length > 0)
      return refusal("Cannot combine query extraction with offset/limit");
    if (value.whole === "extract")
      return { kind: "page", data: { path: target.href }, text: value.text, meta: { source: shown.source } };
    if (value.whole === "always" && target.ranges.length === 0)
      return {
        kind: "page",
        data: { path: target.href },
        text: `[${target.href}]\n${value.text}`,
        meta: { source: shown.source },
      };
    return showText(value.text, target, parts.defaultLimit, shown);
  }
  const streamed = await showStream(value.file, target, parts.defaultLimit, shown, signal);
  return streamed.ok ? streamed.value : refusal(streamed.message.replace(value.file, target.href));
}

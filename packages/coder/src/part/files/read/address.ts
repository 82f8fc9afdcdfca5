import { type Outcome, refusal } from "@pith/agent";
import { textAt } from "../../../tools/address.ts";
import type { ReadOptions } from "./options.ts";
import { type Shown, showStream, showText } from "./page.ts";
import type { AddressTarget } from "./target.ts";

/** An internal address. What stands there is never edited in place, so it has no tag. */
export async function showAddress(
  { files, display, room }: ReadOptions,
  { address, selector }: AddressTarget,
  signal: AbortSignal,
): Promise<Outcome> {
  const { href, whole, at, origin } = address;
  const shown: Shown = { name: href, source: { internal: href }, display };
  if (at && !address.extract && !whole) {
    const streamed = await showStream((request) => files.page(at.real, request), selector, room(), shown, signal);
    return streamed.ok ? streamed.value : refusal(streamed.message.replace(at.real, () => href));
  }
  const text = textAt(files, address);
  if (!text.ok) return refusal(text.message);
  if (!whole || selector.ranges.length > 0) {
    const page = showText(text.value, selector, room(), shown);
    return origin ? { ...page, meta: { ...page.meta, origin } } : page;
  }
  return {
    kind: "page",
    data: { path: href },
    text: whole === "extract" || selector.show === "raw" ? text.value : `[${href}]\n${text.value}`,
    meta: { source: shown.source },
  };
}

import { type Outcome, refusal } from "@pith/agent";
import { textAt } from "../../../tools/address.ts";
import type { ReadOptions } from "./options.ts";
import { type PageInfo, showStream, showText } from "./page.ts";
import type { AddressTarget } from "./target.ts";

/** Shows the content of an internal address, without a tag: it is never edited in place. */
export async function showAddress(
  { files, display, room }: ReadOptions,
  { address, selector }: AddressTarget,
  signal: AbortSignal,
): Promise<Outcome> {
  const { href, whole, at, origin } = address;
  const info: PageInfo = { name: href, source: { internal: href }, display, hasEnd: /^artifact:/i.test(href) };
  if (at && !address.extract && !whole) {
    const streamed = await showStream((request) => files.page(at.real, request), selector, room(), info, signal);
    return streamed.ok ? streamed.value : refusal(streamed.message.replace(at.real, () => href));
  }
  const text = textAt(files, address);
  if (!text.ok) return refusal(text.message);
  if (!whole || selector.ranges.length > 0 || selector.last !== undefined) {
    const page = showText(text.value, selector, room(), info);
    return origin ? { ...page, meta: { ...page.meta, origin } } : page;
  }
  return {
    kind: "page",
    data: { path: href },
    text: whole === "extract" || selector.show === "raw" ? text.value : `[${href}]\n${text.value}`,
    meta: { source: info.source },
  };
}

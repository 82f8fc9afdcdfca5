import { modelName, type Request } from "@pith/llm";
import type { MakePart } from "../../hall/part.ts";

/**
 * Tells with every request whether it begins like the one before, and if not, where it differs: servers cache only what
 * is the same from the start. Switched on by PITH_CACHE_DEBUG.
 */
export const cacheDebug: MakePart<"env" | "channel"> = ({ env, channel }) => {
  if (env.PITH_CACHE_DEBUG !== "1") return undefined;
  let before: Request | undefined;
  return {
    name: "cache-debug",
    context(request) {
      if (before) channel.notify({ level: "info", text: `cache: ${explain(before, request)}` });
      before = { ...request, messages: [...request.messages] };
    },
  };
};

/** Describes the first difference of two requests, in the order in which they are sent. */
export function explain(before: Request, now: Request): string {
  if (modelName(before.model) !== modelName(now.model))
    return `broken: another model, ${modelName(now.model)} after ${modelName(before.model)}`;
  if (before.effort !== now.effort)
    return `broken: thinking is ${now.effort ?? "unset"} after ${before.effort ?? "unset"}`;
  const tool = firstDifference(before.tools, now.tools);
  if (tool !== undefined) {
    const [was, is] = [before.tools[tool], now.tools[tool]];
    return `broken: tool ${tool + 1} (${(is ?? was)?.name}) ${change(was, is)}`;
  }
  const block = firstDifference(before.system, now.system);
  if (block !== undefined)
    return `broken: block ${block + 1} of the system prompt ${change(before.system[block], now.system[block])}`;
  const message = firstDifference(before.messages, now.messages.slice(0, before.messages.length));
  const fresh = now.messages.length - before.messages.length;
  if (message === undefined) return `kept: ${before.messages.length} messages as before, ${fresh} new`;
  const lost = JSON.stringify(before.messages.slice(message)).length;
  const [was, is] = [before.messages[message], now.messages[message]];
  const which = `message ${message + 1} of ${before.messages.length} (${(is ?? was)?.role})`;
  return `broken: ${which} ${change(was, is)}; about ${lost} characters are read anew`;
}

function firstDifference(before: readonly unknown[], now: readonly unknown[]): number | undefined {
  for (let at = 0; at < Math.max(before.length, now.length); at++) {
    if (before[at] !== now[at] && JSON.stringify(before[at]) !== JSON.stringify(now[at])) return at;
  }
  return undefined;
}

const change = (before: unknown, now: unknown): string =>
  before === undefined ? "was added" : now === undefined ? "is gone" : "changed";

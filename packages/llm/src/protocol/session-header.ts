import type { Request } from "../message/stream.ts";
import type { Compat } from "../model/compat.ts";

/** Headers by which some vendors find the machine that has the session's cache. */
export function sessionHeaders({ session, model }: Request, defaults: Compat): Record<string, string> {
  const compat = { ...defaults, ...model.compat };
  if (session === undefined || !compat.sendSessionAffinityHeaders || compat.cacheRetention === "none") return {};
  if (compat.sessionAffinityFormat === "openrouter") return { "x-session-id": session };
  const both = { "x-session-affinity": session, session_id: session };
  return compat.sessionAffinityFormat === "openai" ? both : { "x-session-affinity": session };
}

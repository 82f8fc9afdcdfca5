import { type Clock, fail, messageOf, ok, type Result, recordOf } from "@pith/kit";
import type { ApiKey } from "../credential/credential.ts";
import type { Auth } from "../route/auth.ts";
import { fetchCredential } from "../route/post.ts";
import type { Env } from "./api.ts";

/**
 * Exchanges a personal token for one of GitLab's gateway, with the headers to send along; it is reused for less than
 * its lifetime.
 */
export function gitlabAuth(key: ApiKey, env: Env, clock: Clock): () => Promise<Result<Auth, "credential">> {
  let lent: { headers: Record<string, string>; token: string; until: number } | undefined;
  return async () => {
    if (!lent || lent.until < clock.now()) {
      const fresh = await exchange(key, env.GITLAB_URL?.trim() || "https://gitlab.com");
      if (!fresh.ok) return fresh;
      lent = { ...fresh.value, until: clock.now() + keepMs };
    }
    const headers = { ...lent.headers, authorization: `Bearer ${lent.token}` };
    return ok({ headers, variable: key.from, secrets: [key.secret, lent.token] });
  };
}

const keepMs = 25 * 60_000;

async function exchange(
  key: ApiKey,
  instance: string,
): Promise<Result<{ token: string; headers: Record<string, string> }, "credential">> {
  const url = `${instance.replace(/\/+$/, "")}/api/v4/ai/third_party_agents/direct_access`;
  try {
    const headers = { authorization: `Bearer ${key.secret}`, "content-type": "application/json" };
    const body = '{"feature_flags":{"DuoAgentPlatformNext":true}}';
    const { ok: isOk, status, text } = await fetchCredential(url, { method: "POST", headers, body }, 20_000);
    const check = `Check ${key.from}, and that Duo is on for the account.`;
    if (!isOk) return fail("credential", `GitLab lends no access to its models (${status}). ${check}`);
    const { token, headers: more } = recordOf(JSON.parse(text));
    if (typeof token !== "string") return fail("credential", "GitLab answered without a token for its models");
    const texts = Object.entries(recordOf(more)).flatMap(([name, value]) =>
      typeof value === "string" ? [[name.toLowerCase(), value]] : [],
    );
    return ok({ token, headers: Object.fromEntries(texts) });
  } catch (error) {
    return fail(
      "credential",
      `GitLab could not be asked for access to its models: ${messageOf(error).replaceAll(key.secret, "***").slice(0, 200)}`,
    );
  }
}

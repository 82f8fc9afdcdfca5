import { createSign } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Clock, fail, messageOf, ok, type Result, recordOf } from "@pith/kit";
import type { Auth } from "../route/auth.ts";
import { fetchCredential } from "../route/post.ts";
import type { Env } from "./api.ts";

/** Application default credentials, from a login or of a service account. */
interface AdcFile {
  type?: string;
  client_id?: string;
  client_secret?: string;
  refresh_token?: string;
  client_email?: string;
  private_key?: string;
  token_uri?: string;
}

/** Bearer tokens of the default credentials of this machine. */
export function googleAuth(env: Env, clock: Clock): () => Promise<Result<Auth, "credential">> {
  const token = googleTokens(env, clock);
  return async () => {
    const bearer = await token();
    if (!bearer.ok) return bearer;
    return ok({
      headers: { authorization: `Bearer ${bearer.value}` },
      variable: "GOOGLE_APPLICATION_CREDENTIALS",
      secrets: [bearer.value],
    });
  };
}

/** Access tokens of the default credentials of this machine; a token is reused until shortly before it expires. */
export function googleTokens(env: Env, clock: Clock): () => Promise<Result<string, "credential">> {
  let kept: { token: string; until: number } | undefined;
  return async () => {
    if (kept && kept.until > clock.now()) return ok(kept.token);
    const named = env.GOOGLE_APPLICATION_CREDENTIALS?.trim();
    const file = named || join(env.HOME ?? "", ".config", "gcloud", "application_default_credentials.json");
    try {
      // A named file must exist; without one a Google machine has a login of its own.
      const fresh =
        (named || existsSync(file) ? undefined : await fromMachine(env)) ??
        (await exchange(JSON.parse(readFileSync(file, "utf8")) as AdcFile, clock.now()));
      if (!fresh) return fail("credential", `${file} holds no login that can be used`);
      kept = { token: fresh.token, until: clock.now() + (fresh.seconds - 60) * 1000 };
      return ok(fresh.token);
    } catch (error) {
      return fail(
        "credential",
        `vertex needs GOOGLE_CLOUD_API_KEY or the default credentials in ${file}: ${messageOf(error).slice(0, 200)}`,
      );
    }
  };
}

interface Token {
  token: string;
  seconds: number;
}

/** Token from the metadata server of a Google machine; elsewhere it soon times out. */
async function fromMachine(env: Env): Promise<Token | undefined> {
  const host = env.GCE_METADATA_HOST?.trim() || "metadata.google.internal";
  const url = `http://${host}/computeMetadata/v1/instance/service-accounts/default/token`;
  try {
    const answer = await fetchCredential(url, { headers: { "metadata-flavor": "Google" } }, 1000);
    return answer.ok ? tokenIn(JSON.parse(answer.text)) : undefined;
  } catch {
    return undefined;
  }
}

function tokenIn(answer: unknown): Token | undefined {
  const { access_token: token, expires_in: seconds } = recordOf(answer);
  return typeof token === "string" ? { token, seconds: typeof seconds === "number" ? seconds : 3600 } : undefined;
}

async function exchange(adc: AdcFile, now: number): Promise<Token | undefined> {
  const form = formOf(adc, now);
  if (!form) return undefined;
  const answer = await fetchCredential(tokenUri(adc), { method: "POST", body: new URLSearchParams(form) }, 20_000);
  if (!answer.ok) throw new Error(`the login was refused (${answer.status})`);
  return tokenIn(JSON.parse(answer.text));
}

const tokenUri = ({ token_uri }: AdcFile) => token_uri ?? "https://oauth2.googleapis.com/token";

function formOf(adc: AdcFile, now: number): Record<string, string> | undefined {
  const { client_id, client_secret, refresh_token, client_email, private_key } = adc;
  if (client_id && client_secret && refresh_token)
    return { grant_type: "refresh_token", client_id, client_secret, refresh_token };
  if (!client_email || !private_key) return undefined;
  const issued = Math.floor(now / 1000);
  const claim = {
    iss: client_email,
    scope: "https://www.googleapis.com/auth/cloud-platform",
    aud: tokenUri(adc),
    iat: issued,
    exp: issued + 3600,
  };
  const unsigned = [{ alg: "RS256", typ: "JWT" }, claim]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const signature = createSign("RSA-SHA256").update(unsigned).sign(private_key).toString("base64url");
  return { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion: `${unsigned}.${signature}` };
}

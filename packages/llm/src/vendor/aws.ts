import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Clock, fail, messageOf, ok, type Result } from "@pith/kit";
import type { Auth } from "../route/auth.ts";
import { type AwsKeys, awsSignature } from "../route/sigv4.ts";
import { valueFor } from "./place.ts";

type Env = Readonly<Record<string, string | undefined>>;
interface Lent {
  keys: AwsKeys;
  /** Epoch milliseconds. */
  until: number;
}

/** Signs with the keys of the environment, of a profile in the shared file, or lent to this machine; those are kept until shortly before they end. */
export function awsAuth(env: Env, clock: Clock): () => Promise<Result<Auth, "credential">> {
  const region = valueFor("AWS_REGION", env) ?? "";
  let lent: Lent | undefined;
  return async () => {
    if (env.AWS_BEDROCK_SKIP_AUTH === "1") return ok(awsSignature({ accessKeyId: "none", secretAccessKey: "none" }, region));
    const own = keysIn(env.AWS_ACCESS_KEY_ID, env.AWS_SECRET_ACCESS_KEY, env.AWS_SESSION_TOKEN) ?? profile(env);
    if (own) return ok(awsSignature(own, region));
    try {
      if (!lent || lent.until < clock.now()) lent = (await fromContainer(env)) ?? (await fromToken(env, region));
    } catch (error) {
      return fail("credential", `the credentials of this machine could not be fetched: ${messageOf(error).slice(0, 200)}`);
    }
    return lent ? ok(awsSignature(lent.keys, region)) : fail("credential", noKeys);
  };
}

const noKeys = "bedrock needs AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE";
const marginMs = 60_000;

function keysIn(id: string | undefined, secret: string | undefined, token: string | undefined): AwsKeys | undefined {
  if (!id?.trim() || !secret?.trim()) return undefined;
  return { accessKeyId: id.trim(), secretAccessKey: secret.trim(), ...(token?.trim() ? { sessionToken: token.trim() } : {}) };
}

function profile(env: Env): AwsKeys | undefined {
  const fields = section(env.AWS_SHARED_CREDENTIALS_FILE ?? join(env.HOME ?? "", ".aws", "credentials"), env.AWS_PROFILE?.trim() || "default");
  return fields && keysIn(fields.aws_access_key_id, fields.aws_secret_access_key, fields.aws_session_token);
}

function section(file: string, name: string): Record<string, string> | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  const body = text.split(/^\s*\[/m).find((part) => part.slice(0, part.indexOf("]")).trim() === name);
  if (!body) return undefined;
  return Object.fromEntries([...body.matchAll(/^\s*(\w+)\s*=\s*(.*?)\s*$/gm)].map(([, key = "", value = ""]) => [key, value]));
}

/** A container asks the agent beside it. */
async function fromContainer(env: Env): Promise<Lent | undefined> {
  const below = env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI?.trim();
  const url = below ? `http://169.254.170.2${below}` : env.AWS_CONTAINER_CREDENTIALS_FULL_URI?.trim();
  if (!url) return undefined;
  const token = env.AWS_CONTAINER_AUTHORIZATION_TOKEN?.trim();
  const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(10_000), ...(token ? { headers: { authorization: token } } : {}) });
  const given = (await answer.json()) as { AccessKeyId?: string; SecretAccessKey?: string; Token?: string; Expiration?: string };
  return lentBy(keysIn(given.AccessKeyId, given.SecretAccessKey, given.Token), given.Expiration);
}

/** A token that somebody else signed, in exchange for keys. */
async function fromToken(env: Env, region: string): Promise<Lent | undefined> {
  const [file, role] = [env.AWS_WEB_IDENTITY_TOKEN_FILE?.trim(), env.AWS_ROLE_ARN?.trim()];
  if (!file || !role) return undefined;
  const form = {
    ...{ Action: "AssumeRoleWithWebIdentity", Version: "2011-06-15", RoleArn: role, RoleSessionName: env.AWS_ROLE_SESSION_NAME?.trim() || "pith" },
    WebIdentityToken: readFileSync(file, "utf8").trim(),
  };
  const url = env.AWS_ENDPOINT_URL_STS?.trim() || `https://sts.${region}.amazonaws.com/`;
  const answer = await fetch(url, { method: "POST", body: new URLSearchParams(form), redirect: "manual", signal: AbortSignal.timeout(20_000) });
  const text = await answer.text();
  const field = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(text)?.[1];
  return lentBy(keysIn(field("AccessKeyId"), field("SecretAccessKey"), field("SessionToken")), field("Expiration"));
}

function lentBy(keys: AwsKeys | undefined, expiration: string | undefined): Lent | undefined {
  const until = Date.parse(expiration ?? "");
  return keys && { keys, until: Number.isNaN(until) ? 0 : until - marginMs };
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "@pith/kit";
import type { Auth } from "../route/auth.ts";
import { type AwsKeys, awsSignature } from "../route/sigv4.ts";
import { valueFor } from "./place.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Signs with the keys of the environment, or of a profile in the shared file. */
export function awsAuth(env: Env): Result<Auth, "credential"> {
  const region = valueFor("AWS_REGION", env) ?? "";
  if (env.AWS_BEDROCK_SKIP_AUTH === "1") return ok(awsSignature({ accessKeyId: "none", secretAccessKey: "none" }, region));
  const keys = keysIn(env.AWS_ACCESS_KEY_ID, env.AWS_SECRET_ACCESS_KEY, env.AWS_SESSION_TOKEN) ?? profile(env);
  return keys
    ? ok(awsSignature(keys, region))
    : fail("credential", "bedrock needs AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE");
}

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

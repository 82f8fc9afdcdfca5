import { readFileSync } from "node:fs";
import { fetchCredential } from "../../route/post.ts";
import { type AwsCredentials, type AwsEnvironment, readCredentials } from "./credential.ts";
import { type AwsKeys, awsSignature } from "./sigv4.ts";

/** Exchanges a signed identity token for keys. */
export async function fromWebIdentity(
  { file, role, session }: { file: string | undefined; role: string | undefined; session: string | undefined },
  environment: AwsEnvironment,
): Promise<AwsCredentials | undefined> {
  if (!file?.trim() || !role?.trim()) return undefined;
  const fields = {
    Action: "AssumeRoleWithWebIdentity",
    RoleArn: role.trim(),
    RoleSessionName: session?.trim() || "pith",
    WebIdentityToken: readFileSync(file.trim(), "utf8").trim(),
  };
  return ask(fields, environment);
}

/** Keys of a role, in exchange for keys that may assume it. */
export function fromRole(
  keys: AwsKeys,
  { arn, session, externalId }: { arn: string; session?: string | undefined; externalId?: string | undefined },
  environment: AwsEnvironment,
): Promise<AwsCredentials | undefined> {
  const fields = { Action: "AssumeRole", RoleArn: arn, RoleSessionName: session || "pith" };
  return ask(externalId ? { ...fields, ExternalId: externalId } : fields, environment, keys);
}

async function ask(
  fields: Record<string, string>,
  { env, region, clock }: AwsEnvironment,
  keys?: AwsKeys,
): Promise<AwsCredentials | undefined> {
  const url = new URL(env.AWS_ENDPOINT_URL_STS?.trim() || `https://sts.${region}.amazonaws.com/`);
  const body = new URLSearchParams({ ...fields, Version: "2011-06-15" }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
  const signed = keys ? awsSignature(keys, region, "sts").sign?.({ url, headers, body, now: clock.now() }) : {};
  const post = { method: "POST", headers: { ...headers, ...signed }, body };
  const { ok, status, text } = await fetchCredential(url, post, 20_000);
  const field = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(text)?.[1];
  if (!ok) throw new Error(`${fields.Action} was refused (${status})${field("Code") ? `: ${field("Code")}` : ""}`);
  return readCredentials({
    AccessKeyId: field("AccessKeyId"),
    SecretAccessKey: field("SecretAccessKey"),
    SessionToken: field("SessionToken"),
    Expiration: field("Expiration"),
  });
}

import { readFileSync } from "node:fs";
import { limits } from "../../limit.ts";
import { fetchSafely } from "../../platform.ts";
import { limitedText } from "../../route/body.ts";
import { type AwsCredentials, type AwsEnvironment, readCredentials } from "./credential.ts";
import { type AwsKeys, awsSignature } from "./sigv4.ts";

/** Exchanges a signed identity token for keys. */
export async function fromWebIdentity(
  { file, role, session }: { file: string | undefined; role: string | undefined; session: string | undefined },
  desk: AwsEnvironment,
): Promise<AwsCredentials | undefined> {
  if (!file?.trim() || !role?.trim()) return undefined;
  const token = readFileSync(file.trim(), "utf8").trim();
  return ask(
    {
      Action: "AssumeRoleWithWebIdentity",
      RoleArn: role.trim(),
      RoleSessionName: session?.trim() || "pith",
      WebIdentityToken: token,
    },
    desk,
  );
}

/** Keys of a role, in exchange for keys that may assume it. */
export const fromRole = (
  keys: AwsKeys,
  role: { arn: string; session?: string | undefined; externalId?: string | undefined },
  desk: AwsEnvironment,
) =>
  ask(
    {
      Action: "AssumeRole",
      RoleArn: role.arn,
      RoleSessionName: role.session || "pith",
      ...(role.externalId ? { ExternalId: role.externalId } : {}),
    },
    desk,
    keys,
  );

async function ask(
  fields: Record<string, string>,
  { env, region, clock }: AwsEnvironment,
  keys?: AwsKeys,
): Promise<AwsCredentials | undefined> {
  const url = new URL(env.AWS_ENDPOINT_URL_STS?.trim() || `https://sts.${region}.amazonaws.com/`);
  const body = new URLSearchParams({ ...fields, Version: "2011-06-15" }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
  const signed = keys ? awsSignature(keys, region, "sts").sign?.({ url, headers, body, now: clock.now() }) : {};
  const answer = await fetchSafely(url, {
    method: "POST",
    headers: { ...headers, ...signed },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(20_000),
  });
  const text = await limitedText(answer, limits.credential);
  const field = (name: string) => new RegExp(`<${name}>([^<]+)</${name}>`).exec(text)?.[1];
  if (!answer.ok)
    throw new Error(`${fields.Action} was refused (${answer.status})${field("Code") ? `: ${field("Code")}` : ""}`);
  return readCredentials({
    AccessKeyId: field("AccessKeyId"),
    SecretAccessKey: field("SecretAccessKey"),
    SessionToken: field("SessionToken"),
    Expiration: field("Expiration"),
  });
}

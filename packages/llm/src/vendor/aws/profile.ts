import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../api.ts";
import { type AwsCredentials, type AwsEnvironment, getJson, readCredentials } from "./credential.ts";
import { fromContainer, fromInstance } from "./machine.ts";
import { fromRole, fromWebIdentity } from "./sts.ts";

type Fields = Readonly<Record<string, string>>;

/**
 * Keys of a profile in the two files of AWS's tools. Undefined if it says nothing of keys; a named profile must exist.
 */
export async function fromProfile(
  name: string,
  environment: AwsEnvironment,
  from: readonly string[] = [],
): Promise<AwsCredentials | undefined> {
  if (from.includes(name)) throw new Error(`the profiles ${[...from, name].join(" → ")} lead in a circle`);
  const fields = profile(name, environment.env);
  if (!fields) {
    if (name === "default") return undefined;
    throw new Error(
      `there is no profile "${name}" in ${file(environment.env, "config")} or ${file(environment.env, "credentials")}`,
    );
  }
  // A profile may be its own source profile: its own keys then assume its role.
  const inProfile = readCredentials({
    AccessKeyId: fields.aws_access_key_id,
    SecretAccessKey: fields.aws_secret_access_key,
    Token: fields.aws_session_token,
  });
  if (fields.role_arn) return role(fields, inProfile, environment, [...from, name]);
  if (inProfile) return inProfile;
  if (fields.sso_account_id) return singleSignOn(name, fields, environment);
  return fields.credential_process ? fromProcess(fields.credential_process, environment) : undefined;
}

/** Region of the current profile. */
export const profileRegion = (env: Env): string | undefined =>
  profile(env.AWS_PROFILE?.trim() || "default", env)?.region;

async function role(
  fields: Fields,
  inProfile: AwsCredentials | undefined,
  environment: AwsEnvironment,
  from: readonly string[],
): Promise<AwsCredentials | undefined> {
  const {
    role_arn: arn = "",
    role_session_name: session,
    external_id: externalId,
    source_profile: source,
    credential_source: place,
  } = fields;
  if (fields.web_identity_token_file)
    return fromWebIdentity({ file: fields.web_identity_token_file, role: arn, session }, environment);
  const self = source === from.at(-1) ? inProfile : undefined;
  const taker =
    self ??
    (source
      ? await fromProfile(source, environment, from)
      : place
        ? await places[place]?.(environment.env)
        : inProfile);
  if (!taker) throw new Error(`the profile "${from.at(-1)}" takes a role, but nobody's keys are there to take it with`);
  return fromRole(taker.keys, { arn, session, externalId }, environment);
}

const places: Readonly<Record<string, (env: Env) => Promise<AwsCredentials | undefined>>> = {
  Environment: async (env) =>
    readCredentials({
      AccessKeyId: env.AWS_ACCESS_KEY_ID,
      SecretAccessKey: env.AWS_SECRET_ACCESS_KEY,
      Token: env.AWS_SESSION_TOKEN,
    }),
  EcsContainer: fromContainer,
  Ec2InstanceMetadata: fromInstance,
};

/** Exchanges a saved browser login for the keys of a role. */
async function singleSignOn(
  name: string,
  fields: Fields,
  { env, clock }: AwsEnvironment,
): Promise<AwsCredentials | undefined> {
  const session = fields.sso_session ? sections(file(env, "config"))[`sso-session ${fields.sso_session}`] : fields;
  const key = createHash("sha1")
    .update(fields.sso_session ?? fields.sso_start_url ?? "")
    .digest("hex");
  const login = `run aws sso login --profile ${name}`;
  let kept: { accessToken?: string; expiresAt?: string };
  try {
    kept = JSON.parse(readFileSync(join(env.HOME ?? "", ".aws", "sso", "cache", `${key}.json`), "utf8"));
  } catch {
    throw new Error(`nobody is logged in: ${login}`);
  }
  if (!kept.accessToken || !(Date.parse(kept.expiresAt ?? "") > clock.now()))
    throw new Error(`the login has ended: ${login}`);
  const region = session?.sso_region ?? fields.region ?? "us-east-1";
  const base = (env.AWS_ENDPOINT_URL_SSO?.trim() || `https://portal.sso.${region}.amazonaws.com`).replace(/\/+$/, "");
  const query = new URLSearchParams({ role_name: fields.sso_role_name ?? "", account_id: fields.sso_account_id ?? "" });
  const { roleCredentials: credentials } = await getJson(`${base}/federation/credentials?${query}`, {
    "x-amz-sso_bearer_token": kept.accessToken,
  });
  const { accessKeyId, secretAccessKey, sessionToken, expiration } = (credentials ?? {}) as Record<string, unknown>;
  return readCredentials({
    AccessKeyId: accessKeyId,
    SecretAccessKey: secretAccessKey,
    SessionToken: sessionToken,
    Expiration: expiration,
  });
}

async function fromProcess(command: string, { run }: AwsEnvironment): Promise<AwsCredentials | undefined> {
  // The previous output has expired.
  const said = await run?.(command, "again");
  if (!said) return undefined;
  if (!said.ok) throw new Error(said.message);
  try {
    return readCredentials(JSON.parse(said.value));
  } catch {
    throw new Error("credential_process did not answer with JSON");
  }
}

function profile(name: string, env: Env): Fields | undefined {
  const config = sections(file(env, "config"));
  const [said, secret] = [
    config[name === "default" ? "default" : `profile ${name}`] ?? config[`profile ${name}`],
    sections(file(env, "credentials"))[name],
  ];
  return said || secret ? { ...said, ...secret } : undefined;
}

const variables = { config: "AWS_CONFIG_FILE", credentials: "AWS_SHARED_CREDENTIALS_FILE" } as const;
const file = (env: Env, which: keyof typeof variables): string =>
  env[variables[which]]?.trim() || join(env.HOME ?? "", ".aws", which);

/** Reads a file of `[section]` and `key = value` lines; empty when unreadable. */
function sections(path: string): Readonly<Record<string, Fields>> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return {};
  }
  const sections: Record<string, Record<string, string>> = {};
  let open: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const name = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line)?.[1];
    if (name !== undefined) {
      open = sections[name.replace(/\s+/g, " ").replace(/["']/g, "")] ??= {};
      continue;
    }
    const [, key, value] = /^\s*([\w.-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    // A comment begins the line, or follows a space.
    if (key && value !== undefined) open[key] = value.replace(/\s[#;].*$/, "");
  }
  return sections;
}

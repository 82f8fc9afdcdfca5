import { type Clock, fail, messageOf, ok, type Result } from "@pith/kit";
import type { KeyEnvironment } from "../../credential/credential.ts";
import type { Auth } from "../../route/auth.ts";
import type { Env } from "../api.ts";
import { variableValue } from "../server.ts";
import { type AwsCredentials, type AwsEnvironment, readCredentials } from "./credential.ts";
import { fromContainer, fromInstance } from "./machine.ts";
import { fromProfile } from "./profile.ts";
import { awsSignature } from "./sigv4.ts";
import { fromWebIdentity } from "./sts.ts";

/**
 * Signs with keys of a profile, of the environment, or of this machine; temporary keys are reused until shortly before
 * they expire.
 */
export function awsAuth(env: Env, clock: Clock, run: KeyEnvironment["run"]): () => Promise<Result<Auth, "credential">> {
  const environment: AwsEnvironment = { env, clock, run, region: variableValue("AWS_REGION", env) ?? "" };
  let kept: AwsCredentials | undefined;
  return async () => {
    if (env.AWS_BEDROCK_SKIP_AUTH === "1")
      return ok(awsSignature({ accessKeyId: "none", secretAccessKey: "none" }, environment.region));
    try {
      if (!kept || kept.until < clock.now()) kept = await find(environment);
    } catch (error) {
      return fail(
        "credential",
        `the credentials of this machine could not be fetched: ${messageOf(error).slice(0, 300)}`,
      );
    }
    return kept ? ok(awsSignature(kept.keys, environment.region)) : fail("credential", noKeys);
  };
}

const noKeys = "bedrock needs AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE";

/** Looks in the order of AWS's tools: a named profile beats keys in the environment. */
async function find(environment: AwsEnvironment): Promise<AwsCredentials | undefined> {
  const { env } = environment;
  const named = env.AWS_PROFILE?.trim();
  if (named) return fromProfile(named, environment);
  return (
    readCredentials({
      AccessKeyId: env.AWS_ACCESS_KEY_ID,
      SecretAccessKey: env.AWS_SECRET_ACCESS_KEY,
      Token: env.AWS_SESSION_TOKEN,
    }) ??
    (await fromProfile("default", environment)) ??
    (await fromContainer(env)) ??
    (await fromWebIdentity(
      { file: env.AWS_WEB_IDENTITY_TOKEN_FILE, role: env.AWS_ROLE_ARN, session: env.AWS_ROLE_SESSION_NAME },
      environment,
    )) ??
    (await fromInstance(env))
  );
}

import type { Clock } from "@pith/kit";
import type { KeyEnvironment } from "../../credential/credential.ts";
import { fetchCredential } from "../../route/post.ts";
import type { Env } from "../api.ts";
import type { AwsKeys } from "./sigv4.ts";

/** Context for fetching keys. */
export interface AwsEnvironment {
  env: Env;
  clock: Clock;
  /** Runs a command of a profile. */
  run: KeyEnvironment["run"];
  region: string;
}

/** Keys and their expiry in epoch milliseconds. */
export interface AwsCredentials {
  keys: AwsKeys;
  until: number;
}

/** Keys in the usual JSON form. */
interface Written {
  AccessKeyId?: unknown;
  SecretAccessKey?: unknown;
  Token?: unknown;
  SessionToken?: unknown;
  Expiration?: unknown;
}

/** Reads keys; undefined if incomplete. Without an expiration they never expire. */
export function readCredentials({
  AccessKeyId,
  SecretAccessKey,
  Token,
  SessionToken,
  Expiration,
}: Written): AwsCredentials | undefined {
  const [id, secret, token] = [AccessKeyId, SecretAccessKey, Token ?? SessionToken].map((value) =>
    typeof value === "string" ? value.trim() : "",
  );
  if (!id || !secret) return undefined;
  const end = typeof Expiration === "number" ? Expiration : Date.parse(String(Expiration ?? ""));
  const until = Number.isNaN(end) ? Number.POSITIVE_INFINITY : end - marginMs;
  return { keys: { accessKeyId: id, secretAccessKey: secret, sessionToken: token || undefined }, until };
}

const marginMs = 60_000;

export async function getJson(url: string, headers: Record<string, string>): Promise<Record<string, unknown>> {
  const answer = await fetchCredential(url, { headers }, 10_000);
  if (!answer.ok) throw new Error(`${new URL(url).origin} answered ${answer.status}`);
  return JSON.parse(answer.text) as Record<string, unknown>;
}

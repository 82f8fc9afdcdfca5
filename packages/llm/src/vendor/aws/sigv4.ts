import { createHash, createHmac } from "node:crypto";
import type { Auth, UnsignedRequest } from "../../route/auth.ts";

export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}

/** Signs requests with AWS Signature Version 4; the secret itself is never sent. */
export const awsSignature = (keys: AwsKeys, region: string, service = "bedrock"): Auth => ({
  headers: {},
  variable: "AWS_ACCESS_KEY_ID",
  secrets: [keys.secretAccessKey, ...(keys.sessionToken ? [keys.sessionToken] : [])],
  sign: (message) => signedHeaders(message, keys, region, service),
});

function signedHeaders(
  { url, headers, body, now }: UnsignedRequest,
  keys: AwsKeys,
  region: string,
  service: string,
): Record<string, string> {
  const time = new Date(now).toISOString().replace(/[:-]|\.\d{3}/g, "");
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  const added = {
    "x-amz-date": time,
    "x-amz-content-sha256": sha256(body),
    ...(keys.sessionToken ? { "x-amz-security-token": keys.sessionToken } : {}),
  };
  // Headers that no proxy changes.
  const covered = Object.entries({ host: url.host, "content-type": headers["content-type"] ?? "", ...added }).sort(
    ([a], [b]) => (a < b ? -1 : 1),
  );
  const names = covered.map(([name]) => name).join(";");
  const canonical = [
    "POST",
    url.pathname.split("/").map(escaped).join("/"),
    [...url.searchParams]
      .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
      .sort()
      .join("&"),
    ...covered.map(([name, value]) => `${name}:${value.trim()}`),
    "",
    names,
    added["x-amz-content-sha256"],
  ].join("\n");
  const key = [time.slice(0, 8), region, service, "aws4_request"].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${keys.secretAccessKey}`,
  );
  const signature = hmac(key, ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n")).toString("hex");
  const credential = `Credential=${keys.accessKeyId}/${scope}`;
  return {
    ...added,
    authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
/** Also escapes the five characters that `encodeURIComponent` leaves. */
const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

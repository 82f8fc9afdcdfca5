import type { Ask } from "../rule.ts";

export const awsKeys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
export const awsRegion = "us-east-1";

/**
 * Computes the signature again from what arrived, by the published steps, with the runtime's other crypto than the
 * signer uses.
 */
export function signatureFits({ headers, url, raw }: Ask<unknown>): boolean {
  const match = authorization.exec(headers.get("authorization") ?? "");
  if (!match) return false;
  const [, id, day = "", region = "", service = "", names = "", signature] = match;
  const time = headers.get("x-amz-date") ?? "";
  if (
    id !== awsKeys.accessKeyId ||
    region !== awsRegion ||
    service !== "bedrock" ||
    !time.startsWith(day) ||
    !names.split(";").includes("host")
  )
    return false;
  const path = url.pathname.split("/").map(encodeURIComponent).join("/");
  const lines = names.split(";").map((name) => `${name}:${(headers.get(name) ?? "").trim()}\n`);
  const canonical = ["POST", path, url.search.slice(1), lines.join(""), names, sha(raw)].join("\n");
  const text = ["AWS4-HMAC-SHA256", time, `${day}/${region}/${service}/aws4_request`, sha(canonical)].join("\n");
  let key: Uint8Array | string = `AWS4${awsKeys.secretAccessKey}`;
  for (const part of [day, region, service, "aws4_request"]) key = mac(key, part);
  return Buffer.from(mac(key, text)).toString("hex") === signature;
}

const sha = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
const mac = (key: Uint8Array | string, text: string): Uint8Array =>
  new Bun.CryptoHasher("sha256", key).update(text).digest();

const authorization =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;

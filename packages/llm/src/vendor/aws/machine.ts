import { readFileSync } from "node:fs";
import { fetchCredential } from "../../route/post.ts";
import type { Env } from "../api.ts";
import { type AwsCredentials, getJson, readCredentials } from "./credential.ts";

/** Keys from the agent of a container. */
export async function fromContainer(env: Env): Promise<AwsCredentials | undefined> {
  const below = env.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI?.trim();
  const url = below ? `http://169.254.170.2${below}` : env.AWS_CONTAINER_CREDENTIALS_FULL_URI?.trim();
  if (!url) return undefined;
  const file = env.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE?.trim();
  const token = file ? readFileSync(file, "utf8").trim() : env.AWS_CONTAINER_AUTHORIZATION_TOKEN?.trim();
  return readCredentials(await getJson(url, token ? { authorization: token } : {}));
}

/** Keys from the metadata address of an EC2 machine; elsewhere it soon times out. */
export async function fromInstance(env: Env): Promise<AwsCredentials | undefined> {
  if (env.AWS_EC2_METADATA_DISABLED?.trim().toLowerCase() === "true") return undefined;
  const endpoint = env.AWS_EC2_METADATA_SERVICE_ENDPOINT?.trim() || "http://169.254.169.254";
  const base = `${endpoint.replace(/\/+$/, "")}/latest`;
  const ask = async (path: string, init: RequestInit) => {
    const { ok, text } = await fetchCredential(base + path, init, instanceMs);
    return ok ? text.trim() : "";
  };
  try {
    const ttl = { "x-aws-ec2-metadata-token-ttl-seconds": "21600" };
    const token = await ask("/api/token", { method: "PUT", headers: ttl });
    const headers: Record<string, string> = token ? { "x-aws-ec2-metadata-token": token } : {};
    const [role] = (await ask(roles, { headers })).split("\n");
    return role ? readCredentials(JSON.parse(await ask(roles + encodeURIComponent(role), { headers }))) : undefined;
  } catch {
    return undefined;
  }
}

const instanceMs = 1000;
const roles = "/meta-data/iam/security-credentials/";

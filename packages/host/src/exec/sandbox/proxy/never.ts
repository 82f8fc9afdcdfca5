import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { tryOr } from "@pith/kit";
import { addressReason, isReachable } from "./address.ts";

/**
 * Tells why a host will not be reached, as far as this machine knows without asking anybody else: a lookup would tell
 * the network of a name before a person has said yes to it. `near` is for a host that the user named themselves.
 */
export function neverReached(host: string, how: "far" | "near"): string | undefined {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
  if (isIP(name)) return isReachable(name, how) ? undefined : addressReason(name);
  if (cloud.test(name)) return "it is the metadata address of a cloud, which hands out keys; pith never allows it";
  const wrong = inHostsFile(name).find((address) => !isReachable(address, how));
  if (wrong !== undefined) return addressReason(wrong);
  if (how === "near" || !(inner.test(name) || !name.includes("."))) return undefined;
  return "it is a name of a private network; name it in sandbox.domains of your own settings";
}

const cloud =
  /^(?:metadata|instance-data|metadata\.(?:google\.internal|goog|tencentyun\.com|platformequinix\.com))$|^instance-data\./;

/** Names that are never given out to the world. */
const inner = /\.(?:local|localdomain|lan|home|home\.arpa|internal|intranet|corp|private|test|invalid|example)$/;

function inHostsFile(name: string): string[] {
  const text = tryOr(() => readFileSync("/etc/hosts", "utf8"), "");
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    return names.some((one) => one.toLowerCase() === name) ? [address] : [];
  });
}

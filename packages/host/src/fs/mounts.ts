import { readFileSync } from "node:fs";
import { isInside, tryOr, unescapeMount } from "@pith/kit";

/** True for a path on another machine, where walking a tree costs a round trip per directory. */
export function isRemote(path: string, mounts: string = readMounts()): boolean {
  let best = { at: "", type: "" };
  for (const line of mounts.split("\n")) {
    // mountinfo: id parent device root MOUNT options … - TYPE source options
    const at = unescapeMount(line.split(" ")[4] ?? "");
    const type = / - (\S+)/.exec(line)?.[1] ?? "";
    if (at !== "" && at.length >= best.at.length && isInside(at, path)) best = { at, type };
  }
  return /^(?:fuse\.(?:sshfs|rclone|s3fs)|nfs4?|cifs|smb3)$/.test(best.type);
}

const readMounts = (): string => tryOr(() => readFileSync("/proc/self/mountinfo", "utf8"), "");

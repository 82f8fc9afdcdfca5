import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { repositoryText } from "@pith/host";
import { fail, hasher, isRecord, ok, type Result, readPlain, realPath } from "@pith/kit";

/**
 * Something of a project that executes, or changes endpoints, environment or keys. Text that a model reads is none: it
 * never needs a yes.
 */
export interface TrustItem {
  /** The kind of a thing: settings, hook, server, extension, … A yes to bytes as one kind is none as another. */
  kind: string;
  /** The folder of the project that brings it. A yes holds there, by its real path, and in no folder below or beside. */
  folder: string;
  /** Its file, relative to the folder; two things in one file have names behind a `#`. */
  name: string;
}

/** The user's answer to these very bytes. `before` is what they said yes to, as far as it was kept. */
export type TrustState = { is: "trusted" } | { is: "untrusted" } | { is: "changed"; before: string | undefined };

/** The one that every room asks before something of a project executes. */
export interface Trust {
  ask(item: TrustItem, bytes: string | Uint8Array): TrustState;
  /** Why nothing is trusted although there is a file that says so; known once something was asked. */
  readonly problem: string | undefined;
}

export interface TrustOptions {
  /** The directory of pith's own files. */
  home: string;
  /** `everything`: the user said yes to what there is, for this run. */
  run?: "everything" | undefined;
}

/** Reads the file when it is first asked: most projects bring nothing that needs a yes. */
export function openTrust({ home, run }: TrustOptions): Trust {
  let read: Result<Pins, "broken"> | undefined;
  const pins = () => (read ??= readPins(home));
  return {
    get problem() {
      return read?.ok === false ? read.message : undefined;
    },
    ask(item, bytes) {
      if (run === "everything") return { is: "trusted" };
      const known = pins();
      const pinned = known.ok ? known.value.get(realPath(item.folder))?.get(pinName(item)) : undefined;
      if (pinned === undefined) return { is: "untrusted" };
      return pinned === digest(bytes) ? { is: "trusted" } : { is: "changed", before: copyOf(home, pinned) };
    },
  };
}

/** True for a repository whose configuration and hooks the user said yes to: git may run what they name. */
export function isTrustedRepository(trust: Trust, folder: string): boolean {
  const item = { kind: "git", folder, name: gitConfig };
  // Nearly none was ever asked about: then there is nothing to read.
  if (trust.ask(item, "").is === "untrusted") return false;
  const text = repositoryText(folder);
  return text !== undefined && trust.ask(item, text).is === "trusted";
}

export const gitConfig = ".git/config";

/** By the real path of the folder: the hash of each thing that was said yes to. */
export type Pins = Map<string, Map<string, string>>;

export const pinName = ({ kind, name }: TrustItem): string => `${kind}:${name}`;
export const digest = (bytes: string | Uint8Array): string => hasher("sha256").update(bytes).digest("hex");
export const trustFile = (home: string): string => join(home, "trust.json");
/** The accepted bytes, by their hash, so that a change can be shown. */
export const copyFile = (home: string, hash: string): string => join(home, "trust", hash);

/** A file that is not as we write it says nothing: whoever could break it could also have forged it. */
export function readPins(home: string): Result<Pins, "broken"> {
  const file = trustFile(home);
  const broken = (why: string) => fail("broken", `${file} ${why}; nothing is trusted until it is mended or removed`);
  const read = readPlain(file, { maxBytes, owner: isOurs });
  if (!read.ok) return read.kind === "missing" ? ok(new Map()) : broken(read.message);
  if ((statSync(file).mode & 0o022) !== 0) return broken("may be written by others");
  try {
    const pins = pinsIn(JSON.parse(read.value));
    return pins ? ok(pins) : broken("does not hold what pith writes there");
  } catch {
    return broken("is not JSON");
  }
}

const maxBytes = 16 * 1024 * 1024;
const isOurs = (uid: number): boolean => uid === 0 || uid === (process.getuid?.() ?? uid);

function pinsIn(value: unknown): Pins | undefined {
  if (!isRecord(value) || value.version !== 1 || !isRecord(value.folders)) return undefined;
  const pins: Pins = new Map();
  for (const [folder, items] of Object.entries(value.folders)) {
    if (!folder.startsWith("/") || !isRecord(items)) return undefined;
    const hashes = Object.entries(items);
    if (!hashes.every((entry): entry is [string, string] => isHash(entry[1]))) return undefined;
    pins.set(folder, new Map(hashes));
  }
  return pins;
}
const isHash = (value: unknown): boolean => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

function copyOf(home: string, hash: string): string | undefined {
  try {
    const text = readFileSync(copyFile(home, hash), "utf8");
    return digest(text) === hash ? text : undefined;
  } catch {
    return undefined;
  }
}

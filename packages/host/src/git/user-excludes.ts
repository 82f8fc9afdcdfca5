import { join } from "node:path";
import { expandHome } from "@pith/kit";
import type { Env } from "../exec/env.ts";
import { readRegular } from "./repository.ts";

const maxConfig = 1024 * 1024;

/** The user's own ignore file: the configured one, else the usual one. */
export function userExcludes(env: Env): string | undefined {
  const home = env.HOME;
  const folder = env.XDG_CONFIG_HOME ? join(env.XDG_CONFIG_HOME, "git") : home && join(home, ".config", "git");
  const files = [...(folder ? [join(folder, "config")] : []), ...(home ? [join(home, ".gitconfig")] : [])];
  const named = files
    .map((file) => excludesIn(readRegular(file, { maxBytes: maxConfig, links: "follow" })?.toString() ?? ""))
    .findLast((value) => value !== undefined);
  if (named === undefined) return folder && join(folder, "ignore");
  const path = home ? expandHome(named, home) : named;
  return path.startsWith("/") ? path : undefined;
}

/** The last `core.excludesFile` of a configuration; files that it includes are not read. */
function excludesIn(config: string): string | undefined {
  let section = "";
  let value: string | undefined;
  const joined = config.replace(/^\ufeff/, "").replace(/\\\r?\n/g, "");
  for (const line of joined.split(/\r?\n/)) {
    const [, head, rest = ""] = /^\s*\[([^\]]*)\](.*)$/.exec(line) ?? [undefined, undefined, line];
    if (head !== undefined) section = head.trim().toLowerCase();
    const [, key, text = ""] = /^\s*([A-Za-z][\w-]*)\s*=(.*)$/.exec(rest) ?? [];
    if (section === "core" && key?.toLowerCase() === "excludesfile") value = readValue(text);
  }
  return value;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

/** Reads a value: a comment and the spaces around it are cut off, unless they are quoted. */
function readValue(text: string): string {
  let value = "";
  let kept = 0;
  let quoted = false;
  const trimmed = text.trimStart();
  for (let at = 0; at < trimmed.length; at++) {
    const letter = trimmed[at] ?? "";
    if (letter === '"') {
      quoted = !quoted;
      kept = value.length;
      continue;
    }
    if (!quoted && (letter === "#" || letter === ";")) break;
    const escaped = letter === "\\" ? (trimmed[++at] ?? "") : undefined;
    value += escaped === undefined ? letter : (escapes[escaped] ?? escaped);
    if (quoted || !/\s/.test(letter)) kept = value.length;
  }
  return value.slice(0, kept);
}

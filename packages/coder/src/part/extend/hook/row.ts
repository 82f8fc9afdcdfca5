import { matchesGlob, relative } from "node:path";
import { isInside, plainText, shorten } from "@pith/kit";
import type { Item } from "../../../capability/item.ts";
import { unusedWhy } from "../../../capability/kind/kind.ts";
import { isPlainMatcher } from "../../../capability/read/hooks.ts";
import type { Capabilities } from "../../../capability/registry.ts";
import type { ForeignCall } from "./words.ts";

/** A hook that is asked, or one that cannot be read and stands in its place. */
export interface HookRow {
  item: Item<"hook">;
  /** The folder that it counts as the project. */
  folder: string;
  /** Why it cannot be read. */
  broken?: string | undefined;
}

/** Lists the hooks that count here, the user's and the project's, and why others do not. */
export function hookRows(capabilities: Capabilities, off: (item: Item<"hook">) => boolean): HookRow[] {
  const { root } = capabilities.files.place;
  const folderOf = (item: Item<"hook">) =>
    item.level === "project" ? capabilities.files.projectFolders.find((way) => isInside(way, item.file)) : undefined;
  return capabilities.of("hook").all.flatMap((item) => {
    const { state, data } = item;
    if (data.dialect === undefined || unusedWhy("hook", data) !== undefined || off(item)) return [];
    const folder = folderOf(item) ?? root;
    if (state === "active") return [{ item, folder }];
    // What a project has broken counts once somebody has said yes to it as it stands.
    return state === "invalid" && capabilities.isTrusted(item)
      ? [{ item, folder, broken: item.why ?? "it cannot be read" }]
      : [];
  });
}

/** True for a point at which a hook decides whether a call runs. */
export const isGuard = ({ item: { data } }: HookRow): boolean =>
  (data.event === "PreToolUse" || data.event === "call") && data.background !== true;

/** A hook for people: its words, and where it stands. */
export function hookName({ item: { data, name, file, line } }: HookRow): string {
  const said = shorten(plainText(data.runs === "" ? name : data.runs).replace(/\s+/g, " "), 80);
  return `${data.event} "${said}" (${plainText(file)}${line === undefined ? "" : `:${line}`})`;
}

/** True if a row is for this event and what it is about. */
export function isFor({ item: { data } }: HookRow, event: string, about: string | undefined): boolean {
  if (data.event !== event) return false;
  return about === undefined || matches(data.matcher, about);
}

/** A matcher is a list of names between bars, or a regular expression; of a broken one all is meant. */
function matches(matcher: string, about: string): boolean {
  if (matcher === "" || matcher === "*") return true;
  if (isPlainMatcher(matcher))
    return matcher
      .split(/[|,]/)
      .map((name) => name.trim())
      .includes(about);
  try {
    return new RegExp(matcher).test(about);
  } catch {
    return true;
  }
}

/** True if a call meets a condition like `Bash(git push *)` or `Edit(src/**)`; also where that cannot be told. */
export function meets(condition: string | undefined, { name, input, path }: ForeignCall, folder: string): boolean {
  if (condition === undefined) return true;
  const [, tool, pattern] = /^(\w+)(?:\((.*)\))?$/s.exec(condition.trim()) ?? [];
  if (tool === undefined) return true;
  if (tool !== name)
    return tool === "Edit" && (name === "Write" || name === "MultiEdit") && pathMeets(pattern, path, folder);
  if (pattern === undefined || pattern === "" || pattern === "*") return true;
  if (name === "Bash") return typeof input.command !== "string" || commandMeets(pattern, input.command);
  return pathMeets(pattern, path, folder);
}

function pathMeets(pattern: string | undefined, path: string | undefined, folder: string): boolean {
  if (pattern === undefined || path === undefined) return true;
  const glob = pattern.replace(/^\.?\//, "");
  return (
    matchesGlob(relative(folder, path), glob) ||
    matchesGlob(path, pattern) ||
    matchesGlob(relative(folder, path), `**/${glob}`)
  );
}

/** Each part of a command line is compared; in one that hides parts all may be meant. */
function commandMeets(pattern: string, command: string): boolean {
  if (/[`\\]|\$\(|<\(|>\(|\beval\b|\b(?:ba|z|da)?sh\b|\bxargs\b|\benv\b/.test(command)) return true;
  const source = pattern
    .replace(/:\*$/, " *")
    .split("*")
    .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"))
    .join(".*")
    .replace(/ \.\*$/, "(?: .*)?");
  const whole = new RegExp(`^${source}$`, "s");
  const plain = (part: string) => part.trim().replace(/^(?:\w+=\S*\s+)+/, "");
  return command.split(/&&|\|\||[;|&\n]/).some((part) => whole.test(plain(part)));
}

import { dirname } from "node:path";
import type { Channel } from "@pith/agent";
import { byteLength, fill, formatBytes, hasher, headBytes, realPath } from "@pith/kit";
import { owned, stamped } from "../capability/dependencies.ts";
import type { Item } from "../capability/item.ts";
import type { Capabilities } from "../capability/registry.ts";
import { ownersFor } from "../setting/repository.ts";
import { importsOf, maxNames } from "./imports.ts";
import instructions from "./instructions.md" with { type: "text" };
import { plain } from "./tree.ts";

/** A file that is told to the model, whole or cut. */
export interface ContextFile {
  path: string;
  text: string;
  /** Hash of the whole text, also of the part that was cut off. */
  hash: string;
  source: string;
}

const most = { each: 32 * 1024, together: 64 * 1024, warnings: 20 };

type Warn = (text: string) => void;

/** Makes a function that notifies people of each text once. */
export function warnOnce(channel: Channel): Warn {
  const warned = new Set<string>();
  return (text) => {
    if (!warned.has(text)) channel.notify({ level: "warn", text });
    warned.add(text);
  };
}

type Forbids = (path: string) => boolean;

/** Returns the files of instructions with their imports: the user's first, then from the root down. */
export function contextFiles(capabilities: Capabilities, warn: Warn, forbids: Forbids = () => false): ContextFile[] {
  const { winners, warnings } = capabilities.of("context");
  for (const text of warnings) warn(text);
  return told(capabilities, winners, new Set(), warn, forbids);
}

/** Returns the files of instructions of a folder below the working directory, without those told before. */
export function nestedFiles(
  capabilities: Capabilities,
  folder: string,
  warn: Warn,
  forbids: Forbids = () => false,
): ContextFile[] {
  const before = new Set(capabilities.of("context").winners.map(({ file }) => realPath(file)));
  return told(capabilities, capabilities.within(folder, "context"), before, warn, forbids);
}

function told(
  { files }: Capabilities,
  items: readonly Item<"context">[],
  before: ReadonlySet<string>,
  warn: Warn,
  forbids: Forbids,
): ContextFile[] {
  const { root, cwd, userHome } = files.place;
  files.dependOn(owned, cwd);
  const isOurs = ownersFor(cwd);
  const seen = new Set([...before, ...items.map(({ file }) => realPath(file))]);
  const left = { names: maxNames, bytes: most.together };
  let warned = 0;
  const warnSome = (text: string) => {
    warned += 1;
    if (warned <= most.warnings) warn(text);
  };
  const all = items.toSorted(byPlace).flatMap((item) => {
    const project = item.level === "project";
    const room = {
      userHome,
      within: project ? root : undefined,
      owner: project ? (path: string, uid: number) => isOurs(dirname(path), uid) : undefined,
      forbids,
      seen,
      left,
      looked: (path: string) => files.dependOn(stamped, path),
      warn: warnSome,
    };
    const own = { path: item.file, text: item.data.text };
    return [own, ...importsOf(item.file, item.data.text, room)].map((file) => ({ ...file, source: item.source }));
  });
  let free = most.together;
  const shown = all.flatMap(({ path, text, source }) => {
    const size = byteLength(text);
    const room = Math.min(most.each, free);
    const shown = size > room ? headBytes(text, room) : text;
    free -= byteLength(shown);
    if (size > room)
      warnSome(`${path}: the model gets the first ${formatBytes(byteLength(shown))} of ${formatBytes(size)}`);
    if (shown === "") return [];
    const cut = size > room ? `\n[cut: ${formatBytes(size - byteLength(shown))} more in ${path}]` : "";
    return [{ path, text: `${shown}${cut}`, hash: hashOf(text), source }];
  });
  if (warned > most.warnings) warn(`${warned - most.warnings} more files or imports are left out or cut`);
  return shown;
}

/** Escapes a path and a text, so that neither ends the tag that it stands in. */
export const quoted = ({ path, text }: Pick<ContextFile, "path" | "text">) => ({
  path: plain(path, 4096).replaceAll('"', "'"),
  text: text.replace(/<(?=\/instructions\b)/gi, "&lt;"),
});

export const instructionsOf = (file: Pick<ContextFile, "path" | "text">): string =>
  fill(instructions, quoted(file)).trim();

/** Sorts the user's first, then outer folders before inner ones. */
const byPlace = (a: Item<"context">, b: Item<"context">): number =>
  Number(a.level === "project") - Number(b.level === "project") || a.data.folder.length - b.data.folder.length;

export const hashOf = (text: string): string => hasher("sha256").update(text).digest("hex").slice(0, 16);

import { dirname } from "node:path";
import { byteLength, formatBytes, hasher, headBytes, realPath } from "@pith/kit";
import type { Item } from "../capability/item.ts";
import type { Capabilities } from "../capability/registry.ts";
import { ownersFor } from "../setting/repository.ts";
import { importsOf } from "./imports.ts";

/** A file that is told to the model, whole or cut. */
export interface ContextFile {
  path: string;
  text: string;
  /** Of all of it, also of what was cut off. */
  hash: string;
  source: string;
}

const most = { each: 32 * 1024, together: 64 * 1024 };

/** What people and projects tell agents: the user's, then from the root down; each with what it imports. */
export function contextFiles(
  capabilities: Capabilities,
  warn: (text: string) => void,
  forbids: (path: string) => boolean = () => false,
): ContextFile[] {
  const { winners, warnings } = capabilities.of("context");
  for (const text of warnings) warn(text);
  const { root, cwd, userHome } = capabilities.look.place;
  const isOurs = ownersFor(cwd);
  const seen = new Set(winners.map(({ file }) => realPath(file)));
  const all = winners.toSorted(byPlace).flatMap((item) => {
    const project = item.level === "project";
    const room = {
      userHome,
      within: project ? root : undefined,
      owner: project ? (path: string, uid: number) => isOurs(dirname(path), uid) : undefined,
      forbids,
      seen,
      warn,
    };
    const own = { path: item.file, text: item.data.text };
    return [own, ...importsOf(item.file, item.data.text, room)].map((file) => ({ ...file, source: item.source }));
  });
  let left = most.together;
  return all.flatMap(({ path, text, source }) => {
    const size = byteLength(text);
    const room = Math.min(most.each, left);
    const shown = size > room ? headBytes(text, room) : text;
    left -= byteLength(shown);
    if (size > room) warn(`${path}: of ${formatBytes(size)} the first ${formatBytes(byteLength(shown))} are told`);
    if (shown === "") return [];
    const cut = size > room ? `\n[cut: ${formatBytes(size - byteLength(shown))} more in ${path}]` : "";
    return [{ path, text: `${shown}${cut}`, hash: hashOf(text), source }];
  });
}

/** What a folder below the working directory tells agents. */
export function nestedFiles(capabilities: Capabilities, folder: string): ContextFile[] {
  return capabilities.within(folder, "context").map(({ file, data, source }) => {
    const shown = headBytes(data.text, most.each);
    return { path: file, text: shown, hash: hashOf(data.text), source };
  });
}

/** The user's first, then the outer folders before the inner ones. */
const byPlace = (a: Item<"context">, b: Item<"context">): number =>
  Number(a.level === "project") - Number(b.level === "project") || a.data.folder.length - b.data.folder.length;

export const hashOf = (text: string): string => hasher("sha256").update(text).digest("hex").slice(0, 16);

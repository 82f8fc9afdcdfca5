import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";

/**
 * A relative path, read the way people who see folders by their names mean it. One folder: its own name in front is left
 * out, unless something in it has that name or what is left leads nowhere: a new file is made where it was said. Several: the first is where new files go; an existing one is found in any.
 */
export function inRoots(roots: readonly string[], given: string): string {
  const [first = "", ...others] = roots;
  const path = given.replace(/^\.\//, "");
  const slash = path.search(/[/\\]/);
  const head = slash === -1 ? path : path.slice(0, slash);
  const rest = slash === -1 ? "" : path.slice(slash + 1);
  const primary = resolve(first, given);
  if (others.length === 0) {
    const named = head !== "" && head === basename(first) && !existsSync(join(first, head));
    return named && existsSync(resolve(first, rest)) ? resolve(first, rest) : primary;
  }
  const named = roots.find((root) => basename(root) === head);
  if (named && rest === "") return named;
  const tries = [primary, ...others.map((root) => resolve(root, given)), ...(named ? [resolve(named, rest)] : [])];
  return tries.find((path) => existsSync(path)) ?? primary;
}

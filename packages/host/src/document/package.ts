import { wholeMember } from "../archive/entry.ts";
import { zip } from "../archive/zip.ts";
import { walkXml } from "./xml.ts";

/** A document that is a ZIP of XML files. */
export interface Package {
  has(name: string): boolean;
  text(name: string): Promise<string>;
  /** The text of a part that need not be there; empty where it is not. */
  optional(name: string): Promise<string>;
  /** The targets of the links of a part, by their id. */
  links(part: string): Promise<ReadonlyMap<string, string>>;
}

/** Nothing is aborted here: the process that reads a document is ended instead. */
const never = new AbortController().signal;

/** Enough for a thick book, and no bomb. */
const maxPart = 32 * 1024 * 1024;

export async function openPackage(path: string): Promise<Package> {
  const { entries } = await zip.list(path, never);
  const names = new Set(entries.filter((entry) => entry.type === "file").map((entry) => entry.name));
  const text = async (name: string) =>
    (await wholeMember(zip, path, name, { max: maxPart, signal: never })).toString("utf8");
  const optional = async (name: string) => (names.has(name) ? text(name) : "");
  return {
    has: (name) => names.has(name),
    text,
    optional,
    async links(part) {
      const at = part.lastIndexOf("/");
      const links = new Map<string, string>();
      walkXml(await optional(`${part.slice(0, at + 1)}_rels/${part.slice(at + 1)}.rels`), {
        open: {
          Relationship({ Id, Target, TargetMode }) {
            if (Id && Target) links.set(Id, TargetMode === "External" ? Target : inPackage(part, Target));
          },
        },
      });
      return links;
    },
  };
}

/** A name relative to a part, as a name of the package. */
export function inPackage(part: string, target: string): string {
  const steps = target.startsWith("/") ? [] : part.split("/").slice(0, -1);
  for (const step of target.replace(/^\//, "").split("/")) {
    if (step === "..") steps.pop();
    else if (step !== ".") steps.push(step);
  }
  return steps.join("/");
}

import { zip } from "../archive/zip.ts";
import { walkXml } from "./xml.ts";

/** A document that is a ZIP of XML files. */
export interface Package {
  has(name: string): boolean;
  names: readonly string[];
  text(name: string): Promise<string>;
  /** Where the links of a part lead, by their id. */
  links(part: string): Promise<ReadonlyMap<string, string>>;
}

/** Whoever wants it to end ends the process. */
const never = new AbortController().signal;

/** Enough for a thick book, and no bomb. */
const maxPart = 32 * 1024 * 1024;

export async function openPackage(path: string): Promise<Package> {
  const { entries } = await zip.list(path, never);
  const names = entries.filter((entry) => entry.type === "file").map((entry) => entry.name);
  const text = async (name: string): Promise<string> => {
    return (await zip.read(path, name, maxPart, never)).toString("utf8");
  };
  return {
    names,
    has: (name) => names.includes(name),
    text,
    async links(part) {
      const at = part.lastIndexOf("/");
      const name = `${part.slice(0, at + 1)}_rels/${part.slice(at + 1)}.rels`;
      const links = new Map<string, string>();
      if (!names.includes(name)) return links;
      walkXml(await text(name), {
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

import { join } from "node:path";
import { fail, ok } from "@pith/kit";
import { available, filesIn, findIn, sharedFolders } from "./folder.ts";
import type { Handler, Sources } from "./handler.ts";

/** A skill by its name, or a file beside it: `skill://name/scripts/x.py`. */
export const skill: Handler = {
  resolve({ host, path }, sources) {
    const file = findIn(sharedFolders(sources, "skills"), join(host, path || "SKILL.md"));
    if (file) return ok(path === "" ? { file, whole: "always" } : { file });
    return fail("url", `skill://${host}${path && `/${path}`} not found. ${available(names(sources))}`);
  },
  below: ({ host, path }, sources) => {
    const skill =
      path === ""
        ? sharedFolders(sources, "skills").find((folder) => findIn([folder], join(host, "SKILL.md")))
        : undefined;
    return skill ? filesIn({ ...skill, at: join(skill.at, host) }).map((name) => `skill://${join(host, name)}`) : [];
  },
  list: (sources) => names(sources).map((name) => `skill://${name}`),
};

const names = (sources: Sources): string[] => {
  const files = sharedFolders(sources, "skills").flatMap(filesIn);
  return [...new Set(files.flatMap((file) => /^([^/]+)\/SKILL\.md$/.exec(file)?.[1] ?? []))];
};

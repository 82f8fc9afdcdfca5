import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, ok } from "@pith/kit";
import { available, filesIn, findIn } from "./folder.ts";
import type { Handler, Sources } from "./handler.ts";

/** A skill by its name, or a file beside it: `skill://name/scripts/x.py`. */
export const skill: Handler = {
  resolve({ host, path }, sources) {
    const file = findIn(dirsOf(sources), join(host, path || "SKILL.md"));
    if (file) return path === "" ? ok({ text: readFileSync(file, "utf8"), whole: "always" }) : ok({ file });
    return fail("url", `skill://${host}${path && `/${path}`} not found. ${available(names(sources))}`);
  },
  list: (sources) => names(sources).map((name) => `skill://${name}`),
};

const dirsOf = ({ project, home }: Sources): string[] => [join(project, ".pith", "skills"), join(home, "skills")];

const names = (sources: Sources): string[] => [
  ...new Set(
    dirsOf(sources)
      .flatMap(filesIn)
      .flatMap((file) => /^([^/]+)\/SKILL\.md$/.exec(file)?.[1] ?? []),
  ),
];

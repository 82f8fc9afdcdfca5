import { join } from "node:path";
import { fail, ok } from "@pith/kit";
import { available, filesIn, findIn } from "./folder.ts";
import type { Handler, Sources } from "./handler.ts";
import { nameIn } from "./url.ts";

/** One rule by its name. */
export const rule: Handler = {
  resolve(url, sources) {
    const name = nameIn(url);
    const file = ["", ".md", ".mdc"]
      .map((end) => findIn(dirsOf(sources), `${name}${end}`))
      .find((found) => found !== undefined);
    return file ? ok({ file }) : fail("url", `rule://${name} not found. ${available(names(sources))}`);
  },
  list: (sources) => names(sources).map((name) => `rule://${name}`),
};

const dirsOf = ({ project, home }: Sources): string[] => [join(project, ".pith", "rules"), join(home, "rules")];
const names = (sources: Sources): string[] => [
  ...new Set(
    dirsOf(sources)
      .flatMap(filesIn)
      .map((file) => file.replace(/\.mdc?$/, "")),
  ),
];

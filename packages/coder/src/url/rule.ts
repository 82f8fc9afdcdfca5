import { fail, ok } from "@pith/kit";
import { available, filesIn, findIn, sharedFolders } from "./folder.ts";
import type { Handler, Sources } from "./handler.ts";
import { nameIn } from "./url.ts";

/** One rule by its name. */
export const rule: Handler = {
  resolve(url, sources) {
    const name = nameIn(url);
    const folders = sharedFolders(sources, "rules");
    const file = ["", ".md", ".mdc"].map((end) => findIn(folders, `${name}${end}`)).find((file) => file !== undefined);
    return file ? ok({ file }) : fail("url", `rule://${name} not found. ${available(names(sources))}`);
  },
  list: (sources) => names(sources).map((name) => `rule://${name}`),
};

const names = (sources: Sources): string[] => {
  const files = sharedFolders(sources, "rules").flatMap(filesIn);
  return [...new Set(files.map((file) => file.replace(/\.mdc?$/, "")))];
};

import { basename, dirname } from "node:path";
import { fail, ok } from "@pith/kit";
import { available, type Folder, filesIn, findIn } from "../folder.ts";
import type { Handler, UrlSources } from "../handler.ts";

/** Skills by name, of all sources, and the files beside them: `skill://name/scripts/x.py`. */
export const skill: Handler = {
  resolve({ host, path }, sources) {
    const found = skills(sources).find(({ name }) => name === host);
    if (found && path === "") return ok({ file: found.file, whole: "always" });
    const file = found && findIn([folderOf(found.data.folder)], path);
    if (file) return ok({ file });
    const names = skills(sources).map(({ name }) => name);
    return fail("url", `skill://${host}${path && `/${path}`} not found. ${available(names)}`);
  },
  below({ host, path }, sources) {
    const found = path === "" ? skills(sources).find(({ name }) => name === host) : undefined;
    return found ? filesIn(folderOf(found.data.folder)).map((name) => `skill://${host}/${name}`) : [];
  },
  list: (sources) => skills(sources).map(({ name }) => `skill://${name}`),
};

/** Makes the folder of a skill; its files may not lead out of it. */
const folderOf = (folder: string): Folder => ({ root: dirname(folder), at: basename(folder), links: "followed" });

const skills = ({ capabilities }: UrlSources) => capabilities?.of("skill").winners ?? [];

import { basename, dirname } from "node:path";
import { fail, ok } from "@pith/kit";
import { available, type Folder, filesIn, findIn } from "../folder.ts";
import type { Handler, Sources } from "../handler.ts";

/** A skill by its name, whoever wrote it, or a file beside it: `skill://name/scripts/x.py`. */
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

/** Nothing that is read by its name leads out of its own folder. */
const folderOf = (folder: string): Folder => ({ root: dirname(folder), at: basename(folder), links: "followed" });

const skills = ({ capabilities }: Sources) => capabilities?.of("skill").winners ?? [];

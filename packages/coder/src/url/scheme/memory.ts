import { fail, ok } from "@pith/kit";
import { available, type Folder, fileIn, filesIn, findIn } from "../folder.ts";
import type { Handler } from "../handler.ts";
import { nameIn } from "../url.ts";

/** Files that are kept for later sessions. */
export const memory: Handler = {
  resolve(url, { home }) {
    const folder = folderIn(home);
    const name = nameIn(url);
    if (name === "") return ok({ text: filesIn(folder).join("\n") || "(no memory yet)" });
    const inside = fileIn(folder, name);
    if (!inside.ok) return inside;
    const file = findIn([folder], name) ?? findIn([folder], `${name}.md`);
    return file ? ok({ file }) : fail("url", `memory://${name} not found. ${available(filesIn(folder))}`);
  },
  list: ({ home }) => filesIn(folderIn(home)).map((name) => `memory://${name}`),
};

const folderIn = (home: string): Folder => ({ root: home, at: "memory", links: "followed" });

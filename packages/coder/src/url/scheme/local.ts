import { statSync } from "node:fs";
import { fail, ok } from "@pith/kit";
import { available, type Folder, fileIn, filesIn, sessionFolder } from "../folder.ts";
import type { Handler, UrlSources } from "../handler.ts";
import { nameIn } from "../url.ts";

/** Scratch files of the session, for notes and to hand files from one agent to another. */
export const local: Handler = {
  resolve(url, sources) {
    const folder = folderOf(sources);
    if (folder === undefined) return nowhere;
    const name = nameIn(url);
    if (name === "") return ok({ text: filesIn(folder).join("\n") || "(empty directory)" });
    const file = fileIn(folder, name);
    if (!file.ok) return file;
    if (statSync(file.value, { throwIfNoEntry: false })?.isFile()) return ok({ file: file.value });
    return fail("url", `local://${name} not found. ${available(filesIn(folder))}`);
  },
  target(url, sources) {
    const folder = folderOf(sources);
    if (folder === undefined) return nowhere;
    const name = nameIn(url);
    if (name === "" || url.href.endsWith("/")) return fail("url", "local:// needs the name of a file");
    return fileIn(folder, name);
  },
  below: (url, sources) => addresses(sources, `${nameIn(url).replace(/\/+$/, "")}/`),
  list: (sources) => addresses(sources),
};

/** The addresses of the files whose names begin so. */
function addresses(sources: UrlSources, prefix = ""): string[] {
  const folder = folderOf(sources);
  const names = folder ? filesIn(folder).filter((name) => name.startsWith(prefix)) : [];
  return names.map((name) => `local://${name}`);
}

const folderOf = ({ sessionDir }: UrlSources): Folder | undefined =>
  sessionDir === undefined ? undefined : sessionFolder(sessionDir, "local");
const nowhere = fail("url", "There is no session that has kept anything");

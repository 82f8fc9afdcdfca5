import { statSync } from "node:fs";
import { join } from "node:path";
import { fail, ok } from "@pith/kit";
import { available, fileIn, filesIn } from "./folder.ts";
import type { Handler, Sources } from "./handler.ts";
import { nameIn } from "./url.ts";

/** A scratch directory of the session: for notes and for handing things from one agent to another. */
export const local: Handler = {
  resolve(url, sources) {
    const dir = dirOf(sources);
    if (dir === undefined) return nowhere;
    const name = nameIn(url);
    if (name === "") return ok({ text: filesIn(dir).join("\n") || "(empty directory)" });
    const file = fileIn(dir, name);
    if (!file.ok) return file;
    if (statSync(file.value, { throwIfNoEntry: false })?.isFile()) return ok({ file: file.value });
    return fail("url", `local://${name} not found. ${available(filesIn(dir))}`);
  },
  target(url, sources) {
    const dir = dirOf(sources);
    if (dir === undefined) return nowhere;
    const name = nameIn(url);
    if (name === "" || url.href.endsWith("/")) return fail("url", "local:// needs the name of a file");
    return fileIn(dir, name);
  },
  list: (sources) => filesIn(dirOf(sources) ?? "").map((name) => `local://${name}`),
};

const dirOf = ({ sessionDir }: Sources): string | undefined => sessionDir && join(sessionDir, "local");
const nowhere = fail("url", "No session - local:// unavailable");

import { basename, dirname } from "node:path";
import { fail, ok } from "@pith/kit";
import { fileIn, sessionFolder } from "../folder.ts";
import type { Handler } from "../handler.ts";
import { nameIn } from "../url.ts";

/** Full texts of outputs that were cut. */
export const artifact: Handler = {
  resolve(url, { artifacts }) {
    const kept = artifacts.resolve(nameIn(url));
    if (!kept.ok) return fail("url", kept.message);
    // The directory of a stranger's session may contain links.
    const file = fileIn(sessionFolder(dirname(kept.value)), basename(kept.value));
    return file.ok ? ok({ file: file.value }) : file;
  },
};

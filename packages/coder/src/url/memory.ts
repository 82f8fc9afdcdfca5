import { join } from "node:path";
import { fail, ok } from "@pith/kit";
import { available, fileIn, filesIn, findIn } from "./folder.ts";
import type { Handler } from "./handler.ts";
import { nameIn } from "./url.ts";

/** What was kept for later sessions, as the files it is kept in. */
export const memory: Handler = {
  resolve(url, { home }) {
    const dir = join(home, "memory");
    const name = nameIn(url);
    if (name === "") return ok({ text: filesIn(dir).join("\n") || "(no memory yet)" });
    const inside = fileIn(dir, name);
    if (!inside.ok) return inside;
    const file = findIn([dir], name) ?? findIn([dir], `${name}.md`);
    return file ? ok({ file }) : fail("url", `memory://${name} not found. ${available(filesIn(dir))}`);
  },
  list: ({ home }) => filesIn(join(home, "memory")).map((name) => `memory://${name}`),
};

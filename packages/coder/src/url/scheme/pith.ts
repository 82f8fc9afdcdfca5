import { fail, ok } from "@pith/kit";
import { embed } from "../embed.ts" with { type: "macro" };
import { available } from "../folder.ts";
import type { Handler } from "../handler.ts";
import { nameIn } from "../url.ts";

export const documents: Readonly<Record<string, string>> = embed();
const pages = Object.keys(documents).filter((name) => name.endsWith(".md"));

/** The documentation of pith, which is part of the program. */
export const pith: Handler = {
  resolve(url) {
    const name = nameIn(url);
    if (name === "") return ok({ text: pages.join("\n") });
    const text = [name, `${name}.md`].flatMap((page) => (Object.hasOwn(documents, page) ? [documents[page]] : []))[0];
    return text === undefined ? fail("url", `pith://${name} not found. ${available(pages)}`) : ok({ text });
  },
  list: () => pages.map((name) => `pith://${name}`),
};

import { fail, ok } from "@pith/kit";
import { available } from "../folder.ts";
import type { Handler, UrlSources } from "../handler.ts";
import { nameIn } from "../url.ts";

/** Rules by name, of all sources. */
export const rule: Handler = {
  resolve(url, sources) {
    const name = nameIn(url).replace(/\.mdc?$/, "");
    const found = rules(sources).find((one) => one.name === name);
    if (found) return ok({ file: found.file });
    return fail("url", `rule://${name} not found. ${available(rules(sources).map((one) => one.name))}`);
  },
  list: (sources) => rules(sources).map(({ name }) => `rule://${name}`),
};

const rules = ({ capabilities }: UrlSources) => capabilities?.of("rule").winners ?? [];

import type { Tool } from "@pith/agent";
import { fill } from "@pith/kit";
import { headerText, markOf } from "../../../tools/display.ts";
import { type SearchInput, type SearchOptions, searchInput } from "../options.ts";
import about from "./search.md" with { type: "text" };
import brief from "./search.short.md" with { type: "text" };

export function search(options: SearchOptions): Tool<SearchInput> {
  return {
    name: "search",
    about: fill(about, { header: headerText(options.display), mark: markOf(options.display) }),
    brief: fill(brief, { mark: markOf(options.display) }),
    input: searchInput,
    looks: true,
    beside: () => true,
    prepare: async (request, { signal }) => (await import("./run.ts")).prepareSearch(options, request, signal),
  };
}

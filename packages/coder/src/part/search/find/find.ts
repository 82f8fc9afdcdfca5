import type { Tool } from "@pith/agent";
import { type FindInput, type FindOptions, findInput } from "../options.ts";
import about from "./find.md" with { type: "text" };
import brief from "./find.short.md" with { type: "text" };

export function find(options: FindOptions): Tool<FindInput> {
  return {
    name: "find",
    about,
    brief,
    input: findInput,
    looks: true,
    beside: () => true,
    prepare: async (request, { signal }) => (await import("./run.ts")).prepareFind(options, request, signal),
  };
}

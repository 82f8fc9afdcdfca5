import type { Tool } from "@pith/agent";
import about from "./find.md" with { type: "text" };
import brief from "./find.short.md" with { type: "text" };
import { type FindOptions, type Input, input } from "./options.ts";

export function find(options: FindOptions): Tool<Input> {
  return {
    name: "find",
    about,
    brief,
    input,
    looks: true,
    beside: () => true,
    prepare: async (request, { signal }) => (await import("./run.ts")).prepareFind(options, request, signal),
  };
}

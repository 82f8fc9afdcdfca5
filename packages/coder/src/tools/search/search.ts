import { schema as s, type Tool } from "@pith/agent";
import { fill } from "@pith/kit";
import type { Files } from "../../files/files.ts";
import type { Snapshots } from "../../snapshot/snapshot.ts";
import type { Router } from "../../url/router.ts";
import { type Display, headerText, markOf } from "../display.ts";
import { pathList } from "../path-list.ts";
import about from "./search.md" with { type: "text" };

const input = s.object({
  pattern: s.string(),
  paths: pathList().describe("The project if absent").optional(),
  i: s.boolean().optional().describe("Ignore case"),
  gitignore: s.boolean().optional().describe("false: also what git ignores"),
  hidden: s.boolean().optional().describe("false: without dotfiles"),
  skip: s.number().optional(),
});
export type Input = s.Infer<typeof input>;

export interface SearchOptions {
  files: Files;
  urls: Router;
  snapshots: Snapshots;
  display: Display;
  /** Bytes that an answer may have; the model in charge decides. */
  room(): number;
  /** Lines shown around a match. */
  contextBefore: number;
  contextAfter: number;
}

export function search(options: SearchOptions): Tool<Input> {
  return {
    name: "search",
    about: fill(about, { header: headerText(options.display), mark: markOf(options.display) }),
    input,
    looks: true,
    beside: () => true,
    prepare: async (request, { signal }) => (await import("./run.ts")).prepareSearch(options, request, signal),
  };
}

import { schema as s } from "@pith/agent";
import type { Files } from "../../../files/files.ts";
import type { Snapshots } from "../../../snapshot/snapshot.ts";
import type { Display } from "../../../tools/display.ts";
import { pathList } from "../../../tools/path-list.ts";
import type { Router } from "../../../url/router.ts";

export const input = s.object({
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
  /** The most bytes of an answer; the model in charge decides. */
  room(): number;
  /** Lines shown around a match. */
  contextBefore: number;
  contextAfter: number;
}

import { schema as s } from "@pith/agent";
import type { Env } from "@pith/host";
import type { Files } from "../../files/files.ts";
import type { Snapshots } from "../../snapshot/snapshot.ts";
import type { Addresses } from "../../tools/address.ts";
import type { Display } from "../../tools/display.ts";
import { pathList } from "../../tools/path-list.ts";
import type { Router } from "../../url/router.ts";

const gitignore = s.boolean().optional().describe("false: also what git ignores");
const hidden = s.boolean().optional().describe("false: without dotfiles");

export const searchInput = s.object({
  pattern: s.string(),
  paths: pathList().describe("The project if absent").optional(),
  i: s.boolean().optional().describe("Ignore case"),
  gitignore,
  hidden,
  skip: s.number().optional(),
});
export type SearchInput = s.Infer<typeof searchInput>;

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

export const findInput = s.object({
  paths: pathList(),
  hidden,
  gitignore,
  limit: s.number().optional(),
  skip: s.int().min(0).optional(),
  timeout: s.number().optional(),
});
export type FindInput = s.Infer<typeof findInput>;

export interface FindOptions {
  files: Files;
  urls: Addresses & Pick<Router, "names">;
  /** The most bytes of an answer; the model in charge decides. */
  room(): number;
  /** Tells where the user keeps ignore rules of their own. */
  env: Env;
}

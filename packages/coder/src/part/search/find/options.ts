import { schema as s } from "@pith/agent";
import type { Env } from "@pith/host";
import type { Files } from "../../../files/files.ts";
import type { Addresses } from "../../../tools/address.ts";
import { pathList } from "../../../tools/path-list.ts";
import type { Router } from "../../../url/router.ts";

export const input = s.object({
  paths: pathList(),
  hidden: s.boolean().optional().describe("false: without dotfiles"),
  gitignore: s.boolean().optional().describe("false: also what git ignores"),
  limit: s.number().optional(),
  skip: s.int().min(0).optional(),
  timeout: s.number().optional(),
});
export type Input = s.Infer<typeof input>;

export interface FindOptions {
  files: Files;
  urls: Addresses & Pick<Router, "names">;
  /** The most bytes of an answer; the model in charge decides. */
  room(): number;
  /** Tells where the user keeps ignore rules of their own. */
  env: Env;
}

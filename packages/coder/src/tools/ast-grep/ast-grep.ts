import { type Outcome, refusal, schema as s, type Tool, tool } from "@pith/agent";
import type { Snapshots } from "../../snapshot/snapshot.ts";
import { resolvePath } from "../place.ts";
import type { SourceParts } from "../source.ts";
import about from "./ast-grep.md" with { type: "text" };

const usualLimit = 100;
const maxLimit = 1000;

const input = s.object({
  pat: s.string().optional().describe("Pattern"),
  pats: s.array(s.string()).optional().describe("Several patterns; what any of them matches is found"),
  paths: s.array(s.string()).min(1).describe("Files, directories, globs"),
  limit: s.int().min(1).max(maxLimit).optional().describe(`Matches shown; ${usualLimit} if absent`),
  skip: s.int().min(0).optional().describe("Matches to pass over"),
});
type Input = s.Infer<typeof input>;

export interface AstGrepParts extends SourceParts {
  env: Readonly<Record<string, string | undefined>>;
  snapshots: Snapshots;
  /** Whether what is shown carries the tags that anchored edits refer to. */
  tags: "shown" | "left out";
}

export function astGrep(parts: AstGrepParts): Tool<Input> {
  return tool({
    name: "ast_grep",
    about,
    input,
    effect: "read",
    paths: ({ paths }) => paths.map((path) => resolvePath(parts, path)),
    async run(given, { signal }): Promise<Outcome> {
      const pats = [...new Set([...(given.pat === undefined ? [] : [given.pat]), ...(given.pats ?? [])].map((pat) => pat.trim()))];
      if (pats.length === 0) return refusal("Give a pattern in pat or pats");
      if (pats.includes("")) return refusal("Pattern must not be empty");
      const { grep } = await import("./run.ts");
      return grep(parts, { pats, paths: given.paths, limit: given.limit ?? usualLimit, skip: given.skip ?? 0 }, signal);
    },
  });
}

import { type Outcome, refusal, schema as s, type Tool, tool } from "@pith/agent";
import { pathList, scopePaths } from "../scope.ts";
import about from "./ast-grep.md" with { type: "text" };
import type { AstGrepParts } from "./run.ts";

const usualLimit = 100;
const maxLimit = 1000;

const input = s.object({
  pat: s.string().optional().describe("Pattern"),
  pats: s.array(s.string()).optional().describe("Several patterns; what any of them matches is found"),
  paths: pathList().optional().describe("Files, directories, globs; the project if absent"),
  limit: s.int().min(1).max(maxLimit).optional().describe(`Matches shown; ${usualLimit} if absent`),
  skip: s.int().min(0).optional().describe("Matches to pass over"),
});
type Input = s.Infer<typeof input>;

export function astGrep(parts: AstGrepParts): Tool<Input> {
  return tool({
    name: "ast_grep",
    about,
    input,
    effect: "read",
    paths: ({ paths = ["."] }) => scopePaths(parts, paths),
    async run(given, { signal }): Promise<Outcome> {
      const pats = [
        ...new Set([...(given.pat === undefined ? [] : [given.pat]), ...(given.pats ?? [])].map((pat) => pat.trim())),
      ];
      if (pats.length === 0) return refusal("Give a pattern in pat or pats");
      if (pats.includes("")) return refusal("Pattern must not be empty");
      const { grep } = await import("./run.ts");
      return grep(
        parts,
        { pats, paths: given.paths ?? ["."], limit: given.limit ?? usualLimit, skip: given.skip ?? 0 },
        signal,
      );
    },
  });
}

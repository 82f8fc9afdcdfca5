import { refusal, schema as s, type Tool } from "@pith/agent";
import { fill } from "@pith/kit";
import { headerText } from "../../../tools/display.ts";
import { pathList } from "../../../tools/path-list.ts";
import about from "./ast-grep.md" with { type: "text" };
import type { AstGrepOptions } from "./run.ts";

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

export function astGrep(options: AstGrepOptions): Tool<Input> {
  const { files } = options;
  return {
    name: "ast_grep",
    label: "Search code by its structure: AST and syntax patterns",
    about: fill(about, { header: headerText(options.tags === "shown" ? "hashline" : "numbered") }),
    input,
    looks: true,
    beside: () => true,
    async prepare({ pat, pats: more = [], paths = ["."], limit = usualLimit, skip = 0 }, { signal }) {
      const pats = [...new Set([...(pat === undefined ? [] : [pat]), ...more].map((pattern) => pattern.trim()))];
      if (pats.length === 0) return refusal("Give a pattern in pat or pats");
      if (pats.includes("")) return refusal("A pattern is empty");
      const { sourceScopes, listSources } = await import("../source.ts");
      const scopes = await sourceScopes(options, paths, signal);
      if (!scopes.ok) return refusal(scopes.message);
      return {
        effect: "read",
        paths: scopes.value.roots.map(({ at }) => at),
        async run(call) {
          const sources = await listSources(files, scopes.value, pats, call.signal);
          if (!sources.ok) return refusal(sources.message);
          const { grep } = await import("./run.ts");
          return grep(options, { pats, paths, limit, skip }, sources.value, call.signal);
        },
      };
    },
  };
}

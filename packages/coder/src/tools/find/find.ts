import { basename, dirname, join } from "node:path";
import { type Outcome, refusal, schema as s, type Tool, tool } from "@pith/agent";
import { type Listed, listFiles } from "@pith/host";
import { showPath } from "@pith/kit";
import { cutHead } from "../cut.ts";
import { type Place, resolvePath, statOf } from "../place.ts";
import type { FindRg } from "../rg.ts";
import about from "./find.md" with { type: "text" };

const maxResults = 200;
const timeoutMs = 10_000;

const input = s.object({
  pattern: s.string().describe("Glob"),
  path: s.string().optional().describe("Directory; the project if absent"),
  limit: s.int().min(1).max(maxResults).optional(),
});
type Input = s.Infer<typeof input>;

export interface FindParts extends Place {
  rg: FindRg;
}

export function find(parts: FindParts): Tool<Input> {
  return tool({
    name: "find",
    about,
    input,
    effect: "read",
    paths: ({ path }) => [resolvePath(parts, path ?? ".")],
    async run({ pattern, path, limit = maxResults }, { signal }) {
      if (pattern.trim() === "") return refusal("Pattern must not be empty");
      const root = resolvePath(parts, path ?? ".");
      const place = statOf(root);
      if (!place) return refusal(`Path not found: ${path}`);
      if (!place.isDirectory()) return refusal(`Path is not a directory: ${path}`);
      if (dirname(root) === root) return refusal(`Searching from root directory '${root}' is not allowed`);
      const rg = await parts.rg();
      if (!rg.ok) return refusal(rg.message);
      const listed = await listFiles({ rg: rg.value, root, pattern, max: limit, timeoutMs, signal });
      if (!listed.ok) return refusal(listed.message);
      return outcome(listed.value, showPath(parts.cwd, root));
    },
  });
}

function outcome({ paths, total, end }: Listed, root: string): Outcome<"listing"> {
  const late = end === "timeout" ? [`find timed out after ${timeoutMs / 1000}s; returning ${total} partial matches — narrow the pattern`] : [];
  const { text, truncation } = cutHead(paths.length === 0 ? "No files found matching pattern" : grouped(paths, root));
  return {
    kind: "listing",
    data: { path: root, count: paths.length },
    text,
    meta: {
      ...(truncation && { truncation }),
      ...(paths.length < total && { limits: { resultLimit: paths.length } }),
      ...(late.length > 0 && { notes: late }),
    },
  };
}

/** Names below their directories; directories in the order of their newest file, the root first. */
function grouped(paths: readonly string[], root: string): string {
  const groups = new Map<string, string[]>([[".", []]]);
  for (const path of paths) {
    const names = groups.get(dirname(path)) ?? [];
    groups.set(dirname(path), [...names, basename(path)]);
  }
  return [...groups]
    .filter(([, names]) => names.length > 0)
    .map(([dir, names]) => (dir === "." && root === "." ? names.join("\n") : `# ${join(root, dir)}/\n${names.join("\n")}`))
    .join("\n\n");
}

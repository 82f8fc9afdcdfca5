import { dirname, join } from "node:path";
import { type Outcome, refusal, schema as s, type Tool, tool } from "@pith/agent";
import { type Found, type FoundFile, searchFiles } from "@pith/host";
import { showPath } from "@pith/kit";
import { cutHead } from "../cut.ts";
import { type Place, resolvePath, statOf } from "../place.ts";
import type { FindRg } from "../rg.ts";
import about from "./search.md" with { type: "text" };

const usualLimit = 200;
/** Searching goes on beyond what is shown, so that which files are shown does not depend on chance. */
const maxMatches = 2000;
const maxColumns = 512;
const timeoutMs = 30_000;

const input = s.object({
  pattern: s.string(),
  path: s.string().optional().describe("File or directory; the project if absent"),
  glob: s.string().optional(),
  ignoreCase: s.boolean().optional(),
  context: s.int().min(0).max(20).optional().describe("Lines around each match"),
  limit: s.int().min(1).max(maxMatches).optional().describe(`Matches shown; ${usualLimit} if absent`),
});
type Input = s.Infer<typeof input>;

export interface SearchParts extends Place {
  rg: FindRg;
}

export function search(parts: SearchParts): Tool<Input> {
  return tool({
    name: "search",
    about,
    input,
    effect: "read",
    paths: ({ path }) => [resolvePath(parts, path ?? ".")],
    async run({ pattern, path, glob, ignoreCase, context, limit = usualLimit }, { signal }) {
      if (pattern === "") return refusal("Pattern must not be empty");
      const root = resolvePath(parts, path ?? ".");
      const place = statOf(root);
      if (!place) return refusal(`Path not found: ${path}`);
      const rg = await parts.rg();
      if (!rg.ok) return refusal(rg.message);
      const found = await searchFiles({
        rg: rg.value,
        root,
        pattern,
        ...(glob && { glob }),
        ...(ignoreCase && { ignoreCase }),
        ...(context && { context }),
        max: maxMatches,
        timeoutMs,
        signal,
      });
      if (!found.ok) return refusal(found.kind === "pattern" ? `Invalid regex: ${found.message}` : found.message);
      const base = place.isFile() ? dirname(root) : root;
      return outcome(found.value, { pattern, limit, name: (file) => showPath(parts.cwd, join(base, file)) });
    },
  });
}

function outcome(found: Found, { pattern, limit, name }: { pattern: string; limit: number; name(path: string): string }): Outcome<"matches"> {
  const files = firstMatches(found.files, limit);
  const count = files.reduce((sum, file) => sum + matchCount(file), 0);
  const data = { pattern, files: files.length, count };
  const late = found.end === "timeout" ? [`Stopped after ${timeoutMs / 1000} seconds; narrow the path`] : [];
  if (count === 0) return { kind: "matches", data, text: "No matches found", ...(late.length > 0 && { meta: { notes: late } }) };
  const long = files.some((file) => file.lines.some((line) => line.text.length > maxColumns));
  const { text, truncation } = cutHead(files.map((file) => block(name(file.path), file)).join("\n\n"));
  return {
    kind: "matches",
    data,
    text,
    meta: {
      ...(truncation && { truncation }),
      limits: { ...(count < found.matches || found.end === "enough" ? { matchLimit: count } : {}), ...(long && { columnLimit: maxColumns }) },
      ...(late.length > 0 && { notes: late }),
    },
  };
}

const matchCount = (file: FoundFile): number => file.lines.filter((line) => line.match).length;

/** The first `limit` matches, with the lines around them. */
function firstMatches(files: readonly FoundFile[], limit: number): FoundFile[] {
  const shown: FoundFile[] = [];
  let left = limit;
  for (const file of files) {
    if (left === 0) break;
    const last = file.lines.filter((line) => line.match)[left - 1];
    shown.push(last ? { ...file, lines: file.lines.slice(0, file.lines.indexOf(last) + 1) } : file);
    left -= Math.min(left, matchCount(file));
  }
  return shown;
}

function block(name: string, { lines }: FoundFile): string {
  const rows = [`# ${name}`];
  for (const [i, { number, match, text }] of lines.entries()) {
    const before = lines[i - 1];
    if (before && number > before.number + 1 && lines.some((line) => !line.match)) rows.push("...");
    rows.push(`${match ? "*" : " "}${number}:${text.length > maxColumns ? `${text.slice(0, maxColumns)}…` : text}`);
  }
  return rows.join("\n");
}

import { isAbsolute, resolve } from "node:path";
import type { ToolCallContent, ToolCallLocation, ToolCallUpdate, ToolKind } from "@agentclientprotocol/sdk";
import { type FileChange, type Intent, kindOf } from "@pith/agent";
import type { ToolCall, ToolResultMessage } from "@pith/llm";

const kinds: Readonly<Record<string, ToolKind>> = {
  read: "read",
  write: "edit",
  edit: "edit",
  ast_edit: "edit",
  bash: "execute",
  job: "execute",
  search: "search",
  find: "search",
  ast_grep: "search",
  search_tool_bm25: "search",
  run_subagent: "think",
  todo: "think",
  checkpoint: "think",
  rewind: "think",
  ask: "other",
  exit_plan_mode: "switch_mode",
};

/** What a call is about, most telling first. */
const telling = ["command", "path", "pattern", "pat", "query", "url", "title"];

/** A call as an editor shows it. */
export function callFields(call: ToolCall, cwd: string, intent?: Intent) {
  const { id, name, arguments: input } = call;
  const key = telling.find((key) => typeof input[key] === "string" && input[key] !== "");
  const about = key === undefined ? "" : String(input[key]).split("\n")[0];
  const named = typeof input.path === "string" ? locations([input.path.replace(/:[\d,+-]+$/, "")], cwd) : [];
  return {
    toolCallId: id,
    title: about ? `${name} ${about}` : name,
    name,
    kind: kinds[name] ?? "other",
    locations: intent
      ? locations(
          intent.paths.filter(({ effect }) => effect !== "exec").map(({ real }) => real),
          cwd,
        )
      : named,
    rawInput: input,
  };
}

const locations = (paths: readonly string[], cwd: string): ToolCallLocation[] =>
  paths.filter((path) => !path.includes("://")).map((path) => ({ path: isAbsolute(path) ? path : resolve(cwd, path) }));

/** A result as an editor shows it: what was changed as differences, all else as it was told to the model. */
export function resultFields(message: ToolResultMessage, cwd: string): ToolCallUpdate {
  const { toolCallId, content, details, isError } = message;
  const files = kindOf(details) === "diff" ? ((details?.files as FileChange[] | undefined) ?? []) : [];
  const changed = diffs(files, cwd);
  const said = content.map((part): ToolCallContent => ({ type: "content", content: part }));
  const places = files.map(({ path, firstChangedLine }) => ({ path: resolve(cwd, path), line: firstChangedLine }));
  const from = kindOf(details) === "page" && typeof details?.path === "string" ? [pageAt(details, cwd)] : [];
  return {
    toolCallId,
    status: isError ? "failed" : "completed",
    content: changed.length > 0 && !isError ? changed : said,
    ...(places.length + from.length > 0 ? { locations: [...places, ...from] } : {}),
    rawOutput: { content, isError, details },
  };
}

const pageAt = (details: Record<string, unknown>, cwd: string): ToolCallLocation => ({
  path: resolve(cwd, String(details.path)),
  line: typeof details.from === "number" ? details.from : undefined,
});

/** What files become, hunk by hunk. */
export const diffs = (files: readonly FileChange[], cwd: string): ToolCallContent[] =>
  files.flatMap(({ path, change, patch }) =>
    hunksOf(patch).map(({ before, after }) => ({
      type: "diff" as const,
      path: resolve(cwd, path),
      oldText: change === "added" ? null : before,
      newText: after,
    })),
  );

/** Both sides of each hunk of a unified diff. */
function hunksOf(patch: string): { before: string; after: string }[] {
  return patch
    .split(/^@@ .*\n/m)
    .slice(1)
    .map((body) => {
      const lines = body.split("\n").filter((line) => line !== "" && !line.startsWith("\\"));
      const side = (sign: "-" | "+") =>
        lines.flatMap((line) => (line[0] === " " || line[0] === sign ? [`${line.slice(1)}\n`] : [])).join("");
      return { before: side("-"), after: side("+") };
    });
}

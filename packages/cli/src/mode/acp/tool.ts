import { isAbsolute, resolve } from "node:path";
import type { ToolCallContent, ToolCallLocation, ToolCallUpdate, ToolKind } from "@agentclientprotocol/sdk";
import { type FileChange, type Intent, kindOf } from "@pith/agent";
import type { ToolCall, ToolResultMessage } from "@pith/llm";

/** The protocol's kinds of our tools; all others are `other`. */
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
  load_tools: "search",
  run_subagent: "think",
  todo: "think",
  checkpoint: "think",
  rewind: "think",
  exit_plan_mode: "switch_mode",
};

/** Arguments that tell what a call is about, the most telling first. */
const telling = ["command", "path", "pattern", "pat", "query", "url", "title"];

/** A call as an editor shows it. */
export function callFields(call: ToolCall, cwd: string, intent?: Intent) {
  const { id, name, arguments: input } = call;
  const key = telling.find((key) => typeof input[key] === "string" && input[key] !== "");
  const about = key === undefined ? "" : String(input[key]).split("\n")[0];
  const paths = intent
    ? intent.paths.filter(({ effect }) => effect !== "exec").map(({ real }) => real)
    : typeof input.path === "string"
      ? [input.path.replace(/:[\d,+-]+$/, "")]
      : [];
  return {
    toolCallId: id,
    title: about ? `${name} ${about}` : name,
    name,
    kind: kinds[name] ?? "other",
    locations: paths
      .filter((path) => !path.includes("://"))
      .map((path): ToolCallLocation => ({ path: isAbsolute(path) ? path : resolve(cwd, path) })),
    rawInput: input,
  };
}

/** A result as an editor shows it: changes as differences, all else as it was told to the model. */
export function resultFields(message: ToolResultMessage, cwd: string): ToolCallUpdate {
  const { toolCallId, content, details, isError } = message;
  const kind = kindOf(details);
  const files = kind === "diff" ? ((details?.files as FileChange[] | undefined) ?? []) : [];
  const changed = isError ? [] : diffs(files, cwd);
  const texts = content.map((part): ToolCallContent => ({ type: "content", content: part }));
  const locations: ToolCallLocation[] = files.map(({ path, firstChangedLine: line }) => ({
    path: resolve(cwd, path),
    line,
  }));
  if (kind === "page" && typeof details?.path === "string")
    locations.push({
      path: resolve(cwd, details.path),
      line: typeof details.from === "number" ? details.from : undefined,
    });
  return {
    toolCallId,
    status: isError ? "failed" : "completed",
    content: changed.length > 0 ? changed : texts,
    ...(locations.length > 0 && { locations }),
    rawOutput: { content, isError, details },
  };
}

/** The changes of files, hunk by hunk. */
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
  const hunks = patch.split(/^@@ .*\n/m).slice(1);
  return hunks.map((body) => {
    const lines = body.split("\n").filter((line) => line !== "" && !line.startsWith("\\"));
    const side = (sign: "-" | "+") =>
      lines.flatMap((line) => (line[0] === " " || line[0] === sign ? [`${line.slice(1)}\n`] : [])).join("");
    return { before: side("-"), after: side("+") };
  });
}

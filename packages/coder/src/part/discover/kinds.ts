import { type ResultKind, schema as s } from "@pith/agent";
import { plural } from "@pith/kit";

/** Tools that a search found and switched on, best first. */
export interface ToolsData {
  query: string;
  limit: number;
  total_tools: number;
  activated_tools: string[];
  tools: FoundTool[];
}

export interface FoundTool {
  name: string;
  label: string;
  description: string;
  server_name?: string;
  mcp_tool_name?: string;
  schema_keys: string[];
  score: number;
}

export const kinds: { tools: ResultKind<ToolsData> } = {
  tools: {
    schema: () =>
      s.object({
        query: s.string(),
        limit: s.int(),
        total_tools: s.int(),
        activated_tools: s.array(s.string()),
        tools: s.array(s.unknown()),
      }),
    brief: ({ tools, total_tools, activated_tools }) =>
      tools.length === 0
        ? "no tool found"
        : `${plural(tools.length, "tool")} of ${total_tools}: ${activated_tools.join(", ")}`,
  },
};

import { each } from "../look.ts";
import { mcpServers } from "../read/things.ts";
import type { Source } from "../registry.ts";

export const mcpJson: Source = {
  name: "mcp-json",
  title: ".mcp.json",
  priority: 8,
  finds: { mcp: (look) => each([...look.nearest(".mcp.json"), ...look.nearest("mcp.json")], mcpServers) },
};

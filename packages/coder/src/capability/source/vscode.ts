import { each } from "../look.ts";
import { isFields } from "../parse.ts";
import { serversIn } from "../read/things.ts";
import type { Source } from "../registry.ts";

const servers = serversIn(({ servers, mcp, mcpServers }) => servers ?? (isFields(mcp) ? mcp.servers : mcpServers));

export const vscode: Source = {
  name: "vscode",
  title: "VS Code",
  priority: 20,
  finds: {
    mcp: (look) => each([...look.nearest(".vscode", "mcp.json"), ...look.athome(".vscode", "mcp.json")], servers),
  },
};

import { join } from "node:path";
import { isRecord } from "@pith/kit";
import type { Spot } from "../item.ts";
import { each, type Look } from "../look.ts";
import { serversIn } from "../read/things.ts";
import { agent, promptTemplate, rule } from "../read/words.ts";
import type { Source } from "../registry.ts";

const servers = serversIn(({ servers, mcp, mcpServers }) => servers ?? (isRecord(mcp) ? mcp.servers : mcpServers));

/** Where the editor keeps what is the user's. */
export const codeFolder = (look: Look, ...names: string[]): Spot[] => {
  const { env, userHome } = look.place;
  const config = env.XDG_CONFIG_HOME || join(userHome, ".config");
  return [config, join(userHome, "Library", "Application Support")].flatMap((base) =>
    look.user(join(base, "Code", "User"), ...names),
  );
};

export const vscode: Source = {
  name: "vscode",
  title: "VS Code",
  priority: 20,
  finds: {
    prompt: (look) => each(look.files(codeFolder(look, "prompts"), /\.prompt\.md$/), promptTemplate),
    rule: (look) => each(look.files(codeFolder(look, "prompts"), /\.instructions\.md$/), rule),
    agent: (look) => each(look.files(codeFolder(look, "prompts"), /\.(?:agent|chatmode)\.md$/), agent),
    mcp: (look) =>
      each(
        [
          ...look.nearest(".vscode", "mcp.json"),
          ...codeFolder(look, "mcp.json"),
          ...look.athome(".vscode", "mcp.json"),
        ],
        servers,
      ),
  },
};

import { join } from "node:path";
import { isRecord } from "@pith/kit";
import { type ConfigFiles, each } from "../config-files.ts";
import type { ConfigPath } from "../item.ts";
import { serversIn } from "../read/things.ts";
import { agent, promptTemplate, rule } from "../read/words.ts";
import type { ConfigSource } from "../registry.ts";

const servers = serversIn(({ servers, mcp, mcpServers }) => servers ?? (isRecord(mcp) ? mcp.servers : mcpServers));

/** Finds files in the editor's folder of the user. */
export const codeFolder = (files: ConfigFiles, ...names: string[]): ConfigPath[] => {
  const { env, userHome } = files.place;
  const config = env.XDG_CONFIG_HOME || join(userHome, ".config");
  return [config, join(userHome, "Library", "Application Support")].flatMap((base) =>
    files.user(join(base, "Code", "User"), ...names),
  );
};

export const vscode: ConfigSource = {
  name: "vscode",
  title: "VS Code",
  priority: 20,
  finds: {
    prompt: (files) => each(files.list(codeFolder(files, "prompts"), /\.prompt\.md$/), promptTemplate),
    rule: (files) => each(files.list(codeFolder(files, "prompts"), /\.instructions\.md$/), rule),
    agent: (files) => each(files.list(codeFolder(files, "prompts"), /\.(?:agent|chatmode)\.md$/), agent),
    mcp: (files) =>
      each(
        [
          ...files.nearest(".vscode", "mcp.json"),
          ...codeFolder(files, "mcp.json"),
          ...files.inHome(".vscode", "mcp.json"),
        ],
        servers,
      ),
  },
};

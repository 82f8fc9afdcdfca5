import { relative } from "node:path";
import { each } from "../config-files.ts";
import { skillsIn } from "../layout.ts";
import { mcpServers } from "../read/things.ts";
import { standingRule, template } from "../read/words.ts";
import type { ConfigSource } from "../registry.ts";
import { codeFolder } from "./vscode.ts";

export const cline: ConfigSource = {
  name: "cline",
  title: "Cline",
  priority: 40,
  finds: {
    skill: (files) =>
      skillsIn(files, [
        ...[".cline", ".clinerules"].flatMap((folder) => files.everywhere(folder, "skills")),
        ...files.inHome(".cline", "skills"),
      ]),
    command: (files) =>
      each(
        files.list(
          [...files.nearest(".clinerules", "workflows"), ...files.inHome("Documents", "Cline", "Workflows")],
          /\.md$/,
        ),
        template,
      ),
    // A file, or a folder of files.
    rule: (files) => {
      const here = files.nearest(".clinerules");
      const found = files.list([...here, ...files.inHome("Documents", "Cline", "Rules")], /\.(?:md|txt)$/, 3);
      const rules = found.filter(({ path, base = "" }) => !/^(?:workflows|hooks|skills)\//.test(relative(base, path)));
      return each([...rules, ...here.filter((at) => files.isFile(at))], standingRule);
    },
    mcp: (files) =>
      each(
        [
          ...files.inHome(".cline", "data", "settings", "cline_mcp_settings.json"),
          ...codeFolder(files, "globalStorage", "saoudrizwan.claude-dev", "settings", "cline_mcp_settings.json"),
        ],
        mcpServers,
      ),
  },
};

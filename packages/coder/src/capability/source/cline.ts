import { relative } from "node:path";
import { skillsIn } from "../layout.ts";
import { each } from "../look.ts";
import { mcpServers } from "../read/things.ts";
import { standingRule, template } from "../read/words.ts";
import type { Source } from "../registry.ts";
import { codeFolder } from "./vscode.ts";

export const cline: Source = {
  name: "cline",
  title: "Cline",
  priority: 40,
  finds: {
    skill: (look) =>
      skillsIn(look, [
        ...[".cline", ".clinerules"].flatMap((folder) => look.everywhere(folder, "skills")),
        ...look.athome(".cline", "skills"),
      ]),
    command: (look) =>
      each(
        look.files(
          [...look.nearest(".clinerules", "workflows"), ...look.athome("Documents", "Cline", "Workflows")],
          /\.md$/,
        ),
        template,
      ),
    // One file, or a folder of them.
    rule: (look) => {
      const here = look.nearest(".clinerules");
      const files = look.files([...here, ...look.athome("Documents", "Cline", "Rules")], /\.(?:md|txt)$/, 3);
      const rules = files.filter(({ path, base = "" }) => !/^(?:workflows|hooks|skills)\//.test(relative(base, path)));
      return each([...rules, ...here.filter((at) => look.isFile(at))], standingRule);
    },
    mcp: (look) =>
      each(
        [
          ...look.athome(".cline", "data", "settings", "cline_mcp_settings.json"),
          ...codeFolder(look, "globalStorage", "saoudrizwan.claude-dev", "settings", "cline_mcp_settings.json"),
        ],
        mcpServers,
      ),
  },
};

import { optionLine } from "../../packages/cli/src/command/help/screen.ts";
import { subcommands } from "../../packages/cli/src/command/run.ts";
import { called } from "../../packages/cli/src/command/subcommand.ts";

/** Makes `docs/options.md`: all options, by command. */
export async function optionsPage(): Promise<string> {
  const sections: string[] = [];
  for (const [name, load] of Object.entries(subcommands)) {
    const command = await load();
    const rows = Object.entries(command.options).map(([option, flag]) => `  ${optionLine(option, flag)}`);
    if (rows.length > 0) sections.push(`## ${called(name, command)}\n\n${rows.join("\n")}\n`);
  }
  return `# Options\n\n${intro}\n\n${sections.join("\n")}`;
}

const intro = `Options and words come in any order; \`--option=value\` works too, and so do short
ones together (\`-pc\`). Behind \`--\` everything is taken as it stands. Every
command also knows \`--help\`.`;

import { called, shapes } from "../../packages/cli/src/command/complete/shape.ts";
import { optionLine } from "../../packages/cli/src/command/help/screen.ts";

/** Makes `docs/options.md`: all options, by command. */
export async function optionsPage(): Promise<string> {
  const sections = [...(await shapes())].flatMap(([name, shape]) => {
    const flags = Object.entries(shape.flags);
    if (flags.length === 0) return [];
    return [`## ${called(name, shape)}\n\n${flags.map(([flag, spec]) => `  ${optionLine(flag, spec)}`).join("\n")}\n`];
  });
  return `# Options\n\n${intro}\n\n${sections.join("\n")}`;
}

const intro = `Options and words come in any order; \`--option=value\` works too, and so do short
ones together (\`-pc\`). Behind \`--\` everything is taken as it stands. Every
command also knows \`--help\`.`;

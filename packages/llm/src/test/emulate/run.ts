// Runs a local server by hand: `node bin/bun packages/llm/src/test/emulate/run.ts ollama --quirk "no usage"`. Its model
// repeats the prompt, and calls the first tool when the prompt is `call`.
import { parseArgs } from "node:util";
import { emulate, type KindName, kinds } from "./emulate.ts";
import { qwen } from "./model.ts";
import { quirks } from "./quirk.ts";
import type { Mind } from "./seen.ts";
import { type TemplateName, templates } from "./template.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: "string" },
    quirk: { type: "string", multiple: true, default: [] },
    template: { type: "string", default: "open" },
    window: { type: "string" },
    model: { type: "string", default: qwen.id },
    help: { type: "boolean" },
  },
});
const [name = ""] = positionals;

const echo: Mind = ({ messages, tools }) => {
  const last = messages.at(-1);
  const [tool] = tools;
  if (!tool || last?.role !== "user" || !/\bcall\b/i.test(last.text)) return { text: `You said: ${last?.text ?? ""}` };
  const properties = (tool.parameters?.properties ?? {}) as Record<string, unknown>;
  const args = Object.fromEntries(
    Object.keys(properties)
      .slice(0, 1)
      .map((key) => [key, "."]),
  );
  return { text: "I call.", calls: [{ id: `call_${messages.length}`, name: tool.name, args }] };
};

if (values.help || !Object.hasOwn(kinds, name) || !Object.hasOwn(templates, values.template)) {
  const lines = Object.entries(quirks).map(([quirk, { about }]) => `  ${quirk.padEnd(40)} ${about}`);
  process.stdout.write(
    `usage: run.ts ${Object.keys(kinds).join("|")} [--port N] [--model ID] [--window TOKENS] ` +
      `[--template ${Object.keys(templates).join("|")}] [--quirk NAME]…\n${lines.join("\n")}\n`,
  );
  process.exit(values.help ? 0 : 2);
}
const kind = name as KindName;
const window = Number(values.window ?? qwen.window);
const served = emulate(kind, {
  port: Number(values.port ?? kinds[kind].port),
  quirks: values.quirk,
  template: values.template as TemplateName,
  models: [{ ...qwen, id: values.model, window, trained: Math.max(window, qwen.trained) }],
  mind: echo,
});
process.stdout.write(`${kind} at ${served.url}\n`);

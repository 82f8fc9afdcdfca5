import type { Scene } from "../../packages/llm/src/test/fake.ts";
import type { Seen } from "../../packages/llm/src/test/index.ts";
import type { Step } from "./task.ts";

interface Call {
  name: string;
  args: Record<string, unknown>;
}

/** By what a model finds the tool for a step, and the places of its arguments. */
const kinds: Readonly<Record<Step["do"], { tool: RegExp; wants: readonly RegExp[] }>> = {
  read: { tool: /^read/i, wants: [/path|file/i] },
  write: { tool: /^(?:write|create)/i, wants: [/path|file/i, /content|text/i] },
  run: { tool: /^(?:bash|shell|run|exec)/i, wants: [/command|cmd/i] },
};

/** A step as a call of a tool that it was told of; undefined when none fits. */
export function callOf(step: Step, tools: Seen["tools"]): Call | undefined {
  const { tool, wants } = kinds[step.do];
  const values = step.do === "read" ? [step.path] : step.do === "write" ? [step.path, step.content] : [step.command];
  for (const { name, parameters } of tools) {
    const keys = Object.keys((parameters?.properties ?? {}) as object);
    const places = wants.map((want) => keys.find((key) => want.test(key)));
    if (!tool.test(name) || places.includes(undefined)) continue;
    return { name, args: Object.fromEntries(places.map((key, at) => [key, values[at]])) };
  }
  return undefined;
}

/** The ways in which small models get a call wrong. */
const faults: readonly ((call: Call, id: string) => Scene)[] = [
  // Another name for an argument.
  ({ name, args }, id) => {
    const [[key = "", first] = [], ...rest] = Object.entries(args);
    const other = /path/.test(key) ? "file_path" : "cmd";
    return { calls: [{ id, name, args: { [other]: first, ...Object.fromEntries(rest) } }] };
  },
  // Another name for the tool.
  ({ name, args }, id) => ({ calls: [{ id, name: `${name[0]?.toUpperCase()}${name.slice(1)}`, args }] }),
  // As text, between tags.
  (call) => ({ text: `<tool_call>\n${written(call)}\n</tool_call>` }),
  // As text, in a fence inside the tags.
  (call) => ({ text: `<tool_call>\n\`\`\`json\n${written(call)}\n\`\`\`\n</tool_call>` }),
  // As text that breaks off.
  (call) => ({ text: `<tool_call>\n${written(call).slice(0, -6)}` }),
  // As text that is no JSON.
  ({ name, args }) => ({ text: `${name}(${Object.values(args).join(", ")})` }),
];

const written = ({ name, args }: Call) => JSON.stringify({ name, arguments: args });

export function spoilt(call: Call, next: () => number, at: number): Scene {
  const fault = faults[Math.floor(next() * faults.length)];
  return fault?.(call, `call_${at}`) ?? { text: "" };
}

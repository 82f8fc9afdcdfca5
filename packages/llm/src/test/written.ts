export type Arguments = Record<string, unknown>;
const json = (name: string, args: Arguments) => JSON.stringify({ name, arguments: args });
const value = (given: unknown) => (typeof given === "string" ? given : JSON.stringify(given));
const pairs = (args: Arguments, write: (key: string, given: string) => string) =>
  Object.entries(args)
    .map(([key, given]) => write(key, value(given)))
    .join("\n");

/** Writes a call as text, by row in the table of dialects. */
export const writers: Readonly<Record<string, (name: string, args: Arguments) => string>> = {
  "Hermes, Qwen": (name, args) => `<tool_call>\n${json(name, args)}\n</tool_call>`,
  GLM: (name, args) => {
    const written = pairs(args, (key, given) => `<arg_key>${key}</arg_key>\n<arg_value>${given}</arg_value>`);
    return `<tool_call>${name}\n${written}\n</tool_call>`;
  },
  "Qwen Coder": (name, args) => {
    const written = pairs(args, (key, given) => `<parameter=${key}>\n${given}\n</parameter>`);
    return `<tool_call>\n<function=${name}>\n${written}\n</function>\n</tool_call>`;
  },
  "Anthropic, MiniMax": (name, args) => {
    const written = pairs(args, (key, given) => `<parameter name="${key}">${given}</parameter>`);
    return `<function_calls>\n<invoke name="${name}">\n${written}\n</invoke>\n</function_calls>`;
  },
  Mistral: (name, args) => `[TOOL_CALLS]${name}[ARGS]${JSON.stringify(args)}`,
  Llama: (name, args) => `<|python_tag|>${JSON.stringify({ name, parameters: args })}<|eom_id|>`,
  "Phi, Granite": (name, args) => `<|tool_call|>[${json(name, args)}]<|/tool_call|>`,
  "Phi 4 mini": (name, args) => `functools[${json(name, args)}]`,
  Kimi: (name, args) =>
    `<|tool_calls_section_begin|><|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>` +
    `${JSON.stringify(args)}<|tool_call_end|><|tool_calls_section_end|>`,
  DeepSeek: (name, args) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n` +
    `\`\`\`json\n${JSON.stringify(args)}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  "Command R7B": (name, args) =>
    `<|START_ACTION|>[${JSON.stringify({ tool_call_id: "0", tool_name: name, parameters: args })}]<|END_ACTION|>`,
  "Command R": (name, args) =>
    `Action: \`\`\`json\n[\n  ${JSON.stringify({ tool_name: name, parameters: args })}\n]\n\`\`\``,
  "gpt-oss": (name, args) =>
    `<|start|>assistant<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${JSON.stringify(args)}<|call|>`,
  "gpt-oss without its marks": (name, args) => `commentary to=functions.${name} json${JSON.stringify(args)}`,
};

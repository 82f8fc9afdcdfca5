import { fail, isRecord, ok, parseJson, type Result, tryOr } from "@pith/kit";
import { type AssistantMessage, strictJson, type ToolCall } from "@pith/llm";
import type { Registry } from "./registry.ts";
import type { ParsedArguments, Tool } from "./tool.ts";

/** The valid input of a call, or an error from which the model can repair it. */
export function readArguments(tool: Tool, call: ToolCall): Result<ParsedArguments, "arguments"> {
  if (call.rawArguments !== undefined) {
    const deep = nestsDeeper(parsedIn(call.rawArguments), deepest);
    const what = deep ? `are nested more than ${deepest} deep` : "are not a JSON object";
    const how = deep ? "with less in one another" : "with complete, valid JSON";
    return fail(
      "arguments",
      `The arguments of ${tool.name} ${what}; nothing was run. ` +
        `Send the call again ${how}.\nReceived: ${shown(call.rawArguments)}`,
    );
  }
  const understood = tool.foreign?.read(call.arguments) ?? { input: call.arguments };
  if (typeof understood === "string") return fail("arguments", `${understood} Nothing was run.`);
  const parsed = tool.input.safeParse(understood.input);
  if (parsed.success) return ok({ ...understood, input: parsed.data });
  const issues = parsed.error.issues.map(
    (issue) => `- ${issue.path.join(".") || "(the whole object)"}: ${issue.message}`,
  );
  const invalid = `The arguments of ${tool.name} are not valid; nothing was run.`;
  return fail("arguments", `${invalid}\n${issues.join("\n")}\nReceived: ${shown(call.arguments)}`);
}

/** Answer to a call of an unknown tool: which one is meant, and how to call it. */
export function unknownTool({ name, arguments: written }: ToolCall, tools: Registry): string {
  const meant = tools.meant(name, written);
  if (!meant) return `There is no tool "${name}"; nothing was run. Available: ${tools.names.join(", ")}.`;
  const read = meant.foreign?.read(written) ?? { input: written };
  const none = `There is no tool "${name}"; nothing was run.`;
  if (typeof read === "string") return `${none} ${read}`;
  const form = meant.input.safeParse(read.input).success ? JSON.stringify(read.input) : "";
  const takes = Object.keys((meant.input.json.properties ?? {}) as object).join(", ");
  const how = form !== "" && form.length <= 500 ? `send ${form}` : `it takes ${takes}`;
  return `${none} Here it is ${meant.name}: ${how}.`;
}

/**
 * Repairs broken arguments of a reply where this is no guess, or where a wrong guess can only read a wrong file: it
 * must never write or run anything. The result is what runs and what the model sees in the conversation.
 */
export async function repairArguments(message: AssistantMessage, tools: Registry): Promise<AssistantMessage> {
  if (!message.content.some((part) => part.type === "toolCall" && part.rawArguments !== undefined)) return message;
  const content = message.content.map(async (part) => {
    if (part.type !== "toolCall" || part.rawArguments === undefined) return part;
    const { rawArguments, ...call } = part;
    const read =
      objectIn(strictJson(rawArguments)) ?? (tools.get(call.name)?.looks ? await guessed(rawArguments) : undefined);
    return read ? { ...call, arguments: read } : part;
  });
  return { ...message, content: await Promise.all(content) };
}

async function guessed(text: string): Promise<ToolCall["arguments"] | undefined> {
  const { jsonrepair } = await import("jsonrepair");
  return tryOr(() => objectIn(jsonrepair(text)));
}

/** True for an object of limited depth. */
export const isArguments = (value: unknown): value is ToolCall["arguments"] =>
  isRecord(value) && !nestsDeeper(value, deepest);

/** Deepest arguments; nobody means more, and recursion has a limit. */
const deepest = 200;

const nestsDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => nestsDeeper(inner, levels - 1)));

/** Parses an object, also one inside of a JSON text. */
function objectIn(text: string): ToolCall["arguments"] | undefined {
  const value = parsedIn(text);
  return isArguments(value) ? value : undefined;
}

function parsedIn(text: string): unknown {
  const outer = parseJson(text);
  return typeof outer === "string" ? parseJson(outer) : outer;
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return text.length > 500 ? `${text.slice(0, 500)}… (${text.length} characters)` : text;
}

import { fail, ok, type Result } from "@pith/kit";
import type { ToolCall } from "@pith/llm";
import type { Tool } from "./tool.ts";

/** The valid input of a call, or an error from which the model can repair it. */
export async function readArguments(tool: Tool, call: ToolCall): Promise<Result<unknown, "arguments">> {
  const received = call.rawArguments === undefined ? ok(call.arguments) : await repaired(tool, call.rawArguments);
  if (!received.ok) return received;
  const parsed = tool.input.safeParse(received.value);
  if (parsed.success) return ok(parsed.data);
  const issues = parsed.error.issues.map(
    (issue) => `- ${issue.path.join(".") || "(the whole object)"}: ${issue.message}`,
  );
  return fail(
    "arguments",
    `The arguments of ${tool.name} are not valid; nothing was run.\n${issues.join("\n")}\nReceived: ${shown(received.value)}`,
  );
}

// A guess at what broken JSON meant may read the wrong file; it must never write or run anything.
async function repaired(tool: Tool, raw: string): Promise<Result<unknown, "arguments">> {
  const broken = fail(
    "arguments",
    `The arguments of ${tool.name} are not a JSON object; nothing was run. ` +
      `Send the call again with complete, valid JSON.\nReceived: ${shown(raw)}`,
  );
  if (!tool.looks) return broken;
  const { jsonrepair } = await import("jsonrepair");
  try {
    return ok(JSON.parse(jsonrepair(raw)));
  } catch {
    return broken;
  }
}

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return text.length > 500 ? `${text.slice(0, 500)}… (${text.length} characters)` : text;
}

import { type Call, type Intent, isOutcome, type Outcome, type Tool } from "@pith/agent";

// For tests of tools: a call without a conversation, prepared and run as one.

const how = (signal: AbortSignal) => ({ signal, without: [] });

export async function runTool<I>(tool: Tool<I>, input: I, call: Call): Promise<Outcome> {
  const prepared = await tool.prepare(input, how(call.signal));
  return isOutcome(prepared) ? prepared : prepared.run(call);
}

/** Prepares a call; throws when it can do nothing. */
export async function intentOf<I>(tool: Tool<I>, input: I): Promise<Intent> {
  const prepared = await tool.prepare(input, how(new AbortController().signal));
  if (isOutcome(prepared)) throw new Error(prepared.text);
  return prepared;
}

/** The paths of a call, as they were named. */
export const pathsOf = async <I>(tool: Tool<I>, input: I): Promise<string[]> =>
  (await intentOf(tool, input)).paths.map(({ path }) => path);

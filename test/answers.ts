import { pith } from "./pith.ts";
import type { Scratch } from "./scratch.ts";

interface Told {
  role: string;
  toolCallId?: string;
  content: { text?: string }[];
}

/** Results of the calls, under a model with the given context window. */
export async function answers(
  dir: Scratch,
  calls: [tool: string, input: object][],
  { window = 200_000, argv = [] as string[], config = "" } = {},
): Promise<string[]> {
  const turns = [...calls.map(([tool, input]) => ({ calls: [{ tool, input }] })), { text: "done" }];
  dir.write({
    "script.json": JSON.stringify({ model: { contextWindow: window }, turns }),
    "home/.pith/config.yml": config,
  });
  const { out, err } = await pith(dir, ["-p", "look", "--mode", "json", "--model", dir.at("script.json"), ...argv]);
  const told = out
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line): { type?: string; message?: Told } => JSON.parse(line))
    .flatMap(({ type, message }) => (type === "message_end" && message?.role === "toolResult" ? [message] : []));
  const texts = told.map(({ content }) => content.map(({ text = "" }) => text).join(""));
  if (texts.length !== calls.length) throw new Error(`${texts.length} of ${calls.length} answered: ${err}`);
  return texts;
}

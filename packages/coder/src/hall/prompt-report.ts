import { byteLength } from "@pith/kit";
import type { Hall } from "./hall.ts";

/** The blocks and tools that the model is told of, with the weight of each. */
export interface PromptReport {
  bytes: number;
  tokens: number;
  parts: { part: string; file?: string | undefined; text: string; bytes: number; tokens: number }[];
  tools: { name: string; bytes: number; tokens: number }[];
}

export async function promptReport({ briefing, pieces, counting: loadCounts }: Hall): Promise<PromptReport> {
  const { counting } = await loadCounts();
  const { tools: specs } = briefing.told();
  const parts = pieces().map(({ part, file, text }) => ({
    part,
    file,
    text,
    bytes: byteLength(text),
    tokens: Math.ceil(counting.countSystem([text])),
  }));
  const tools = specs.map((spec) => ({
    name: spec.name,
    bytes: byteLength(JSON.stringify(spec)),
    tokens: Math.ceil(counting.countTools([spec])),
  }));
  const sum = (of: "bytes" | "tokens") => [...parts, ...tools].reduce((all, row) => all + row[of], 0);
  return { bytes: sum("bytes"), tokens: sum("tokens"), parts, tools };
}

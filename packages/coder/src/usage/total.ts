import type { AssistantMessage, Usage } from "@pith/llm";

/** Tokens and costs of some answers together. */
export interface Total {
  replies: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** Dollars, of the answers whose prices were known. */
  cost: number;
  /** Tokens of answers that cost nothing: of a server of one's own, or of a model nobody knows the price of. */
  unpriced: number;
}

export const nothing = (): Total => ({
  replies: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cost: 0,
  unpriced: 0,
});

/** A paid request. A lost one has no answer, because it failed or was stopped early. */
export type Billed = Pick<AssistantMessage, "usage"> &
  Partial<Pick<AssistantMessage, "stopReason" | "content">> & { lost?: boolean };

/** Adds an answer. Files of other programs may lack any field. */
export function addAnswer(total: Total, { usage, stopReason, content, lost = false }: Billed): void {
  const { input, output, cacheRead, cacheWrite, cost } = (usage ?? {}) as Partial<Usage>;
  const tokens = {
    input: number(input),
    output: number(output),
    cacheRead: number(cacheRead),
    cacheWrite: number(cacheWrite),
  };
  const said = stopReason !== "error" || !Array.isArray(content) || content.length > 0;
  if (!lost && said) total.replies++;
  for (const name of Object.keys(tokens) as (keyof typeof tokens)[]) total[name] += tokens[name];
  total.cost += number(cost?.total);
  if (number(cost?.total) === 0) total.unpriced += tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite;
}

const number = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;

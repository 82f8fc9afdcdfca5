import type { MeasuredEntry } from "./cut.ts";
import type { WindowSizes } from "./size.ts";
import type { MessageEdit } from "./strategy/strategy.ts";
import { resultOf, stub, stubTokens } from "./stub.ts";

/** Tools whose results the model works by; they stay. */
const untouched: ReadonlySet<string> = new Set(["read", "skill"]);

/** Old results to hide from the model, and the tokens won; none if the gain is not worth a cached prefix. */
export function pruneResults(
  path: readonly MeasuredEntry[],
  { protect, win }: Pick<WindowSizes, "protect" | "win">,
): { edits: MessageEdit[]; won: number } {
  let seen = 0;
  let won = 0;
  const edits: MessageEdit[] = [];
  for (const item of path.toReversed()) {
    const result = resultOf(item);
    if (!result) continue;
    seen += item.tokens;
    if (seen <= protect || untouched.has(result.toolName) || item.tokens <= 2 * stubTokens) continue;
    edits.push(stub(item));
    won += item.tokens - stubTokens;
  }
  return won >= win && won > 0 ? { edits: edits.reverse(), won } : { edits: [], won: 0 };
}

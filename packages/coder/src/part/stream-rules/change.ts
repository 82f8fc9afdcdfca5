import type { ArrivingText, FileChange, Intent, Tool } from "@pith/agent";

/** What a call adds to a file, and what it takes away for it, where that is known. */
export interface AddedText extends ArrivingText {
  before?: string;
}

/** What a call really adds: as it was worked out, and else as its arguments say. */
export async function addedBy(tool: Tool, input: unknown, { effect, changes }: Intent): Promise<readonly AddedText[]> {
  const made = effect === "write" ? ((await changes?.()) ?? []) : [];
  // The diff of what is very long, or no text, is left out.
  if (made.length > 0 && made.every(({ patch, added }) => patch !== "" || added === 0)) return made.map(sidesOf);
  const adding = tool.adds?.();
  return adding ? [...adding.take(JSON.stringify(input)), ...adding.end()] : [];
}

function sidesOf({ path, patch }: FileChange): AddedText {
  const rows = patch.split("\n");
  const from = rows.findIndex((row) => row.startsWith("@@"));
  const side = (sign: string) =>
    rows.flatMap((row, at) => (at > from && row.startsWith(sign) ? [`${row.slice(1)}\n`] : [])).join("");
  return { path, text: side("+"), before: side("-") };
}

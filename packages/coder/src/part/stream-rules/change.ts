import type { ArrivingText, FileChange, Intent, Tool } from "@pith/agent";

/** Text that a call adds to a file, and the text that it replaces, where that is known. */
interface AddedText extends ArrivingText {
  before?: string;
}

/** The texts that a call adds: by its diff if there is one, else by its arguments. */
export async function addedBy(tool: Tool, input: unknown, { effect, changes }: Intent): Promise<readonly AddedText[]> {
  const made = effect === "write" ? ((await changes?.()) ?? []) : [];
  // A file that is very long, or no text, has no diff.
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

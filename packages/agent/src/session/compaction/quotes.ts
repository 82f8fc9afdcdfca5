/** What stands above the part of a summary that no model has written. */
export const keptHeading = "## Kept word for word";

/** A summary without what code has added to it. */
export const withoutKept = (summary: string): string => summary.slice(0, placeOf(summary) ?? summary.length).trim();

/** What code has added to a summary. */
export const keptIn = (summary: string): string => summary.slice(placeOf(summary) ?? summary.length).trim();

function placeOf(summary: string): number | undefined {
  const at = summary.lastIndexOf(`\n${keptHeading}\n`);
  return at === -1 ? undefined : at;
}

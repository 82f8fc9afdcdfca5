/** What stands above the part of a summary that no model has written. */
export const quotesHeading = "## Kept word for word";

/** A summary without what code has added to it. */
export const withoutQuotes = (summary: string): string => summary.slice(0, placeOf(summary) ?? summary.length).trim();

/** What code has added to a summary. */
export const quotesPart = (summary: string): string => summary.slice(placeOf(summary) ?? summary.length).trim();

function placeOf(summary: string): number | undefined {
  const at = summary.lastIndexOf(`\n${quotesHeading}\n`);
  return at === -1 ? undefined : at;
}

/** Heading of the literal part of a summary. */
export const quotesHeading = "## Kept word for word";

/** A summary without the parts that code added. */
export const withoutQuotes = (summary: string): string => summary.slice(0, placeOf(summary) ?? summary.length).trim();

/** The parts of a summary that code added. */
export const quotesPart = (summary: string): string => summary.slice(placeOf(summary) ?? summary.length).trim();

function placeOf(summary: string): number | undefined {
  const at = summary.lastIndexOf(`\n${quotesHeading}\n`);
  return at === -1 ? undefined : at;
}

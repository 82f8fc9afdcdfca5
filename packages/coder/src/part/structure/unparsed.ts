import { type CodePattern, type Match, mayMatch, type SyntaxIssue } from "@pith/host";
import { plural } from "@pith/kit";

/** True for code that reaches into a place that did not parse, or ends where something is missing. */
export const touches = ({ from, to }: Pick<Match, "from" | "to">, issue: SyntaxIssue): boolean =>
  issue.missing === undefined
    ? from.index < issue.to.index && issue.from.index < to.index
    : from.index < issue.from.index && issue.from.index <= to.index;

/** True if the lines of such places have all words of a pattern. */
export const mayHold = (patterns: readonly CodePattern[], issues: readonly SyntaxIssue[], text: string): boolean =>
  issues.some(({ from, to }) => {
    const end = text.indexOf("\n", to.index);
    const rows = text.slice(text.lastIndexOf("\n", from.index - 1) + 1, end === -1 ? text.length : end);
    return patterns.some((pattern) => mayMatch(pattern, rows));
  });

const maxPlaces = 5;

/** The lines of such places, for the model. */
export function placesOf(issues: readonly SyntaxIssue[]): string {
  const all = issues.map(({ from, to }) =>
    from.line === to.line ? `${from.line + 1}` : `${from.line + 1}-${to.line + 1}`,
  );
  const places = [...new Set(all)];
  const rest = places.length - maxPlaces;
  const lines = places.length === 1 && !places[0]?.includes("-") ? "line" : "lines";
  return `${lines} ${places.slice(0, maxPlaces).join(", ")}${rest > 0 ? ` and ${plural(rest, "more place")}` : ""}`;
}

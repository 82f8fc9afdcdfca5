import type { StyleName } from "@pith/tui/theme";

type Row = readonly [name: string, paints: StyleName, side?: "bg"];

/**
 * Every colour of a theme, in its groups, and what it paints. The one list: files are checked by it, the page about
 * themes is made of it.
 */
const groups = {
  "text and borders": [
    ["accent", "accent"], ["border", "border"], ["borderAccent", "focus"], ["borderMuted", "borderMuted"],
    ["success", "ok"], ["error", "error"], ["warning", "warn"], ["muted", "dim"], ["dim", "faint"], ["text", "text"],
    ["thinkingText", "thinking"],
  ],
  backgrounds: [
    ["selectedBg", "selected", "bg"], ["userMessageBg", "user", "bg"], ["customMessageBg", "note", "bg"],
    ["toolPendingBg", "toolPending", "bg"], ["toolSuccessBg", "toolSuccess", "bg"],
    ["toolErrorBg", "toolError", "bg"], ["statusLineBg", "statusBar", "bg"],
  ],
  "messages and tools": [
    ["userMessageText", "user"], ["customMessageText", "note"], ["customMessageLabel", "noteLabel"],
    ["toolTitle", "toolTitle"], ["toolOutput", "toolOutput"],
  ],
  Markdown: [
    ["mdHeading", "heading"], ["mdLink", "link"], ["mdLinkUrl", "linkUrl"], ["mdCode", "code"],
    ["mdCodeBlock", "codeBlock"], ["mdCodeBlockBorder", "codeBorder"], ["mdQuote", "quote"],
    ["mdQuoteBorder", "quoteBorder"], ["mdHr", "rule"], ["mdListBullet", "bullet"],
  ],
  "differences and syntax": [
    ["toolDiffAdded", "added"], ["toolDiffRemoved", "removed"], ["toolDiffContext", "context"],
    ["syntaxComment", "comment"], ["syntaxKeyword", "keyword"], ["syntaxFunction", "function"],
    ["syntaxVariable", "variable"], ["syntaxString", "string"], ["syntaxNumber", "number"], ["syntaxType", "type"],
    ["syntaxOperator", "operator"], ["syntaxPunctuation", "punctuation"],
  ],
  "thinking and modes": [
    ["thinkingOff", "effortOff"], ["thinkingMinimal", "effortMinimal"], ["thinkingLow", "effortLow"],
    ["thinkingMedium", "effortMedium"], ["thinkingHigh", "effortHigh"], ["thinkingXhigh", "effortXhigh"],
    ["bashMode", "shell"], ["pythonMode", "kernel"],
  ],
  "status line": [
    ["statusLineSep", "statusSep"], ["statusLineModel", "statusModel"], ["statusLinePath", "statusPath"],
    ["statusLineGitClean", "statusGitClean"], ["statusLineGitDirty", "statusGitDirty"],
    ["statusLineContext", "statusContext"], ["statusLineSpend", "statusSpend"], ["statusLineStaged", "statusStaged"],
    ["statusLineDirty", "statusDirty"], ["statusLineUntracked", "statusUntracked"],
    ["statusLineOutput", "statusOutput"], ["statusLineCost", "statusCost"], ["statusLineSubagents", "statusAgents"],
  ],
} as const satisfies Record<string, readonly Row[]>; // biome-ignore format: a table

export type ThemeToken = (typeof groups)[keyof typeof groups][number][0];

export const tokenGroups: Readonly<Record<string, readonly Row[]>> = groups;
export const tokenRows: readonly Row[] = Object.values(tokenGroups).flat();
export const themeTokens = tokenRows.map(([name]) => name) as readonly ThemeToken[];

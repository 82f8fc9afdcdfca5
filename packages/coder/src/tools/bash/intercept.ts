/** A kind of command for which there is a better tool. */
export interface Rule {
  pattern: RegExp;
  /** The better tool; a command is blocked only while that is there. */
  tool: string;
  message: string;
}

/** The first rule that speaks against a command. */
export const intercept = (command: string, rules: readonly Rule[], has: (tool: string) => boolean): Rule | undefined =>
  rules.find((rule) => has(rule.tool) && rule.pattern.test(command));

/** One rule per line: the tool, a colon, a regular expression. What is no rule is left out and named. */
export function readRules(text: string): { rules: Rule[]; problems: string[] } {
  const rules: Rule[] = [];
  const problems: string[] = [];
  for (const line of text.split("\n").filter((row) => row.trim() !== "")) {
    const [, tool, source] = /^\s*([\w-]+)\s*:\s*(.+?)\s*$/.exec(line) ?? [];
    try {
      if (tool === undefined || source === undefined) throw new SyntaxError("expected <tool>: <regular expression>");
      rules.push({ pattern: new RegExp(source), tool, message: `the ${tool} tool is there for this` });
    } catch (error) {
      problems.push(`bashInterceptor.rules: ${JSON.stringify(line.trim())} is left out: ${(error as Error).message}`);
    }
  }
  return { rules, problems };
}

// A simple command only: what takes part in a pipe or a longer line is not what the other tools do.
const alone = (what: string): RegExp => new RegExp(String.raw`^\s*(?:${what})(?:\s+(?:[^|;&<>\x60$()\n]|\$\w+)*)?$`);

export const defaultRules: readonly Rule[] = [
  { pattern: alone("cat|head|tail|less|more|bat|nl"), tool: "read", message: "read files with the read tool" },
  {
    pattern: alone("grep|egrep|fgrep|rg|ripgrep|ag|ack"),
    tool: "search",
    message: "search in files with the search tool",
  },
  { pattern: alone("find|fd|fdfind|locate"), tool: "find", message: "find files with the find tool" },
  {
    pattern:
      /^\s*(?:sed\s+(?:\S+\s+)*?(?:-[a-zA-Z]*i|--in-place)|perl\s+(?:\S+\s+)*?-[a-zA-Z]*i|(?:g|m)?awk\s+(?:\S+\s+)*?-i\s*inplace)/,
    tool: "edit",
    message: "change files with the edit tool",
  },
  {
    pattern:
      /^\s*(?:echo|printf)\b[^|;&]*[^|;&>\d]>>?\s*[^&\s|;]+\s*$|^\s*cat\s*(?:>>?\s*\S+\s*<<|<<-?\s*\S+\s*>>?\s*\S+)/,
    tool: "write",
    message: "write files with the write tool",
  },
];

import type { Simple } from "../../../bash/tree.ts";

/** A kind of command for which there is a better tool. */
export interface InterceptRule {
  /** The better tool; a command is blocked only while that is there. */
  tool: string;
  message: string;
  matches(command: string, first: FirstCommand | undefined): boolean;
}

/** The first program of a command, when it takes part in no pipe. */
export interface FirstCommand {
  words: readonly (string | undefined)[];
  redirects: Simple["redirects"];
  /** True when nothing else is run, not even to find out a word. */
  alone: boolean;
}

/** Reads one rule per line: the tool, a colon, a regular expression. Other lines are left out and named. */
export function readInterceptRules(text: string): { rules: InterceptRule[]; problems: string[] } {
  const rules: InterceptRule[] = [];
  const problems: string[] = [];
  for (const line of text.split("\n").filter((row) => row.trim() !== "")) {
    const [, tool, source] = /^\s*([\w-]+)\s*:\s*(.+?)\s*$/.exec(line) ?? [];
    try {
      if (tool === undefined || source === undefined) throw new SyntaxError("expected <tool>: <regular expression>");
      const pattern = new RegExp(source);
      rules.push({ tool, message: `the ${tool} tool is there for this`, matches: (command) => pattern.test(command) });
    } catch (error) {
      problems.push(`bashInterceptor.rules: ${JSON.stringify(line.trim())} is left out: ${(error as Error).message}`);
    }
  }
  return { rules, problems };
}

/** Matches programs that stand alone: in a longer line they do what the other tools do not. */
const alone =
  (programs: string): InterceptRule["matches"] =>
  (_, first) =>
    first?.alone === true && first.redirects.length === 0 && programs.split(" ").includes(first.words[0] ?? "");

const inPlace: Readonly<Record<string, RegExp>> = {
  sed: /^(?:-[a-zA-Z]*i|--in-place)/,
  perl: /^-[a-zA-Z]*i/,
  awk: /^-i$/,
  gawk: /^-i$/,
};

function editsInPlace({ words: [program = "", ...more] }: FirstCommand): boolean {
  if (!more.some((word) => word !== undefined && inPlace[program]?.test(word))) return false;
  return !program.endsWith("awk") || more.includes("inplace");
}

function writes({ words, redirects, alone: only }: FirstCommand): boolean {
  const files = redirects.filter(({ op }) => op === ">" || op === ">>" || op === ">|");
  if (words[0] === "cat") return words.length === 1 && files.length === 1 && redirects.some(({ body }) => body);
  return (words[0] === "echo" || words[0] === "printf") && only && files.length === 1 && redirects.length === 1;
}

export const defaultRules: readonly InterceptRule[] = [
  {
    tool: "read",
    message: "read files with the read tool",
    matches: alone("cat head tail less more bat nl"),
  },
  {
    tool: "search",
    message: "search in files with the search tool",
    matches: alone("grep egrep fgrep rg ripgrep ag ack"),
  },
  {
    tool: "find",
    message: "find files with the find tool",
    matches: alone("find fd fdfind locate"),
  },
  {
    tool: "edit",
    message: "change files with the edit tool",
    matches: (_, first) => first !== undefined && editsInPlace(first),
  },
  {
    tool: "write",
    message: "write files with the write tool",
    matches: (_, first) => first !== undefined && writes(first),
  },
];

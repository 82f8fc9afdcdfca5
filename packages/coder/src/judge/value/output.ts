import { posix } from "node:path";
import { commandsIn } from "../../bash/commands.ts";
import type { List, ShellSyntax, Word } from "../../bash/tree.ts";
import { argsOf, assigned, type Values } from "./argument.ts";

const listOf = (command: ShellSyntax): List => ({
  start: command.start,
  end: command.end,
  items: [
    {
      pipeline: {
        start: command.start,
        end: command.end,
        commands: [command],
        pipes: [],
        negated: false,
        timed: false,
      },
      behind: undefined,
    },
  ],
});

/** The names of all programs in a command, as far as they are known. */
export function programsOf(command: ShellSyntax): string[] {
  return commandsIn(listOf(command)).flatMap(({ words: [first] }) =>
    first === undefined ? [] : [posix.basename(first)],
  );
}

/** The programs that give a word its text. */
export const feedersOf = ({ segments }: Word): string[] =>
  segments.flatMap((piece) =>
    piece.kind === "dynamic"
      ? piece.scripts.flatMap((list) =>
          commandsIn(list).flatMap(({ words: [first] }) => (first === undefined ? [] : [posix.basename(first)])),
        )
      : [],
  );

/** What a command says that only says something. */
export function outputOf(command: ShellSyntax, values: Values): string | undefined {
  if (command.kind !== "simple") return undefined;
  const [program, ...texts] = command.words.flatMap((word) => argsOf(word, values)).map(({ text }) => text);
  const [only] = command.redirects;
  if (program === "cat" && texts.length === 0 && only?.body) return assigned(only.body, values).text;
  if ((program !== "echo" && program !== "printf") || texts.includes(undefined)) return undefined;
  const words = texts[0] !== undefined && /^-[neE]+$/.test(texts[0]) ? texts.slice(1) : texts;
  return words.join(" ").replaceAll("\\n", "\n");
}

import { named, optionValue, type Script } from "./value.ts";

/** The script for fish: `pith completion fish | source`, or a file in ~/.config/fish/completions. */
export const fishScript: Script = (shapes) => {
  const commands = named(shapes);
  const names = commands.map(([name]) => name).join(" ");
  const where = (command: string) =>
    command === "launch" ? `not __fish_seen_subcommand_from ${names}` : `__fish_seen_subcommand_from ${command}`;
  const options = [...shapes].flatMap(([command, { options: flags }]) =>
    Object.entries(flags).map(([name, flag]) => {
      const value = optionValue(flag);
      const takes = {
        words: value?.is === "words" ? ` -x -a ${quoted(value.words.join(" "))}` : "",
        directory: " -x -a '(__fish_complete_directories)'",
        anything: " -r",
      };
      const short = flag.short ? ` -s ${flag.short}` : "";
      const more = value ? takes[value.is] : "";
      return `complete -c pith -n ${quoted(where(command))}${short} -l ${name}${more} -d ${quoted(flag.about)}`;
    }),
  );
  const words = commands.flatMap(([command, shape]) => {
    const first = Object.keys(shape.words);
    if (first.length === 0) return [];
    const fresh = `${where(command)}; and not __fish_seen_subcommand_from ${first.join(" ")}`;
    const second = Object.entries(shape.words).filter(([, list]) => list.length > 0);
    return [
      `complete -c pith -n ${quoted(fresh)} -f -a ${quoted(first.join(" "))}`,
      ...second.map(([name, list]) => {
        const behind = `${where(command)}; and __fish_seen_subcommand_from ${name}; and ${typed(3)}`;
        return `complete -c pith -n ${quoted(behind)} -f -a ${quoted(list.join(" "))}`;
      }),
      ...shape.third.map(({ first: name, second: words, words: list }) => {
        const before = `${where(command)}; and __fish_seen_subcommand_from ${name}; and ${typed(4)}`;
        const behind = `${before}; and __fish_seen_subcommand_from ${words.join(" ")}`;
        return `complete -c pith -n ${quoted(behind)} -f -a ${quoted(list.join(" "))}`;
      }),
    ];
  });
  return `${[
    "# Completes pith in fish. Made by: pith completion fish",
    ...commands.map(([name, { about }]) => `complete -c pith -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`),
    ...options,
    ...words,
  ].join("\n")}\n`;
};

/** A condition: this many words stand before the one that is typed. */
const typed = (count: number): string => `test (count (commandline -opc)) -eq ${count}`;

/** Quotes a word for fish, which knows two escapes between single quotes. */
const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

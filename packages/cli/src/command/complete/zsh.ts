import { shellQuote } from "@pith/kit";
import { named, type Script, spellings, valueRows, wordLists } from "./value.ts";

/** The script for zsh: a file `_pith` in the fpath, or `source <(pith completion zsh)` after compinit. */
export const zshScript: Script = (shapes) => {
  const commands = named(shapes).map(([name]) => name);
  const values = valueRows(shapes, (pattern, value) => {
    const does = {
      words: `compadd -- ${value.is === "words" ? value.words.map(shellQuote).join(" ") : ""}`,
      directory: "_files -/",
      anything: "_files",
    };
    return `    (${pattern}) ${does[value.is]}; return ;;`;
  });
  const options = [...shapes].map(([command, { options: flags }]) => {
    const rows = Object.entries(flags).flatMap(([name, flag]) =>
      spellings(name, flag).map((word) => described(word, flag.about)),
    );
    return `        (${command}) list=(${rows.join(" ")}) ;;`;
  });
  const words = wordLists(shapes).flatMap(({ command, first, second, third }) => [
    ...third.map(({ first: name, second: behind, words: list }) => {
      const pattern = behind.map((word) => `5:${command}:${name}:${word}`).join("|");
      return `    (${pattern}) compadd -- ${list.map(shellQuote).join(" ")} ;;`;
    }),
    ...second.map(([name, list]) => `    (4:${command}:${name}:*) compadd -- ${list.map(shellQuote).join(" ")} ;;`),
    ...(first.length > 0 ? [`    (3:${command}:*) compadd -- ${first.map(shellQuote).join(" ")} ;;`] : []),
  ]);
  return `#compdef pith
# Completes pith in zsh. Made by: pith completion zsh
_pith() {
  local cur=$words[CURRENT] prev=$words[CURRENT-1] command=launch
  local -a list
  case $words[2] in
    (${commands.join("|")}) (( CURRENT > 2 )) && command=$words[2] ;;
  esac
  case $command:$prev in
${values.join("\n")}
  esac
  case $cur in
    (-*)
      case $command in
${options.join("\n")}
      esac
      _describe -o option list; return ;;
    (@*) compset -P @; _files; return ;;
  esac
  case $CURRENT:$command:$words[3]:$prev in
    (2:*)
      list=(${named(shapes)
        .map(([name, { about }]) => described(name, about))
        .join(" ")})
      _describe command list; _files ;;
${words.join("\n")}
    (*) _files ;;
  esac
}
if [[ $funcstack[1] == _pith ]]; then _pith "$@"; else compdef _pith pith; fi
`;
};

/** A word and its meaning, in the form of _describe. */
const described = (word: string, about: string): string => shellQuote(`${word}:${about.replaceAll(":", "\\:")}`);

import { shellQuote } from "@pith/kit";
import { named, type Script, spellings, valueRows, wordLists } from "./value.ts";

/** The script for bash: `source <(pith completion bash)`. */
export const bashScript: Script = (shapes) => {
  const commands = named(shapes).map(([name]) => name);
  const values = valueRows(shapes, (pattern, value) => {
    const does = {
      words: `__pith_words ${value.is === "words" ? shellQuote(value.words.join(" ")) : ""}; return`,
      directory: "__pith_dirs; return",
      anything: "return",
    };
    return `    ${pattern}) ${does[value.is]} ;;`;
  });
  const options = [...shapes].map(([command, { options: flags }]) => {
    const all = [...Object.entries(flags).flatMap(([name, flag]) => spellings(name, flag)), "--help"];
    return `      ${command}) __pith_words ${shellQuote([...new Set(all)].join(" "))} ;;`;
  });
  const words = wordLists(shapes).flatMap(({ command, first, second, third }) => [
    ...(first.length > 0 ? [`    2:${command}:*) __pith_words ${shellQuote(first.join(" "))} ;;`] : []),
    ...second.map(([name, list]) => `    3:${command}:${name}:*) __pith_words ${shellQuote(list.join(" "))} ;;`),
    ...third.map(({ first: name, second: behind, words: list }) => {
      const pattern = behind.map((word) => `4:${command}:${name}:${word}`).join("|");
      return `    ${pattern}) __pith_words ${shellQuote(list.join(" "))} ;;`;
    }),
  ]);
  return `# Completes pith in bash. Made by: pith completion bash
__pith_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
__pith_dirs() { mapfile -t COMPREPLY < <(compgen -d -- "$cur"); }
_pith() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=launch
  COMPREPLY=()
  case \${COMP_WORDS[1]} in
    ${commands.join("|")}) [[ $COMP_CWORD -gt 1 ]] && command=\${COMP_WORDS[1]} ;;
  esac
  case $command:$prev in
${values.join("\n")}
  esac
  case $cur in
    -*)
      case $command in
${options.map((line) => `  ${line}`).join("\n")}
      esac
      return ;;
    @*) mapfile -t COMPREPLY < <(compgen -P @ -f -- "\${cur#@}"); return ;;
  esac
  case $COMP_CWORD:$command:\${COMP_WORDS[2]}:$prev in
    1:*) __pith_words ${shellQuote(commands.join(" "))} ;;
${words.join("\n")}
  esac
}
complete -o default -F _pith pith
`;
};

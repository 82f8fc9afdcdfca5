// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
// Lines whose words are put together while they run, so that nobody can read what they do: each way to give a variable
// a text is tried with each use of it.
import { commandFrom } from "./commands.ts";

/** Texts that change something as a program, an option, a path, a sum or a name. */
const payloads = `touch@pwn rm@-rf@. -delete -i out/file ../out/file ../home/.bashrc
    .git/hooks/pre-commit
    w@pwn 1w@pwn 1e@touch@pwn
  a[$(touch@pwn)] $(touch@pwn) \`touch@pwn\` -exec@touch@pwn@; --output=pwn -opwn -fprint@pwn /dev/tcp/127.0.0.1/PORT
  BEGIN{system("touch@pwn")} {print>"pwn"} push commit@-am@x -ccore.pager=touch@pwn@log PATH BASH_ENV
  sh@evil.sh ./evil.sh`
  .split(/\s+/)
  .map((text) => text.replaceAll("@", " "));

/** Assignments that give `v` a text, which stands in `P`. */
const sources = [
  "v='P'",
  "v=$'P'",
  "printf -v v %s 'P'",
  "printf -v \"${q:-v}\" '%s' 'P'",
  "read -r v <<< 'P'",
  "read -r v < a.txt",
  "mapfile -t v <<< 'P'",
  ": \"${v:='P'}\"",
  "v=$(printf %s 'P')",
  "v=`cat a.txt`",
  "declare v='P'",
  "declare -n v=w; w='P'",
  "local v='P'",
  "export v='P'",
  "v=('P' x)",
  "declare -A v=([x]='P'); v=${v[x]}",
  "v=x; v+='P'",
  "set -- 'P'; v=$1",
  "v=$(<a.txt)",
];

/** Uses of `$v` by programs that usually only read. */
const sinks = [
  "$v",
  '"$v"',
  "echo $((v))",
  'echo "${v@P}"',
  '[[ ${v@P} ]]; test -v "$v"',
  'unset "$v"',
  'printf -v "$v" x',
  "cat $v",
  'cat "$v" > "$v"',
  "sort a.txt $v",
  "sort -u a.txt -o $v",
  'sed "$v" a.txt',
  "sed $v s/x/y/ a.txt",
  'awk "$v" a.txt',
  'awk -f <(echo "$v") a.txt',
  "find . $v",
  "find . -exec $v {} +",
  "git $v",
  "git status $v",
  "env $v",
  'env -S "$v"',
  "xargs $v < a.txt",
  'xargs -I{} sh -c "$v"',
  "timeout 1 $v",
  "time $v",
  "nice $v",
  "command $v",
  'source <(echo "$v")',
  "source evil.sh",
  ". ./evil.sh",
  'read x < "$v"',
  'cat < "$v"',
  'cat <<< "${v@P}"',
  "cat <<E\n${v@P} $($v)\nE",
  "diff <($v) a.txt",
  'rg --pre "$v" x',
  "tar -tf a.txt $v",
  "less $v a.txt",
  "date $v",
  "tree $v",
  "jq $v . a.txt",
  "${v}",
  "$v < a.txt | cat",
  "while read x; do $v; done < a.txt",
  "for x in $v; do $x; done",
];

/** Makes a line that hides what it does, or any line. */
export function hidingFrom(random: (below: number) => number): string {
  if (random(3) === 0) return commandFrom(random);
  const one = (from: readonly string[]): string => from[random(from.length)] ?? "";
  const joint = one(["; ", " && ", "\n", "; "]);
  const line = `${one(sources).replaceAll("P", () => one(payloads))}${joint}${one(sinks)}`;
  return random(6) === 0 ? `${line}${joint}${commandFrom(random)}` : line;
}

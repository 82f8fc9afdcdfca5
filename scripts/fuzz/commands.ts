// Command lines by chance: ordinary ones, with pieces put in, taken out and exchanged; and ones that are put together
// from the tables of programs.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ordinary = readFileSync(join(import.meta.dir, "../../test/data/policy/benign.txt"), "utf8")
  .split(/^\$ /m)
  .slice(1)
  .map((row) => row.trimEnd())
  .filter((row) => row.length < 120);

/** Lines that only look, with the files of the stage, so that many of those made of them are plain. */
const looking =
  `cat a.txt|cat -n src/b.txt|head -3 a.txt|tail -n 2 a.txt|grep -n x a.txt|grep -rn x src|rg x|rg --files|ls -la
  |find . -name '*.txt'|find src -type f|sort -u a.txt|uniq -c a.txt|wc -l *.txt|cut -d: -f1 a.txt|tr a b
  |sed -n '1,3p' a.txt
  |sed s/a/b/ a.txt|awk '{print $1}' a.txt|jq . c.json|git status|git log -1|git diff|git show HEAD|git branch -a
  |stat a.txt
  |file a.txt|diff a.txt src/b.txt|cmp a.txt src/b.txt|du -sh .|echo hi|printf '%s' x|test -f a.txt|pwd|cd src
  |date +%s|xxd a.txt
  |base64 a.txt|od -c a.txt|tree|ps aux|env|uname -a|basename a/b|seq 3|md5sum a.txt|comm a.txt src/b.txt
  |paste a.txt|nl a.txt`
    .split("|")
    .map((row) => row.trim());

const pieces =
  `; | && || & > >> < 2>&1 2>/dev/null <&- <&-sh >&-x <( ) $( ) \` ' " \\ \\\\ $x \${x} $'a' * ? [a] {a,b} ~ ~/ ..
  ../out
  /etc/passwd out/secret link/secret ../out/secret -- - -e -f -n -o -r -R -i -L -z -c --output=x --pre=sh --files
  -exec -delete
  -fprint -newer --color --color=always -p -ps -s -t -T -x -w -O -S --ext-diff --no-index --textconv -C -G sh bash
  eval exec
  xargs env rm touch pwn a.txt src link = a=b # ! [[ ]] (( )) if for while function case in esac do done then fi :
  . source
  'w pwn' '1e touch pwn' '{print|"sh"}' 'BEGIN{system("touch pwn")}' \\n \\t é \u00a0 \u200b`.split(/\s+/);

/** Numbers from a seed, so that what was found can be found again. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39) >>> 0;
    return ((mixed ^ (mixed >>> 15)) >>> 0) % below;
  };
}

const table = (name: string): string =>
  readFileSync(join(import.meta.dir, `../../packages/coder/src/judge/program/${name}.txt`), "utf8");

/** The entries of a table below its first titles: names, and the options that it lists. */
const entriesOf = (text: string, end: string) =>
  text
    .slice(text.indexOf("\n= "), text.indexOf(end))
    .replace(/\n {2}(?:\w+ )*(?:none|medium|high|critical|guard) .*$/gm, "")
    .replace(/\n +/g, " ")
    .split("\n")
    .flatMap((line) => {
      const [, names = "", words = ""] = /^([^#=].*?\S):(?: (.*))?$/.exec(line) ?? [];
      const options = words.split(" ").filter((word) => word.startsWith("-"));
      return names === "" ? [] : [{ names: names.split(" "), options }];
    });

const programs = entriesOf(table("programs"), "\n= reader");
const subcommands = entriesOf(table("git"), "\n= changes");
const shown = subcommands.find(({ names }) => names.includes("shown"))?.options ?? [];

const operands =
  `a.txt src/b.txt src . .. ./a.txt src/../a.txt c.json * *.txt src/* ?.txt s*/b* [a].txt a.[t]xt {a,b}.txt link
  link/secret ../out/secret link/* ../* ~ ~/secret ~/* -- -n -rf -x=1 ./-n ./* '' "" 'a b' "a b" a\\ b 1 2 1,3p
  p /x/p s/a/b/ s/a/b/e s/x/y/w out 1w\\ out 1e HEAD HEAD~1 main HEAD:a.txt HEAD^{tree} evil refs/heads/evil -D
  -d --list --get user.name core.pager /dev/stdin /dev/fd/0 /proc/self/environ /etc/hostname x=1 a=b.txt {} ! =
  == : @ % + {print} {print$1} '{print>"pwn"}' 'BEGIN{while(("id"|getline)>0)print}' . .a 'input' env $ENV
  'import "a"; .' '$__loc__' +%s now /dev/tcp/127.0.0.1/9 /dev/null - e ee aux auxe l c 3 "$(id)" '$(id)'
  '\`id\`' é a\u00a0b a\u3000b a\rb \u2028 \u200b '' .git .git/config 'src/*'`.split(/\s+/);

const dangers = `-o -O -T -f -x -X -I -C -D -S -w -z -e -E -p -F -c -i -L -P -a -1 -20 --output=out --output out
  --compress-program=sh --files0-from=a.txt --from-file=a.txt --file=a.txt --pre=sh --exec=sh --ext-diff
  --textconv --no-index --open-files-in-pager=sh --show-signature --upload-pack=sh --contents=a.txt --paginate
  --git-dir=. --work-tree=.. --exec-path=. -ccore.pager=sh --include=* --exclude-from=a.txt --magic-file=a.txt
  --version --help --color=always --time-style=+%s --relative=.. --hyperlink --follow --null -fprint -exec
  -delete -newer -samefile -files0-from -ok --set=now --file-prefix= -s -vv --in-place --null-data --debug
  --posix --sandbox -l5 --line-length=1 --expression=1e --to-stdout --ignore-dir=x`.split(/\s+/);

const spoilers = [
  "'",
  '"',
  "\\",
  "\\\n",
  "$",
  "`",
  "{",
  "}",
  ",",
  "*",
  "?",
  "[",
  "]",
  "~",
  "\r",
  "\n",
  "\t",
  "\u00a0",
  "\u3000",
  "\0",
  "\x01",
].concat([
  "#",
  "!",
  "^",
  "&",
  "|",
  ";",
  "<",
  ">",
  "(",
  ")",
  "=",
  "-",
  "--",
  "/",
  "..",
  "é",
  "\u202e",
  "''",
  "$'\\x2d'",
  "<&-",
  "2>&1",
]);

/** Puts a command together from the tables: a program, options that it may and may not be given, and words that mislead. */
function builtFrom(random: (below: number) => number): string {
  const one = <T>(from: readonly T[], otherwise: T): T => from[random(from.length)] ?? otherwise;
  const entry = one(programs, { names: [], options: [] });
  const name = one(entry.names, "cat");
  const isGit = name === "git" || random(5) === 0;
  const sub = one(subcommands, { names: [], options: [] });
  const words = isGit ? ["git", one(sub.names, "status")] : [name];
  const listed = isGit ? [...sub.options, ...(random(2) === 0 ? shown : [])] : entry.options;
  for (let count = random(4); count > 0; count--) {
    const option = random(4) === 0 ? one(dangers, "-x") : one(listed, "-n");
    const letters = /^-[^-]{2,}$/.test(option) ? `-${option[1 + random(option.length - 1)]}` : option;
    words.push(letters.endsWith("=") ? `${letters}${one(operands, "a")}` : letters);
    if (random(3) === 0) words.push(one(operands, "a.txt"));
  }
  for (let count = random(3); count > 0; count--) words.splice(1 + random(words.length), 0, one(operands, "a.txt"));
  return words.join(random(40) === 0 ? "\t" : " ");
}

/** Makes a command line. */
export function commandFrom(random: (below: number) => number): string {
  return random(2) === 0 ? mutatedFrom(random) : spoiled(builtLine(random), random);
}

function builtLine(random: (below: number) => number): string {
  let text = random(12) === 0 ? `cd src${random(2) === 0 ? " && " : "; "}` : "";
  text += builtFrom(random);
  const joints = [" | ", "; ", " && ", " || ", "\n", " |& ", " & "];
  while (random(5) === 0) text += (joints[random(joints.length)] ?? "; ") + builtFrom(random);
  if (random(8) === 0)
    text += [" 2>/dev/null", " 2>&1", " > out", " < a.txt", " >/dev/null", " <&-", " <<< x"][random(7)];
  return text;
}

/** Puts single signs into a text, which mean something to one of its readers. */
function spoiled(text: string, random: (below: number) => number): string {
  let result = text;
  for (let count = random(3) === 0 ? 1 + random(3) : 0; count > 0; count--) {
    const at = random(result.length + 1);
    result =
      result.slice(0, at) + (spoilers[random(spoilers.length)] ?? "") + result.slice(at + (random(4) === 0 ? 1 : 0));
  }
  return result;
}

/** Changes an ordinary line. */
function mutatedFrom(random: (below: number) => number): string {
  const one = (from: readonly string[]): string => from[random(from.length)] ?? "";
  const lines = random(4) === 0 ? ordinary : looking;
  let text = one(lines);
  while (random(3) === 0) text += one([" | ", "; ", " && ", " || ", "\n", " "]) + one(looking);
  for (let changes = random(4); changes > 0; changes--) {
    const words = text.split(" ");
    const at = random(words.length + 1);
    const how = random(5);
    if (how === 0) words.splice(at, 1);
    else if (how < 3) words.splice(at, 0, one(pieces));
    else if (how === 3) words[Math.min(at, words.length - 1)] += one(pieces);
    else words.splice(at, 1, one(pieces));
    text = words.join(" ");
  }
  return text;
}

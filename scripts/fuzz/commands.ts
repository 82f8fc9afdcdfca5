// Command lines by chance: ordinary ones, with pieces put in, taken out and exchanged.
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

/** Makes a command line. */
export function commandFrom(random: (below: number) => number): string {
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

/** The next of a row of numbers that is the same for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** Programs that look, options of theirs and of others, and what a shell has to put them together. */
const programs =
  `cat ls head tail wc sort uniq grep rg find sed awk cut tr diff cmp comm od xxd nl rev stat du file tree
  jq tar unzip git date printf echo test true env nice xargs base64 shuf iconv column paste join expr basename`.split(
    /\s+/,
  );
const words =
  `a b.txt src src/a.ts package.json out - -- * ./* s* -o -o1 -ob -i -n -r -R -l -e -c -w -x -f -t -tf -s -u -z
  -p -ps -O -q -v -L -T -no -ne -nw -io --o=out --output=out --out --outp out --ext --pre ./e --pre=./e --files0-from=a
  --compress-program=./e --to-command=./e 1 1p p w out 's/1/2/' 's/1/2/w out' 'w out' 'e touch made' '{print}'
  '{print>"out"}' 'BEGIN{system("touch made")}' . .a x '' {a,out} {-o,out} $x "$x" \${x:-a} $((1)) $(echo a) "$(cat a)"
  -exec touch made {} + -delete -print -name -fprint -type log status diff grep show branch tag stash config --list
  -d --format=x --stat --apply -D -Lo 2 +%s -I -xf`.split(/\s+/);
const joints = ["; ", " && ", " || ", " | ", "\n", " & ", " |& "];
const frames = [
  "X",
  "X",
  "X",
  "(X)",
  "{ X; }",
  "! X",
  "if X; then X; fi",
  "for x in a out; do X; done",
  "while read x; do X; done < b.txt",
  "x=$(X); X",
  "x=a; X",
  "f() { X; }; f a",
  'echo "$(X)"',
  "cat <(X)",
  "cat <<E\n$(X)\nE",
  "[[ -n $x ]] && X",
  "x=$(cat b.txt); echo $((x)); X",
  "case a in a) X;; esac",
  "X 2>&1",
  "X > out",
  "X < a",
  "eval 'X'",
  "bash -c 'X'",
  "trap 'X' EXIT",
  "time X",
];

/** Commands that were never written by hand; the same for the same seed. */
export function madeCommand(seed: number): () => string {
  const below = numbers(seed);
  const one = <Kind>(list: readonly Kind[]): Kind => list[below(list.length)] as Kind;
  const simple = () => [one(programs), ...Array.from({ length: below(4) }, () => one(words))].join(" ");
  return () => {
    const frame = () => one(frames).replaceAll("X", () => simple());
    const all = Array.from({ length: 1 + below(3) }, frame);
    return all.reduce((before, next) => before + one(joints) + next);
  };
}

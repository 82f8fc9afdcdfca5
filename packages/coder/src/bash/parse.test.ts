// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { expect, test } from "bun:test";
import { commandsIn } from "./commands.ts";
import { parse } from "./parse.ts";
import type { List } from "./tree.ts";

function read(source: string): List {
  const got = parse(source);
  if (!got.ok) throw new Error(`${source}: ${got.message} at ${got.at}`);
  return got.value;
}

/** Every command as it is known before it runs. */
const known = (source: string) =>
  commandsIn(read(source)).map(({ words }) => words.map((word) => word ?? "?").join(" "));

test("every command is found, wherever it stands", () => {
  const found: [string, string[]][] = [
    ["a; b && c || d & e | f |& g\nh", ["a", "b", "c", "d", "e", "f", "g", "h"]],
    ["(a; b); { c; }; ! d; time -p e", ["a", "b", "c", "d", "e"]],
    ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
    ["for x in $(a); do b; done; for ((i=$(c);;)); do d; done", ["b", "a", "d", "c"].sort()],
    ["while a; do b; done; until c; do d; done; select x in 1; do e; done", ["a", "b", "c", "d", "e"]],
    ["case $(a) in x|$(b)) c;; (y) d;& *) e;;& esac", ["a", "b", "c", "d", "e"]],
    ["f() { a; }; function g { b; }; function h() (c)", ["a", "b", "c"]],
    ["coproc a b; coproc n { c; }", ["a b", "c"]],
    ["[[ -f $(a) && x == @($(b)|c) || x =~ ^($(c) d)$ ]]", ["a", "b", "c"]],
    ["(( x = $(a) )); echo $(( y[$(b)] )) $[ $(c) ]", ["a", "echo ? ?", "b", "c"]],
    ["x[$(a)]=1 y=(1 $(b) [$(c)]=2) z+=$(d)", ["", "a", "b", "c", "d"]],
    ["declare -a l=($(a))", ["declare -a ?", "a"]],
    ['echo "$(a "$(b)")" ${x:-$(c)} "${y#$(d)}"', ["echo ? ? ?", "a ?", "b", "c", "d"]],
    ['echo `a \\`b\\`` "`c \\"d e\\"`"', ["echo ? ?", "a ?", "b", "c d e"]],
    ["a < <(b) > >(c) <<< $(d)", ["a", "b", "c", "d"]],
    ["a <<E <<'F' <<-G\n$(b) `c`\nE\n$(no)\nF\n\t\t${x:-$(d)}\n\tG\ne", ["a", "b", "c", "d", "e"]],
    ["$(( (a); b ))", ["?"]],
    ["$((a); b)", ["?", "a", "b"]],
    ["((a); b)", ["a", "b"]],
    ["i\\\nf a; th\\\nen b &\\\n& c; fi # d; e", ["a", "b", "c"]],
    ["a > $(b) 2>&1", ["a", "b"]],
    ["trap 'a' EXIT; eval b", ["trap a EXIT", "eval b"]],
  ];
  for (const [source, commands] of found) expect([source, known(source).sort()]).toEqual([source, commands.sort()]);
});

test("a carriage return ends no word", () => {
  expect(known("a\rid; b \r\nc")).toEqual(["a\rid", "b \r", "c"]);
});

test("a word is known to the letter, or is not known", () => {
  const words: [string, string][] = [
    [`a'b c'"d\\"\\$\\x"\\ e`, `ab cd"$\\x e`],
    ["$'\\x41\\n\\'\\101'", "A\n'A"],
    ["x{a,b}y {c,d}{e,f} {,z} a{1,2}'b' {a,b", "xay xby ce cf de df z a1b a2b {a,b"],
    ["x{a,{b,c}}y {01..3} {c..a..2} {a,'b'}", "? ? ? ?"],
    ["'' \"\"", " "],
    ["[ a ] a] [", "[ a ] a] ["],
    ["'*' \\? \"~\" a~b {x} {} {a.b}", "* ? ~ a~b {x} {} {a.b}"],
    ['$x ${y} "$z" * a? [ab] ~/x ~ a=~/y $\'\\xff\' $"t" {1..99999} @', "? ? ? ? ? ? ? ? ? ? ? ? @"],
  ];
  for (const [source, expected] of words)
    expect([source, known(`echo ${source}`)[0]]).toEqual([source, `echo ${expected}`]);
});

test("what stands behind the dash of a closing redirection is a word", () => {
  const words = (text: string) => {
    const read = parse(text);
    return read.ok ? commandsIn(read.value).map((one) => one.words) : read.message;
  };
  expect(words("env <&-sh <&- -c <&-'touch x'")).toEqual([["env", "sh", "-c", "touch x"]]);
  expect(words("cat <& -secret; git >&-push; ls 2>&-; cat <&3-")).toEqual([
    ["cat", "secret"],
    ["git", "push"],
    ["ls"],
    ["cat"],
  ]);
});

test("redirections say what they read and write", () => {
  const of = (source: string) =>
    commandsIn(read(source)).flatMap(({ redirects }) =>
      redirects.map(({ fd = "", op, touches }) => `${fd}${op} ${touches}`),
    );
  expect(of("a <b >c 2>>d >|e <>f &>g &>>h")).toEqual([
    "< read",
    "> write",
    "2>> write",
    ">| write",
    "<> both",
    "&> write",
    "&>> write",
  ]);
  expect(of("a 2>&1 >&- <&3 >&file >&$x {fd}>b <<<c")).toEqual([
    "2>& none",
    ">& none",
    "<& none",
    ">& write",
    ">& write",
    "fd> write",
    "<<< none",
  ]);
  expect(of("if a; then b; fi > c; { d; } < e; (f) >> g; while h; do i; done < j")).toEqual([
    "> write",
    "< read",
    ">> write",
    "< read",
  ]);
});

test("every piece stands where its span says", () => {
  const source = "x=1 a 'b c' \"$(d `e \\`f\\``)\" <<-E | g\n\ttext $(h)\n\tE\ni";
  const found = commandsIn(read(source)).map(({ command }) => source.slice(command.start, command.end));
  expect(found).toEqual([source.slice(0, source.indexOf(" |")), "d `e \\`f\\``", "e \\`f\\`", "f", "h", "g", "i"]);
  const [first] = read(source).items;
  const simple = first?.pipeline.commands[0];
  if (simple?.kind !== "simple") throw new Error("not simple");
  expect(simple.words.map(({ start, end }) => source.slice(start, end))).toEqual(["a", "'b c'", '"$(d `e \\`f\\``)"']);
  const body = simple.redirects[0]?.body;
  expect(source.slice(body?.start, body?.end)).toBe("\ttext $(h)\n");
});

test("what is not closed is named with its place", () => {
  const open: [string, number][] = [
    ["echo 'a", 5],
    ['echo "a $(b)', 5],
    ["echo $(a", 6],
    ["echo `a", 5],
    ["echo ${a", 7],
    ["echo $'a", 5],
    ["a <<E\nb", 2],
    ["a <<E", 2],
    ["if a; then b", 12],
    ["(a", 0],
    ["{ a;", 4],
    ["a &&", 4],
    ["a |", 3],
    ["a \\", 2],
    ["x=(a", 2],
    ["[[ a", 4],
    ["((a", 2],
  ];
  for (const [source, at] of open)
    expect([source, parse(source)]).toMatchObject([source, { ok: false, kind: "open", at }]);
});

test("what bash does not take, and what versions of it read differently, is refused", () => {
  for (const source of [
    "a ;; b",
    ")",
    "a (b)",
    "then",
    "{ a; };}",
    "a < ; b",
    "in",
    "a\0b",
    "for a-b c; do d; done",
    "|a",
  ])
    expect([source, parse(source)]).toMatchObject([source, { ok: false, kind: "unexpected" }]);
  for (const source of [
    "a $(b <<E\nc\nE)\nd\nE\n)",
    "a ${ b; }",
    "a <<$(b)\nc\n$(b)",
    "$(( $'1' ))",
    "a $(b <<E)\nc\nE",
    "coproc a then b",
  ])
    expect([source, parse(source)]).toMatchObject([source, { ok: false, kind: "unsure" }]);
  expect(parse("echo @(a|b)")).toMatchObject({ ok: false });
  expect(parse("echo @(a|b)", { extglob: "on" })).toMatchObject({ ok: true });
});

test("what is too much is said to be, at once", () => {
  const much = [
    "a;".repeat(501),
    "a".repeat(65 * 1024),
    "(".repeat(100),
    "$(".repeat(30_000),
    "$((".repeat(20_000),
    "`".repeat(64_000),
    "${x-".repeat(15_000),
    '"$('.repeat(20_000),
    "if ".repeat(20_000),
    "[[ ! ".repeat(9000),
  ];
  const started = performance.now();
  for (const source of much) expect(parse(source).ok).toBe(false);
  for (const source of [
    "{".repeat(30_000) + ",".repeat(30_000),
    "! ".repeat(30_000),
    "a[".repeat(30_000),
    "{a,".repeat(20_000),
  ]) {
    const got = parse(source);
    if (got.ok) commandsIn(got.value);
  }
  // They take a tenth of this; what grows with the square takes minutes.
  expect(performance.now() - started).toBeLessThan(10_000);
});

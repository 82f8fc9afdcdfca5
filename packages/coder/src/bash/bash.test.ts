// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the shell's
import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import fc from "fast-check";
import { commandsIn } from "./commands.ts";
import { parse } from "./parse.ts";

// The real bash is asked about random texts; PITH_FUZZ=100 asks it longer.
const times = Number(process.env.PITH_FUZZ ?? 1);

const signs =
  "a|b c|$x|${x:-$(id)}|$(a)|$(a; b)|$((1+2))|((1))|'q r'|\"d $(e) f\"|$'\\n'|&&|&|;|;;|(|)|{|}|if|then|fi|else|elif|for|in|do|done|while|until|case|esac|a=1|a=(1 2)|a[1 + 2]=3|!|time|-p|[[|]]|==|-f|=~|<|>f|2>&1|<&-|>&-x|<<<|< <(a)|>(a)|&>f|>&2|{fd}>x|#c|function|f()|coproc|select|declare|export b=(1)|@(a)|*.c|{a,b}|\r|~|$|\"|'|`a`|${|[|]|;&|${x#y}|!x|\\\n|\n| "
    .split("|")
    .concat("|", "||", "|&", "x|y)");
const texts = [
  "if a; then b; fi",
  "for x in a b; do c; done",
  "while a; do b; done",
  "case x in a|b) c;; (d) e;& *) ;; esac",
  "f() { a; }",
  "function f { a; }",
  "{ a; b; }",
  "(a; b)",
  "[[ a == b && -f c ]]",
  "[[ a =~ ^(b|c d)$ ]]",
  "((a < b))",
  "for ((i=0;i<3;i++)); do a; done",
  "cat <<E\nbody $x\nE\n",
  "cat <<'E' <<-F\n$(\nE\n\tx\n\tF\n",
  "a | b |& c",
  "time -p a",
  "coproc n { a; }",
  "a=([x y]=1 2)",
];

const piece = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...signs) }, fc.constantFrom(...texts));
const script = fc
  .tuple(
    fc.array(piece, { minLength: 1, maxLength: 6 }),
    fc.constantFrom(" ", " ", "", ";", "\n"),
    fc.nat(99),
    fc.nat(3),
  )
  .map(([pieces, join, at, cut]) => {
    const text = pieces.join(join);
    return cut === 0 ? text : text.slice(0, at) + text.slice(at + cut);
  });

/** Runs a loop of bash over texts, which come in with NUL between them. */
function ask(loop: string, texts: readonly string[], cwd: string): string {
  const env = { PATH: process.env.PATH, LC_ALL: "C.UTF-8" };
  const input = Buffer.from(texts.map((text) => `${text}\0`).join(""));
  const ran = Bun.spawnSync(["bash", "--norc", "-c", loop], { stdin: input, cwd, env });
  return ran.stdout.toString();
}

test("bash takes every text that is taken here, and the other way round where it looks at all of it", () => {
  using dir = scratch();
  const tried = fc.sample(script, 220 * times);
  const look = `e=$(bash --norc -n -c -- "$s" 2>&1 </dev/null) && [[ -z $e ]]; echo $?`;
  const loop = `while IFS= read -r -d '' s; do ${look}; done`;
  const answers = ask(loop, tried, dir.path).trim().split("\n");
  expect(answers).toHaveLength(tried.length);
  for (const [index, source] of tried.entries()) {
    const here = parse(source);
    const there = answers[index] === "0";
    // Without running it bash looks neither into backquotes nor here-documents, nor far into double brackets.
    const blind = !here.ok && (here.kind === "unsure" || /`|\(\(|\[\[|<<|\\$|\$\{/.test(source));
    if (here.ok !== there && !(there && blind)) expect([source, here]).toEqual([source, { ok: there } as typeof here]);
  }
});

const bits =
  "a|b|1|-|=|:|/|,|..|{|}|{a,b}|{1..3}|{a..c}|{01..3}|{3..1..2}|{,x}|{a,{b,c}}|{-1..1}|\\ |\\'|\\\"|\\$|'a b'|'{,}'|\"a b\"|\"a\\\"b\"|\"a\\b\"|\"\\$x\"|\"{a,b}\"|''|\"\"|$'\\n'|$'\\x41'|$'\\''|$'\\101'|$'\\u41'|$'\\cA'|$'\\q'|$'\\e'|$'\\0z'|$'\\xc3\\xa9'|é|\r|#|!|%|^|@|+|a~|\\\n|[|]|\"\\\n\"|$|\\~|\\{|\\,|'\n'|\t|.|x{|\u00a0| "
    .split("|")
    .concat("'|'");
const words = fc.array(fc.constantFrom(...bits), { minLength: 1, maxLength: 7 }).map((all) => `argv ${all.join("")}`);

test("a program gets exactly the words that are known here", () => {
  using dir = scratch();
  const tried: { source: string; words: string[] }[] = [];
  for (const source of fc.sample(words, 3600 * times)) {
    const got = parse(source);
    const [only, ...more] = got.ok ? commandsIn(got.value) : [];
    if (!only || more.length > 0 || only.words.includes(undefined)) continue;
    tried.push({ source, words: only.words.slice(1).map(String) });
  }
  expect(tried.length).toBeGreaterThan(1500 * times);
  const loop = `while IFS= read -r -d '' s; do eval "$s"; printf 'that is all\\0'; done`;
  const given = ask(
    `argv() { printf '%s\\0' "$@"; }; ${loop}`,
    tried.map(({ source }) => source),
    dir.path,
  ).split("that is all\0");
  for (const [index, { source, words }] of tried.entries()) {
    const real = words.length === 0 ? ["", ""] : [...words, ""];
    if (given[index] !== real.join("\0")) expect([source, given[index]?.split("\0")]).toEqual([source, real]);
  }
});

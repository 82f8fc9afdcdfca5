// The calls of a reply run in order where one can depend on another: whatever a reply holds, git, files and the shell
// end as if its calls had been sent one by one.
import { expect, test } from "bun:test";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { model } from "../model.ts";
import { pith } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

interface Call {
  tool: string;
  args: Record<string, unknown>;
}

const bash = (command: string): Call => ({ tool: "bash", args: { command } });
const file = fc.constantFrom("a.txt", "b.txt", "sub/c.txt");
const word = fc.constantFrom("one", "two", "three", "four");

/** A call that later calls may depend on: it changes the directory, variables, the index or the bytes of a file. */
const call: fc.Arbitrary<Call> = fc.oneof(
  fc.constantFrom(
    bash("cd sub"),
    bash("cd .."),
    bash('cd "$ROOT"'),
    bash("git add -A"),
    bash("git commit -qm step --allow-empty"),
    bash("git rev-parse HEAD^{tree}; git status --short"),
    bash("sleep 0.05; git stash -q; git stash pop -q; echo stashed"),
  ),
  fc.tuple(word, word).map(([name, value]) => bash(`sleep 0.0${value.length}; export ${name.toUpperCase()}=${value}`)),
  word.map((name) => bash(`echo "$PWD: $${name.toUpperCase()}" | sed "s#$ROOT#.#" >> "$ROOT/log"`)),
  fc.tuple(file, word).map(([path, text]) => bash(`sleep 0.03; echo ${text} >> "$ROOT/${path}"; cat "$ROOT/${path}"`)),
  fc.tuple(file, word, word).map(([path, a, b]): Call => ({ tool: "write", args: { path, content: `${a}\n${b}\n` } })),
  fc
    .tuple(file, word, word)
    .map(
      ([path, oldText, newText]): Call => ({ tool: "edit", args: { path, edits: [{ oldText, newText, all: true }] } }),
    ),
  file.map((path): Call => ({ tool: "read", args: { path } })),
  word.map((pattern): Call => ({ tool: "search", args: { pattern, paths: ["."] } })),
);
const replies = fc.array(fc.array(call, { minLength: 2, maxLength: 6 }), { minLength: 2, maxLength: 4 });

const dates = { GIT_AUTHOR_DATE: "2024-01-01T00:00:00Z", GIT_COMMITTER_DATE: "2024-01-01T00:00:00Z" };
const git = "git -c init.defaultBranch=main init -q; git config user.name x; git config user.email x@y";
const state =
  'echo "$PWD ONE=$ONE TWO=$TWO THREE=$THREE FOUR=$FOUR" | sed "s#$ROOT#.#"; git log --format=%H; git status --short';

/** Plays replies and tells how everything ended, with what each call was answered. */
async function play(turns: readonly (readonly Call[])[]) {
  using dir = scratch();
  dir.write({ "work/a.txt": "one\ntwo\n", "work/sub/c.txt": "three\n", "work/.keep": "", "home/.gitconfig": "" });
  using told = model(
    { calls: [bash(`ROOT=$PWD; ${git}; git add -A; git commit -qm first`)] },
    ...turns.map((calls) => ({ calls: [...calls] })),
    { calls: [bash(state)] },
    { text: "done" },
  );
  const ended = await pith(dir, ["-p", "--yolo", ...told.argv, "go"], { env: { ...told.env, ...dates } });
  expect(ended).toMatchObject({ code: 0, out: "done\n" });
  const results = told.asked.slice(2).flatMap(({ results }) => results);
  const plain = (text: string) => text.replaceAll(dir.path, "").replace(/#[0-9A-F]{4,}\]/g, "#TAG]");
  return { results: results.map(plain), files: picture(dir).map(plain) };
}

function picture(dir: Scratch, way = "work"): string[] {
  return readdirSync(dir.at(way))
    .filter((name) => name !== ".git")
    .toSorted()
    .flatMap((name) => {
      const at = join(way, name);
      return lstatSync(dir.at(at)).isDirectory() ? picture(dir, at) : [`${at}: ${readFileSync(dir.at(at), "utf8")}`];
    });
}

test("a reply of many calls ends as if they had been sent one by one", async () => {
  const seed = Number(process.env.PITH_SEED) || Date.now() % 1_000_000;
  for (const turns of fc.sample(replies, { numRuns: 2, seed })) {
    const together = await play(turns);
    const single = await play(turns.flat().map((call) => [call]));
    expect({ seed, turns, ...together }).toEqual({ seed, turns, ...single });
  }
}, 120_000);

test("a command sees what the calls before it left, and an edit is there when its test runs", async () => {
  const { results } = await play([
    [
      bash("export ONE=1; cd sub; sleep 0.2"),
      bash('echo "$ONE in $(basename "$PWD")"'),
      { tool: "write", args: { path: "t.sh", content: "exit 3\n" } },
      { tool: "edit", args: { path: "t.sh", edits: [{ oldText: "exit 3", newText: "echo passed" }] } },
      bash('sh "$ROOT/t.sh"; git add -A && git commit -qm both && git show --stat --format= | cat'),
    ],
  ]);
  expect(results[1]).toBe("1 in sub");
  expect(results[4]).toContain("passed\n");
  expect(results[4]).toContain("t.sh | 1 +");
});

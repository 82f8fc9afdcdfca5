// Output of commands as the model sees it, in whole runs of pith.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pith, scripted } from "../pith.ts";
import { type Scratch, scratch } from "../scratch.ts";

const bash = (command: string, more: object = {}) => ({ calls: [{ tool: "bash", input: { command, ...more } }] });

interface Result {
  role: string;
  content: { text: string }[];
  isError: boolean;
  details: { command: string; exitCode?: number };
}

/** The results of the one session that a run wrote, in their order. */
function results(dir: Scratch): Result[] {
  const sessions = dir.at("home", ".pith", "sessions");
  const names = readdirSync(sessions, { recursive: true }).map(String);
  const text = readFileSync(join(sessions, names.find((name) => name.endsWith(".jsonl")) ?? ""), "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { message?: Result }).message)
    .filter((message) => message?.role === "toolResult") as Result[];
}

const textOf = (result: Result | undefined): string => result?.content.map(({ text }) => text).join("\n") ?? "";

/** A program that prints what pytest does, and fails as it does. */
const pytest = `#!/bin/sh
for n in $(seq 1 400); do echo "tests/test_a.py::test_ok[a b $n] PASSED          [ 10%]"; done
echo "tests/test_a.py::test_bad FAILED                 [ 99%]"
echo "E   AssertionError: assert 1 == 2"
echo "=== 1 failed, 400 passed in 0.52s ==="
exit 1
`;

test("of a long output the beginning and the end are shown, and the rest can be read as the notice says", async () => {
  using dir = scratch();
  const first = [bash("seq 1 40000; echo $AI_AGENT"), { text: "ok" }];
  await pith(dir, ["-p", "go", "--yolo", ...scripted(dir, ...first)]);
  const shown = textOf(results(dir)[0]);
  expect(shown).toStartWith("1\n2\n3\n");
  expect(shown.slice(-150)).toMatch(
    /\n40000\npith\n\n\[Showing .*\. Go on with artifact:.*\. Full: artifact:\/\/\d+\]$/,
  );
  expect(Buffer.byteLength(shown)).toBeLessThan(17_000);
  const [, path = "", start = ""] = /Go on with (artifact:\/\/\d+:(\d+)-\d+)/.exec(shown) ?? [];
  const read = { calls: [{ tool: "read", input: { path } }] };
  await pith(dir, ["-c", "-p", "on", "--yolo", ...scripted(dir, ...first, read, { text: "ok" })]);
  expect(textOf(results(dir)[1])).toContain(`${start}\n`);
});

test("a small window gets less of it, and 8 KB at least", async () => {
  using dir = scratch();
  const script = { model: { contextWindow: 20_000 }, turns: [bash("seq 1 40000"), { text: "ok" }] };
  dir.write({ "script.json": JSON.stringify(script) });
  await pith(dir, ["-p", "go", "--yolo", "--model", dir.at("script.json")]);
  expect(Buffer.byteLength(textOf(results(dir)[0]))).toBeWithin(8000, 8600);
});

test("repeated lines are counted, in a background job too", async () => {
  using dir = scratch();
  const turns = [
    bash("yes | head -n 25599"),
    bash("echo begin; yes no | head -n 30000; echo end", { async: true }),
    { calls: [{ tool: "job", input: { poll: ["bash-1"] } }] },
    { text: "ok" },
  ];
  await pith(dir, ["-p", "go", "--yolo", ...scripted(dir, ...turns)]);
  const [first, , third] = results(dir);
  expect(textOf(first)).toStartWith("y\n[… the line above, 25599 times …]\n");
  expect(textOf(third)).toContain("begin\nno\n[… the line above, 30000 times …]\nend");
});

test("who asks for the tail of a test run gets it, the exit code of the tests, and an artifact of all", async () => {
  using dir = scratch();
  dir.write({ "work/venv/bin/pytest": pytest });
  const turns = [bash("cd . && ./venv/bin/pytest -v 2>&1 | tail -n 2"), { text: "ok" }];
  await pith(dir, ["-p", "go", "--yolo", ...scripted(dir, ...turns)]);
  const [first] = results(dir);
  expect(first).toMatchObject({ isError: true, details: { command: "./venv/bin/pytest -v", exitCode: 1 } });
  const [text = "", id] = textOf(first).split(/\[Showing lines 402-403 of 403\. Full: artifact:\/\/(\d+)\]$/);
  expect(text).toBe(
    "E   AssertionError: assert 1 == 2\n=== 1 failed, 400 passed in 0.52s ===\n\nCommand exited with code 1\n\n",
  );
  const again = scripted(dir, ...turns, bash(`head -n 1 artifact://${id}`), { text: "ok" });
  await pith(dir, ["-c", "-p", "on", "--yolo", ...again]);
  expect(textOf(results(dir)[1])).toContain("test_ok[a b 1] PASSED");
});

test("a test runner is known however it is started, and no failure is dropped", async () => {
  using dir = scratch();
  dir.write({ "work/venv/bin/pytest": pytest });
  const starts = [
    "PYTHONPATH=src ./venv/bin/pytest -v",
    "timeout 60 ./venv/bin/pytest \\\n  -v",
    "cd venv && bin/pytest",
  ];
  await pith(dir, ["-p", "go", "--yolo", ...scripted(dir, ...starts.map((command) => bash(command)), { text: "ok" })]);
  const shown = results(dir).map(textOf);
  expect(shown).toHaveLength(starts.length);
  for (const text of shown)
    expect(text).toStartWith(
      "[… 400 lines without news …]\ntests/test_a.py::test_bad FAILED                 [ 99%]\nE   AssertionError: assert 1 == 2\n=== 1 failed, 400 passed in 0.52s ===\n[raw output: artifact://",
    );
});

test("head is left to end what writes to it", async () => {
  using dir = scratch();
  const turns = [bash("bash -c 'while echo on; do :; done' | head -n 2"), { text: "ok" }];
  await pith(dir, ["-p", "go", "--yolo", ...scripted(dir, ...turns)]);
  expect(textOf(results(dir)[0])).toBe("on\non");
});

test("a program gets its here-document, and its errors are seen, whatever tail stands behind it", async () => {
  using dir = scratch();
  const turns = [
    bash("cat > h.sh <<'EOF' && bash h.sh 2>&1\necho written\nEOF"),
    bash("bash -s <<'EOF' 2>&1 | tail -n 1\necho first\necho last\nEOF"),
    bash("bash -c 'echo FATAL >&2; seq 1 9' | tail -n 2"),
    bash("go() { cd /; echo gone; }"),
    bash("go 2>&1 | tail -1"),
    { text: "ok" },
  ];
  await pith(dir, ["-p", "go", "--yolo", ...scripted(dir, ...turns)]);
  const [written, last, fatal, , gone] = results(dir).map(textOf);
  expect(written).toBe("written");
  expect(last).toStartWith("last\n\n[Showing lines 2-2 of 2. ");
  expect(fatal).toBe("FATAL\n8\n9");
  expect(gone).toBe("gone");
});

test("what a failing test printed, and its diff, are shown whatever they look like", async () => {
  using dir = scratch();
  const diff = " FAIL  src/b.test.ts > greets\n- hello world\n+ hello there\n ✓ loaded config\n Tests  1 failed";
  const npm = `#!/bin/sh
[ "$1" = ci ] && echo "added 12 packages" && exit
for n in $(seq 1 40); do echo " ✓ src/a$n.test.ts (3 tests) 4ms"; done
cat <<'X'
${diff}
X
exit 1
`;
  dir.write({ "work/bin/npm": npm });
  await pith(dir, ["-p", "go", "--yolo", ...scripted(dir, bash("bin/npm ci && bin/npm test"), { text: "ok" })]);
  expect(textOf(results(dir)[0])).toStartWith(`added 12 packages\n[… 40 lines without news …]\n${diff}\n[raw output: `);
});

test("a progress bar costs a few lines, and all of it is in the artifact", async () => {
  using dir = scratch();
  const bar = "for i in {1..3000}; do printf '\\rdone %d/3000' $i; done; echo; echo end";
  const first = [
    bash(bar),
    bash(`npm() { ${bar}; for i in {1..30}; do echo "npm http $i"; done; }; npm ci`),
    { text: "ok" },
  ];
  await pith(dir, ["-p", "go", "--yolo", ...scripted(dir, ...first)]);
  const [plain, noisy] = results(dir).map(textOf);
  const shown = "\n[… 2998 more states of this line …]\ndone 2999/3000\ndone 3000/3000\nend";
  expect(plain).toMatch(/\n\[Repeated lines are counted, 3002 in all\. Full: artifact:\/\/\d+\]$/);
  expect(plain).toStartWith(shown);
  expect(noisy).toStartWith(shown);
});

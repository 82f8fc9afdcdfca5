import { expect, test } from "bun:test";
import { minimize } from "./minimize.ts";

const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i + 1)).join("\n");

const noisy: [string, (n: number) => string][] = [
  ["bun test", (n) => `(pass) handles failed logins ${n} [0.1ms]`],
  ["npx vitest run", (n) => ` ✓ src/a-${n}.test.ts (3 tests) 4ms`],
  ["cd x && npm test", (n) => `ok ${n} - works`],
  ["jest --verbose", (n) => `    ✓ adds ${n} (2 ms)`],
  ["npx mocha", (n) => `    ✔ adds ${n}`],
  ["jest", (n) => `PASS src/a-${n}.test.ts (5.1 s)`],
  ["pytest -v", (n) => `tests/test_a.py::test_error_${n} PASSED                 [ 10%]`],
  ["pytest -v", (n) => `tests/test_a.py::test_x[a b ${n}] SKIPPED (not here)    [ 10%]`],
  ["pytest -n 4 -v", (n) => `[gw1] [ 10%] PASSED tests/test_a.py::test_x[a b ${n}] `],
  ["pytest", () => "tests/unit/test_long.py ......s...x..... [ 38%]"],
  ["pytest -q", () => "..............................s............ [  9%]"],
  ["python -m unittest -v", (n) => `test_${n} (test_b.T.test_${n}) ... ok`],
  ["python -m unittest", () => "......................................s."],
  ["cargo test", (n) => `test tests::case_${n} ... ok`],
  ["cargo nextest run", (n) => `        PASS [   0.005s] demo tests::case_${n}`],
  ["cargo build", (n) => `   Compiling crate-${n} v1.0.0`],
  ["go test ./... -v", (n) => `--- PASS: TestError${n} (0.00s)`],
  ["go test ./...", (n) => `ok  \texample.com/m/pkg${n}\t0.012s`],
  ["deno test", (n) => `adds ${n} ... ok (2ms)`],
  ["ctest", (n) => ` ${n}/99 Test  #${n}: unit_${n} ...............   Passed    0.01 sec`],
  ["./gradlew test", (n) => `CalculatorTest > adds${n}() PASSED`],
  ["dotnet test", (n) => `  Passed Adds${n} [3 ms]`],
  ["pip install -r r.txt", (n) => `Requirement already satisfied: x${n} in /usr/lib`],
  ["sudo apt-get install -y x", (n) => `Get:${n} http://deb.example x`],
  ["make -j8", (n) => `make[1]: Entering directory '/x/${n}'`],
  ["cmake --build .", (n) => `[ ${n}%] Building CXX object a.o`],
  ["./gradlew build", (n) => `> Task :m${n}:compile UP-TO-DATE`],
  ["./mvnw package", (n) => `[INFO] Downloading from central: x${n}`],
  ["docker build .", (n) => `#${n} CACHED`],
  ["git clone u", (n) => `Receiving objects:  ${n}% (1/2)`],
];

test("lines without news of every noisy program are counted instead of shown; news stays in its place", () => {
  for (const [command, line] of noisy) {
    const got = minimize(command, `begin\n${lines(50, line)}\nmiddle: 1 ERROR\n${line(51)}\nend`);
    expect([command, got?.text]).toEqual([
      command,
      "begin\n[… 50 lines without news …]\nmiddle: 1 ERROR\n[… 1 line without news …]\nend",
    ]);
  }
});

test("a test runner is known however it is started", () => {
  const output = lines(50, (n) => `tests/test_a.py::test_${n} PASSED [ 10%]`);
  for (const command of [
    "PYTHONPATH=src A='b c' pytest -v",
    "/home/me/venv/bin/pytest -v",
    '"$VENV/bin/pytest" -v',
    ".venv/bin/python3.12 -m pytest -v",
    "$PYTHON -m pytest -v",
    "timeout 60 pytest -v",
    "timeout -s KILL 5m env A=1 nice -n 5 pytest",
    "uv run pytest",
    "uv run --with pytest-xdist --frozen pytest -n 4",
    "poetry run pytest",
    "poetry run python -m pytest",
    "pipenv run coverage run -m pytest",
    "time pytest -v",
    "cd x && pytest -v 2>&1",
    "source .venv/bin/activate; pytest -v | tee log",
    "(cd sub && pytest)",
    "if true; then pytest; fi",
    "bash -c 'cd x && pytest -v'",
    "npx --yes pytest",
    "docker compose exec web pytest -v",
    "docker run --rm -v /a:/b image python -m pytest",
    "make test",
    "make -C sub check",
    "npm test",
    "npm t",
    "npm run test:unit -- --all",
    "pnpm --filter app test",
    "yarn test",
    "bun run test",
    "./scripts/run-tests.sh",
    "bash ci/test.sh",
    "python manage.py test",
    "tox -e py312",
    "node --test",
    "node ./node_modules/.bin/jest",
    "pytest \\\n  -v \\\n  tests",
  ])
    expect([command, minimize(command, output)?.text]).toEqual([command, "[… 50 lines without news …]"]);
  for (const command of [
    "cat pytest.log",
    "echo pytest",
    "test -f x && cat log",
    "grep PASSED log",
    "timeout 5 cat pytest",
  ])
    expect([command, minimize(command, output)]).toEqual([command, undefined]);
});

/** Applies the rules to a sample run with a tilde before the lines that may go, each repeated 25 times. */
function check(command: string, marked: string): void {
  const rows = marked.slice(1).split("\n");
  const said = rows.flatMap((row) => (row.startsWith("~") ? Array<string>(25).fill(row.slice(1)) : [row]));
  const left = rows.join("\n").replace(/(?:^~.*\n)+/gm, (run) => {
    const count = 25 * (run.split("\n").length - 1);
    return `[… ${count} lines without news …]\n`;
  });
  expect([command, minimize(command, said.join("\n"))?.text]).toEqual([command, left]);
}

test("of a run that failed all is shown but what went well", () => {
  check(
    "pytest",
    `
============================= test session starts ==============================
collected 160 items

~test_a.py .............................................................. [ 38%]
~........................................................................ [ 83%]
..................s.xF                                                   [ 97%]
test_b.py F.s.                                                           [100%]

=================================== FAILURES ===================================
___________________________________ test_bad ___________________________________

>       assert left == [1, 3]
E       AssertionError: assert [1, 2] == [1, 3]

test_a.py:11: AssertionError
=========================== short test summary info ============================
FAILED test_a.py::test_bad - AssertionError: assert [1, 2] == [1, 3]
=================== 1 failed, 157 passed, 1 skipped in 0.52s ===================`,
  );
  check(
    "pytest -v",
    `
~test_a.py::test_ok[a b] PASSED                                           [  0%]
~test_a.py::test_error_handling PASSED                                    [ 96%]
test_a.py::test_x XFAIL                                                  [ 96%]
test_a.py::test_y XPASS                                                  [ 96%]
test_a.py::test_bad[PASSED ] FAILED                                      [ 97%]
test_a.py::test_worse ERROR                                              [ 98%]`,
  );
  check(
    "cargo test",
    `
running 4 tests
~test tests::handles_error ... ok
~test tests::slow ... ignored
test tests::bad ... FAILED

failures:

---- tests::bad stdout ----

thread 'tests::bad' (23546) panicked at src/lib.rs:1:124:
assertion \`left == right\` failed

test result: FAILED. 2 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.16s`,
  );
  check(
    "go test -v ./...",
    `
~=== RUN   TestA
~--- PASS: TestA (0.00s)
    b_test.go:9: got 1, want 2
--- FAIL: TestB (0.00s)
FAIL
FAIL\texample.com/m\t0.004s
~ok  \texample.com/m/other\t0.002s
ok  \texample.com/m/covered\t0.002s\tcoverage: 81.0% of statements
FAIL`,
  );
  check(
    "npx vitest run",
    `
 RUN  v3.1.0 /work

~ ✓ src/a.test.ts (12 tests) 8ms
 ❯ src/b.test.ts (3 tests | 1 failed) 12ms
~   ✓ b > adds 1ms
   × b > subtracts 9ms
     → expected 1 to be 2

 FAIL  src/b.test.ts > b > subtracts
AssertionError: expected 1 to be 2`,
  );
  check(
    "npx mocha",
    `
  Array
~    ✔ adds
    1) takes away

  1 failing

  1) Array
       takes away:
     AssertionError [ERR_ASSERTION]: 1 == 2`,
  );
});

test("a failure keeps the heading it stands under, and what TAP says of it", () => {
  const passed = (file: string) => `${file}:\n${lines(20, (n) => `(pass) works ${n}`)}\n`;
  const failed = "error: expected 2\n(fail) bad\n(pass) good\n\n 41 pass";
  const bun = `bun test v1\n\n${passed("a.test.ts")}\n${passed("b.test.ts")}${failed}`;
  expect(minimize("bun test", bun)?.text).toBe(
    "bun test v1\n\n[… 43 lines without news …]\nb.test.ts:\nerror: expected 2\n(fail) bad\n[… 1 line without news …]\n\n 41 pass",
  );
  const fine = (n: number) => `# Subtest: works ${n}\nok ${n} - works ${n}\n  ---\n  duration_ms: 0.3\n  ...`;
  const bad = "# Subtest: bad\nnot ok 21 - bad\n  ---\n  duration_ms: 64.1\n  error: '1 == 2'\n  ...\n1..21\n# fail 1";
  expect(minimize("node --test", `TAP version 13\n${lines(20, fine)}\n${bad}`)?.text).toBe(
    `TAP version 13\n[… 100 lines without news …]\n${bad}`,
  );
});

test("what a failing test has printed stays, also where it looks like good news", () => {
  const printed = "✓ uploaded\nok 1 - first chunk\n--- PASS: chunk (0.01s)\n....\n(skip) x\nstep ... ok";
  check(
    "pytest",
    `
~tests/test_a.py ....                    [ 10%]
=================================== FAILURES ===================================
E       ....
----------------------------- Captured stdout call -----------------------------
${printed}
=========================== short test summary info ============================
FAILED tests/test_up.py::test_upload - assert 2 == 3
~PASSED tests/test_a.py::test_a
end`,
  );
  check(
    "python -m unittest -v",
    `
~test_a (test_b.T.test_a) ... ok
test_bad (test_b.T.test_bad) ... ok
${printed}
FAIL
~test_c (test_b.T.test_c) ... ok

======================================================================
FAIL: test_bad (test_b.T.test_bad)
----------------------------------------------------------------------
AssertionError: 1 != 2

Stdout:
${printed}

----------------------------------------------------------------------
Ran 26 tests in 0.001s`,
  );
  check(
    "go test -v ./...",
    `
~=== RUN   TestA
~--- PASS: TestA (0.00s)
=== RUN   TestB
${printed}
--- FAIL: TestB (0.00s)
    b_test.go:9: got 1
    ✓ uploaded
~=== RUN   TestC
FAIL`,
  );
  check("cargo test", `\n~test a ... ok\nfailures:\n\n---- bad stdout ----\n${printed}\ntest result: FAILED.`);
  check("bun test", `\n~(pass) a\n✓ uploaded\nok 1 - first chunk\nerror: no\n(fail) bad\n~(pass) b\n1 fail`);
  check("npx mocha", `\n~    ✔ adds\n✓ uploaded\n    1) takes away\n~    ✔ more\n  1 failing\n${printed}`);
  check("npx jest", `\n~PASS a.test.ts\nFAIL b.test.ts\n  ● adds\n${printed}\n~PASS c.test.ts\nTests: 1 failed`);
  check(
    "docker build .",
    `\n~#8 1.1 fetched\n#9 [2/3] RUN x\n#9 1.2 - a\n#9 ERROR: exit code: 1\n~#8 2.1 fetched\nend`,
  );
});

test("what one program of a command says is not noise by the rules of another", () => {
  const diff = "- hello world\n+ hello there\n- a@1.2.3\n";
  check(
    "npm ci && npm test",
    `\n~+ lodash@4.17.21\n~+ @a/b 1.0.0\nadded 2\n~ ✓ src/a.test.ts (3 tests) 4ms\n${diff}end`,
  );
  check("npm test", `\n~ ✓ src/a.test.ts (3 tests) 4ms\n FAIL  src/b.test.ts > b\n${diff} ✓ loaded\n Tests  1 failed`);
});

test("a line with bad news is kept where its form alone does not say that it is good", () => {
  const text = `${lines(40, (n) => ` ✓ works ${n}`)}\n ✓ built with 2 warnings`;
  expect(minimize("npm test", text)?.text).toEndWith("built with 2 warnings");
});

test("what would save little, and what other programs say, stays as it is", () => {
  const passed = (count: number) => lines(count, (n) => `(pass) ${n}`);
  expect(minimize("bun test", passed(10))).toBeUndefined();
  expect(minimize("bun test", `${passed(20)}\n${"important\n".repeat(500)}`)).toBeUndefined();
  expect(minimize("cat test.log", passed(50))).toBeUndefined();
  expect(
    minimize(
      "echo cargo build",
      lines(50, (n) => `   Compiling a v${n}`),
    ),
  ).toBeUndefined();
});

test("a failure that is printed again at the end is shown once", () => {
  const failed = (ms: string) =>
    `✖ adds (${ms}ms)\n  AssertionError: 1 == 2\n      at a.test.js:3:1\n      at b\n      at c\n      at d\n  }`;
  const passed = Array.from({ length: 30 }, (_, n) => `✔ works ${n} (0.1ms)`).join("\n");
  const output = `${passed}\n${failed("1.5")}\nℹ fail 1\n\n✖ failing tests:\n\n${failed("1.5")}`;
  expect(minimize("node --test", output)?.text).toBe(
    `[… 30 lines without news …]\n${failed("1.5")}\nℹ fail 1\n\n✖ failing tests:\n\n✖ adds (1.5ms)\n[… 6 lines as above …]`,
  );
});

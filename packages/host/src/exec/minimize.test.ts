import { expect, test } from "bun:test";
import { minimize } from "./minimize.ts";

const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i + 1)).join("\n");

const noisy: [string, (n: number) => string][] = [
  ["bun test", (n) => `(pass) works ${n} [0.1ms]`],
  ["npx vitest run", (n) => ` ✓ src/a-${n}.test.ts (3 tests)`],
  ["cd x && npm test", (n) => `ok ${n} - works`],
  ["pytest -v", (n) => `tests/test_a.py::test_${n} PASSED   [ 10%]`],
  ["cargo test", (n) => `test tests::case_${n} ... ok`],
  ["cargo build", (n) => `   Compiling crate-${n} v1.0.0`],
  ["go test ./... -v", (n) => `--- PASS: TestA${n} (0.00s)`],
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

test("a line with bad news is kept whatever it looks like", () => {
  const text = `${lines(40, (n) => `(pass) works ${n}`)}\n(pass) handles failed logins`;
  expect(minimize("bun test", text)?.text).toEndWith("handles failed logins");
});

test("what would save little, and what other programs say, stays as it is", () => {
  expect(
    minimize(
      "bun test",
      lines(10, (n) => `(pass) ${n}`),
    ),
  ).toBeUndefined();
  expect(minimize("bun test", `${lines(20, (n) => `(pass) ${n}`)}\n${"important\n".repeat(500)}`)).toBeUndefined();
  expect(
    minimize(
      "cat test.log",
      lines(50, (n) => `(pass) ${n}`),
    ),
  ).toBeUndefined();
  expect(
    minimize(
      "echo cargo build",
      lines(50, (n) => `   Compiling a v${n}`),
    ),
  ).toBeUndefined();
});

// Answers that a model reads and believes: each must be true, and lead on.
import { expect, test } from "bun:test";
import { answers } from "../answers.ts";
import { scratch } from "../scratch.ts";

const bash = (command: string, more: object = {}): [string, object] => ["bash", { command, ...more }];

test("options of one command end with it, directory and variables stay", async () => {
  using dir = scratch();
  dir.write({ "work/src/a.ts": "const a = 1;\n" });
  const [, said = "", strict = "", traced = "", venv = ""] = await answers(dir, [
    bash("set -euo pipefail\nshopt -s nullglob\ncd src; NAME=kept\nls | wc -l"),
    bash('grep -rn FIXME .; echo "grep said $?"; echo "$NOT_SET in $(basename "$PWD") $NAME"; echo *.none'),
    bash("set -x; trap 'echo left' EXIT; seq 1 100000 | head -1; echo after"),
    bash("echo plain; set -o | grep -c 'errexit.*on'; false; echo end"),
    bash("cd ..; printf 'deactivate() { :; }\\nexport VIRTUAL_ENV=/v\\n' > activate; source ./activate; false"),
  ]);
  expect(said).toBe("grep said 1\n in src kept\n*.none");
  expect(strict).toContain("after");
  expect(traced).toBe("plain\n0\nend");
  expect(venv).toContain("exited with code 1");
  const [, active = ""] = await answers(dir, [
    bash("source ./activate; set -e"),
    bash("echo $VIRTUAL_ENV; type -t deactivate; false; echo on"),
  ]);
  expect(active).toBe("/v\nfunction\non");
});

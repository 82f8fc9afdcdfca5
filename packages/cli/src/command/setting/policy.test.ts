import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import { runIn } from "../../test/command.ts";

async function policy(...argv: string[]) {
  using dir = scratch();
  dir.write({ "work/a": "", "home/a": "" });
  return await runIn(dir.path, ["policy", ...argv]);
}

test("a verdict tells each part of a command and what it does", async () => {
  const { code, out } = await policy("test", "--json", "ls src && sudo rm -rf $x");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual({
    verdict: "ask",
    confined: "ask",
    severity: "high",
    parts: [
      { text: "ls src", program: "ls", args: ["src"], effects: ["read inside"], severity: "none", verdict: "allow" },
      {
        text: "sudo rm -rf $x",
        program: "sudo",
        args: ["rm", "-rf", null],
        effects: [],
        severity: "high",
        verdict: "ask",
      },
      {
        text: "rm -rf …",
        program: "rm",
        args: ["-rf", null],
        effects: ["write outside", "opaque"],
        severity: "high",
        verdict: "ask",
      },
    ],
    rule: null,
    reason: "sudo runs it with other rights",
  });
});

test("the mode is auto unless another one is named", async () => {
  const verdict = async (...argv: string[]) => JSON.parse((await policy("test", "--json", ...argv)).out).verdict;
  expect(await verdict("npm test")).toBe("allow");
  expect(await verdict("--approval", "write", "npm test")).toBe("ask");
  expect(await verdict("--approval=plan", "npm test")).toBe("deny");
  expect(await verdict("--", "--strange")).toBe("allow");
});

test("without --json a person reads the verdict, its reason and the parts", async () => {
  const { out } = await policy("test", "python3 -c 1 | head");
  expect(out).toBe(
    [
      "ask (allow in a sandbox): python3 is handed code",
      "verdict  severity  does    command",
      "ask      none      opaque  python3 -c 1",
      "allow    none      -       head",
      "",
    ].join("\n"),
  );
});

test("a call that says nothing to judge is told how it is meant", async () => {
  for (const argv of [[], ["test"], ["tset", "ls"], ["test", "ls", "-l"], ["test", "--approval", "all", "ls"]])
    expect((await policy(...argv)).code).toBe(2);
});

test("--mine judges by the user's own rules, in this project and in the mode of the settings", async () => {
  using dir = scratch();
  dir.write({
    "work/a": "",
    "work/secrets/key": "",
    "home/config.yml":
      "approval.mode: write\npolicy:\n  rules:\n    - { command: 'touch *', verdict: deny }\n    - { path: 'secrets/**', verdict: deny }\n    - { command: 'npm test', verdict: allow }\n",
  });
  const verdict = async (...argv: string[]) => {
    const { code, out, err } = await runIn(dir.path, ["policy", "test", "--json", ...argv]);
    return code === 0 ? { verdict: JSON.parse(out).verdict, rule: JSON.parse(out).rule } : err;
  };
  expect(await verdict("touch x")).toEqual({ verdict: "allow", rule: null });
  expect(await verdict("--mine", "touch x")).toEqual({ verdict: "deny", rule: expect.stringContaining("touch *") });
  expect(await verdict("--mine", "cat secrets/key")).toMatchObject({ verdict: "deny" });
  expect(await verdict("--mine", "npm test")).toMatchObject({ verdict: "allow" });
  // The mode is that of the settings, unless another one is named.
  expect(await verdict("--mine", "npm run x")).toMatchObject({ verdict: "ask" });
  expect(await verdict("--mine", "--approval", "auto", "npm run x")).toMatchObject({ verdict: "allow" });
  expect(await verdict("--mine", "--cwd", "gone", "ls")).toContain("gone");
});

// The wall through whole runs of pith.
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { need } from "../need.ts";
import { pith, scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";

const lacking = need("bwrap") !== undefined;
const bash = (command: string, more: object = {}) => ({ calls: [{ tool: "bash", input: { command, ...more } }] });
const results = (out: string) =>
  out
    .split("\n")
    .filter((line) => line.includes('"tool_execution_end"'))
    .map((line) => JSON.stringify(JSON.parse(line)));

test.skipIf(lacking)("where the wall stands and no mode was chosen, commands run unasked and confined", async () => {
  using dir = scratch();
  const attempt = "echo made > made; cat ~/.ssh/id_rsa; echo x > ~/.bashrc; echo t > /tmp/t\n";
  dir.write({ "home/.ssh/id_rsa": "CANARY", "work/try.sh": attempt });
  const model = scripted(
    dir,
    // A script that cannot be judged before it runs is allowed, because it is confined.
    bash("sh ./try.sh"),
    { calls: [{ tool: "read", input: { path: "/tmp/t" } }] },
    { calls: [{ tool: "write", input: { path: "/tmp/w", content: "written\n" } }] },
    bash("cat /tmp/w; id -u", { needs: "outside", reason: "to see" }),
    bash("cat /tmp/w"),
    { text: "done" },
  );
  const { code, out } = await pith(dir, ["-p", "go", "--mode", "json", ...model]);
  expect(code).toBe(0);
  const [first, read, , outside, last] = results(out);
  expect(readFileSync(dir.at("work/made"), "utf8")).toBe("made\n");
  expect(out).not.toContain("CANARY");
  expect(existsSync(dir.at("home/.bashrc"))).toBe(false);
  expect(first).toContain('"confined":true');
  // The record shows where it really is, and nothing of it is left.
  const real = /\/[^"\s]*pith-shell-[^"\s]*\/tmp\/t/.exec(read ?? "")?.[0] ?? "";
  expect(real).not.toBe("");
  expect(existsSync(real)).toBe(false);
  expect(outside).toContain("nobody to ask");
  expect(last).toContain("written");
});

test.skipIf(lacking)(
  "--sandbox read-only keeps the project as it is, and the result names what was blocked",
  async () => {
    using dir = scratch();
    dir.write({ "work/try.sh": "echo x > made; echo y > /etc/pith-no\n" });
    const model = scripted(dir, bash("sh ./try.sh"), { text: "done" });
    const argv = ["-p", "go", "--mode", "json", "--approval", "auto", "--sandbox", "read-only", ...model];
    const { out } = await pith(dir, argv);
    expect(existsSync(dir.at("work/made"))).toBe(false);
    expect(results(out)[0]).toContain("/etc/pith-no lies outside of what may be written");
  },
);

test.skipIf(lacking)("pith sandbox runs a command for people and ends with its exit code", async () => {
  using dir = scratch();
  dir.write({ "work/a.txt": "a\n" });
  const got = await pith(dir, ["sandbox", "--", "sh", "-c", "cat a.txt; echo x > made; echo x > /etc/x; exit 7"]);
  expect([got.code, got.out]).toEqual([7, "a\n"]);
  expect(got.err).toContain("Read-only file system");
  expect(existsSync(dir.at("work/made"))).toBe(true);
  expect((await pith(dir, ["sandbox"])).code).toBe(2);
});

test.skipIf(lacking)(
  "pith sandbox builds its walls whatever the options and functions of one's shell are",
  async () => {
    using dir = scratch();
    const env = {
      SHELLOPTS: "errexit:nounset",
      "BASH_FUNC_mapfile%%": "() { echo replaced; }",
      BASH_ENV: dir.at("env"),
    };
    dir.write({ env: "echo read\n" });
    const got = await pith(dir, ["sandbox", "--", "env"], { env });
    expect([got.code, got.err]).toEqual([0, ""]);
    expect(got.out).not.toContain("read\n");
    expect(got.out).toContain("BASH_FUNC_mapfile%%=() { echo replaced");
  },
);

test.skipIf(lacking)("a rule of the user lets a command outside without a question, for all of it or not", async () => {
  using dir = scratch();
  dir.write({
    "home/.pith/config.yml":
      "policy:\n  rules:\n    - { command: 'touch *', outside: true, verdict: allow }\n    - { command: 'mkdir *', verdict: allow }\n",
  });
  const why = { needs: "outside", reason: "the folder lies elsewhere" };
  const model = scripted(
    dir,
    bash(`touch ${dir.at("made")}`, why),
    bash(`touch ${dir.at("half")}; mkdir ${dir.at("dir")}`, why),
    bash(`mkdir ${dir.at("dir")}`, why),
    { text: "done" },
  );
  const { out } = await pith(dir, ["-p", "go", "--mode", "json", ...model]);
  expect(["made", "half", "dir"].map((name) => existsSync(dir.at(name)))).toEqual([true, false, false]);
  expect(results(out)[1]).toContain("nobody to ask");
});

test.skipIf(lacking)(
  "a command that looks like reading runs unasked where it can do no more, and says how to ask",
  async () => {
    for (const [mode, way] of [
      ["write", 'send it again with `needs: \\"write\\"` and a `reason`]'],
      ["plan", "There is nobody to ask for more]"],
    ] as const) {
      using dir = scratch();
      dir.write({ "work/a.txt": "one\n", "work/src/b.txt": "two\n", "home/.ssh/id_rsa": "CANARY" });
      const model = scripted(
        dir,
        bash("cd src; x=$(cat ../a.txt); cat b.txt; echo $x"),
        bash("pwd; echo $x"),
        // Each of these hides what it does, and the kernel keeps it from it.
        bash(`awk 'BEGIN { print "x" > "${dir.at("work/pwn")}" }'`),
        bash("f=cat; printf -v f''oo rm; env $f -rf ../a.txt; find . -name b.txt -exec cat {} +; cat ~/.s''sh/id_r*"),
        { text: "done" },
      );
      const { out } = await pith(dir, ["-p", "go", "--approval", mode, "--mode", "json", ...model]);
      const [first, second, third] = results(out);
      expect([mode, first]).toEqual([mode, expect.stringContaining("two\\none")]);
      expect([mode, second]).toEqual([mode, expect.stringMatching(/work\/src\\none/)]);
      expect([mode, third]).toEqual([mode, expect.stringContaining(way)]);
      expect([existsSync(dir.at("work/pwn")), readFileSync(dir.at("work/a.txt"), "utf8")]).toEqual([false, "one\n"]);
      expect(out).not.toContain("CANARY");
    }
  },
  30_000,
);

test.skipIf(lacking)("in plan mode scripts run, and the result begins with what was thrown away", async () => {
  using dir = scratch();
  dir.write({ "work/build.sh": "mkdir -p dist; for i in 1 2 3; do echo $i > dist/$i; done; echo built; rm a.txt\n" });
  dir.write({ "work/a.txt": "one\n" });
  const model = scripted(dir, bash("sh ./build.sh"), bash("ls"), bash("touch x", { needs: "write" }), { text: "done" });
  const { out } = await pith(dir, ["-p", "go", "--approval", "plan", "--mode", "json", ...model]);
  const [first, second, third] = results(out);
  expect(first).toMatch(/"(?:discarded: a\.txt, 3 files in dist\/|discarded: 3 files in dist\/, a\.txt)\\n\\nbuilt/);
  expect(second).not.toContain("dist");
  expect(third).toMatch(/denied|refused|plan mode/i);
  expect(readdirSync(dir.at("work")).sort()).toEqual([".keep", "a.txt", "build.sh"]);
});

test.skipIf(lacking)("pith sandbox hands no key on, by its name or by its form, whatever asks for it", async () => {
  using dir = scratch();
  const key = `ghp_${"aB3dE5gH7jK9mN1pQ3sT".repeat(2).slice(0, 36)}`;
  const env = { GITHUB_TOKEN: "CANARY-by-name", HARMLESS: key, KEPT: "kept", "BASH_FUNC_x_token%%": "() { echo y; }" };
  const all = "env; cat /proc/*/environ /proc/*/cmdline | tr '\\0' '\\n'";
  const got = await pith(dir, ["sandbox", "--", "sh", "-c", all], { env });
  expect(got.out).toContain("KEPT=kept");
  expect(got.out).not.toContain("CANARY");
  expect(got.out).not.toContain(key);
});

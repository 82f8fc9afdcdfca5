import { expect, test } from "bun:test";
import type { Item } from "../../capability/item.ts";
import { builtin } from "../../capability/source/builtin.ts";
import { tryRule } from "./try.ts";

const rules = new Map(
  builtin.brings?.rule?.().map(({ name, data, wrong, warning }) => [name, { data, wrong, warning }]) ?? [],
);

/** A text that each built-in rule matches, and one that it does not match. */
const samples: Record<string, { path: string; finds: string[]; silent: string[] }> = {
  "left-out-code": {
    path: "a.ts",
    finds: [
      "const a = 1;\n// ... rest of the code\n",
      "  # ... existing implementation ...\n",
      "/* … remaining methods */\n",
      "// existing code goes here\n",
      "<!-- rest of the file unchanged -->\n",
      "// ... existing code ...\n",
      "// ... rest of your component remains the same\n",
      "    # (rest of the function stays as is)\n",
      "{/* ... */}\n// … existing unit tests …\nx\n",
      "# ... existing code ...\r\n",
      "  // ... other methods ...\n",
      "  {/* ... existing JSX ... */}\n",
      "// [rest of code unchanged]\n",
      "/* ... same as before ... */\n",
      "// … rest unchanged\n",
      "// ... omitted for brevity\n",
    ],
    silent: [
      "// The rest of the arguments are passed on.\nf(...rest);\n",
      "// Existing files are never replaced.\n",
      "const all = [...existing, one];\n",
      "# remaining time in seconds\nremaining = 5\n",
      "// waits for the previous call, then goes on ...\n",
      "-- the previous version of this table had no key\n",
      "// The existing code remains the default; see README\n",
      "// ...existing options win over defaults\nconst o = { ...defaults, ...existing };\n",
      "# existing file stays as is when the key is missing\nkey: 1\n",
      "-- previous code stays valid until 2027\n",
      "# remaining imports as before the refactor? no: sorted\n",
      "/* existing class stays for old browsers */\n",
      "// Previous code: 42 stays reserved\n",
      "// ... and the rest of it\nf(...rest);\n",
      "// Other methods are tried one after another.\n",
      "# ...same for all others\n",
    ],
  },
  "focused-test": {
    path: "a.test.ts",
    finds: [
      "it.only('works', () => {});\n",
      "  describe.only (\n",
      "fdescribe('x', () => {});\n",
      "test.describe.only('x', () => {});\n",
    ],
    silent: [
      "it('is the only one', () => {});\n",
      "const only = list.only;\n",
      "test.skip('x');\n",
      "fit(model, data);\n",
      "const code = `it.only('x', () => {})`;\n",
    ],
  },
  "conflict-marker": {
    path: "a.ts",
    finds: ["<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n"],
    silent: ["// =======\n", "const a = b <<<<<<< c;\n", "x >>> 2;\n", "cat <<<<<<<EOF\n"],
  },
  "skipped-hook": {
    path: "x",
    finds: [
      'git commit -m "x" --no-verify',
      "git -C a push --no-verify origin main",
      "cd a && GIT_EDITOR=true git commit --amend --no-verify",
      "npm test && git add . && git commit -m 'it is \"done\"' --no-verify",
      "git commit -m \"$(cat <<'EOF'\nIt is done\n\nIt wasn't.\nEOF\n)\" --no-verify",
      "git commit \\\n  --no-verify -m x",
      "git commit -anm x",
    ],
    silent: [
      ...["git commit -m x", "npm publish --no-verify", "git log --grep=no-verify", "echo --no-verify; git commit"],
      "git commit -m 'docs: warn against --no-verify'",
      "echo 'git commit --no-verify is forbidden' >> CONTRIBUTING.md",
      "grep -rn 'git commit --no-verify' .",
      "git commit -m 'take -n for a name'",
      "git commit -m x && git push -n",
      "git log -n 5 && git commit -mn",
    ],
  },
  "swallowed-error": {
    path: "a.ts",
    finds: [
      "try { a(); } catch (e) {}\n",
      "try {\n  a();\n} catch {\n}\n",
      "try{a()}catch(_){}b()",
      "} catch {} finally {}",
    ],
    silent: [
      "try { a(); } catch (e) { throw e; }\n",
      "try {\n  a();\n} catch {\n  // It is gone: that is what was wanted.\n}\n",
      "try { a(); } finally { b(); }\n",
      "p.catch(() => {});\n",
      "try { a(); } catch {} // It may be gone.\n",
      "try {\n  a();\n} catch (ignored) {\n}\n",
    ],
  },
};

test("every rule that is built in has samples, and nothing is wrong with it", () => {
  expect([...rules.keys()].sort()).toEqual(Object.keys(samples).sort());
  for (const { wrong, warning, data } of rules.values()) {
    expect([wrong, warning]).toEqual([undefined, undefined]);
    // Built-in rules are only read when a call arrives.
    expect(data.watch?.scopes.map(({ of }) => of)).not.toContain("text");
    expect(data.watch?.scopes.map(({ of }) => of)).not.toContain("thinking");
    for (const condition of data.watch?.conditions ?? []) expect(condition.literals.length).toBeGreaterThan(0);
  }
});

test.each(Object.entries(samples))("%s finds what it is for, and is silent elsewhere", async (name, sample) => {
  const item = { data: rules.get(name)?.data } as Item<"rule">;
  for (const text of sample.finds)
    expect([text, (await tryRule(item, text, sample.path)).found.length > 0]).toEqual([text, true]);
  for (const text of sample.silent) expect([text, (await tryRule(item, text, sample.path)).found]).toEqual([text, []]);
});

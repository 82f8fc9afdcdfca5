// Attacks on the wall, as root and as another user, and once without the wall: there they succeed.
import { afterAll, expect, test } from "bun:test";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { need } from "../need.ts";

const lacking = ["bwrap", "setpriv", "python3", "git", "unshare"].some((name) => need(name) !== undefined);
const root = process.getuid?.() === 0;
// Not below /tmp, which is another folder behind the wall: what is to be kept from commands has to be in their sight.
const place = mkdtempSync(join(root ? "/srv" : (process.env.HOME ?? "/"), "pith-walls-"));
const nobody = 65534;
// Root without its capabilities has no way through what is only somebody else's.
chmodSync(place, 0o755);
if (root) chownSync(place, nobody, nobody);
afterAll(() => rmSync(place, { recursive: true, force: true }));

interface Attacked {
  stands: string;
  files: Record<string, string>;
  claimed: unknown;
  hooks: unknown;
  project: string[];
  out: string[];
  home: string[];
  sleeper: string;
  appears: { trespasses: string[] };
  keys: { text: string };
  "git init": { text: string };
}

async function attack(who: "us" | "nobody", side: "inside" | "outside"): Promise<Attacked & { text: string }> {
  const as = who === "us" ? [] : ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"];
  const script = join(import.meta.dir, "wall-child.ts");
  const child = Bun.spawn([...as, process.execPath, script, "workspace", side, "", place], {
    cwd: "/",
    env: { PATH: process.env.PATH, HOME: place },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const text = await new Response(child.stdout).text();
  return { ...(JSON.parse(text) as Attacked), text };
}

const before = {
  "p/.git/HEAD": "ref: refs/heads/main\n",
  "p/.git/config": "[core]\n\tbare = false\n",
  "p/.github/workflows/ci.yml": "on: push\n",
  "h/.ssh/id_ed25519": "CANARY-ssh\n",
  "h/.pith/auth.json": "CANARY-pith\n",
  "h/.bashrc": "# mine\n",
  "out/file": "outside\n",
};

for (const who of root ? (["us", "nobody"] as const) : (["us"] as const))
  test.skipIf(lacking)(
    `as ${who === "us" ? (root ? "root" : "a user") : "another user"}, a command gets neither keys nor out of its walls`,
    async () => {
      const got = await attack(who, "inside");
      expect(got.stands).toBe("yes");
      expect(got.files).toEqual(before);
      expect([got.claimed, got.hooks, got.sleeper]).toEqual([["[core]\n", []], [], "alive"]);
      // Mount points of bubblewrap would be among these.
      expect(got.project).toEqual([".git", ".github", "forged", "link", "n", "s"]);
      expect([got.out, got.home]).toEqual([
        ["apart", "file", "near", "sock"],
        [".bashrc", ".pith", ".ssh"],
      ]);
      const { files: _, text, ...rest } = got;
      expect(JSON.stringify(Object.values(rest))).not.toContain("CANARY");
      // What is in a folder that was made may be named by itself, when the folder was seen without it.
      const taken = new Set(got.appears.trespasses.map((line) => line.replace(/^(taken back p\/[^/]+)\/.*/, "$1")));
      expect([...taken].sort()).toEqual(
        [".circleci", ".envrc", ".husky", ".pith"].map((name) => `taken back p/${name}`),
      );
      expect(got["git init"].text).toStartWith("ref: refs/heads/");
      expect(text).toContain("Read-only file system");
    },
    60_000,
  );

test.skipIf(!root || lacking)(
  "without the wall the same commands reach all of that",
  async () => {
    const got = await attack("nobody", "outside");
    expect(got.files).not.toEqual(before);
    for (const canary of [
      "ssh",
      "pith",
      "environ",
      "signal",
      "traced",
      "socket",
      "relative",
      "apart",
      "loopback",
      "keyring",
    ])
      expect(got.text.replace(/"files".*/, "")).toContain(`CANARY-${canary}`);
    expect([got.claimed, got.sleeper]).toEqual([["x\n", ["post-commit"]], "dead"]);
    for (const name of [".circleci", ".envrc", ".husky", ".pith"]) expect(got.project).toContain(name);
  },
  60_000,
);

import { describe, expect, test } from "bun:test";
import { shellPatch } from "./shell.ts";

const patch = "*** Begin Patch\n*** Delete File: a\n*** End Patch";

describe("a command that only applies a patch is one", () => {
  const cases: [string, string][] = [
    [`apply_patch <<'EOF'\n${patch}\nEOF`, "/w"],
    [`apply_patch <<"EOF"\n${patch}\nEOF\n`, "/w"],
    [`apply_patch <<PATCH\n${patch}\nPATCH`, "/w"],
    [`cd sub && apply_patch <<'EOF'\n${patch}\nEOF`, "/w/sub"],
    [`cd 'a b' && apply_patch <<'EOF'\n${patch}\nEOF`, "/w/a b"],
    [`apply_patch <<-'EOF'\n\t${patch.replaceAll("\n", "\n\t\t")}\n\tEOF`, "/w"],
    [`apply_patch '${patch}'`, "/w"],
    [`cd sub && applypatch '${patch}'\n`, "/w/sub"],
    [`cd /abs && apply_patch <<'EOF'\n${patch}\nEOF`, "/abs"],
  ];
  test.each(cases)("%p", (command, cwd) => expect(shellPatch(command, "/w")).toEqual({ patch, cwd }));
});

describe("anything else is for the shell", () => {
  test.each([
    `cd sub && apply_patch <<'EOF'\n${patch}\nEOF\nls`,
    `apply_patch <<'EOF' && ls\n${patch}\nEOF`,
    `ls; apply_patch <<'EOF'\n${patch}\nEOF`,
    `cd a && cd b && apply_patch <<'EOF'\n${patch}\nEOF`,
    `cd $HOME && apply_patch <<'EOF'\n${patch}\nEOF`,
    `cd "$(rm -rf x)" && apply_patch <<'EOF'\n${patch}\nEOF`,
    `apply_patch <<'EOF'\n${patch}`,
    `apply_patch <<EOF\n*** Begin Patch\n*** Add File: a\n+$(id)\n*** End Patch\nEOF`,
    `cd - && apply_patch <<'EOF'\n${patch}\nEOF`,
    `cd '-' && apply_patch <<'EOF'\n${patch}\nEOF`,
    `cd {a,b} && apply_patch <<'EOF'\n${patch}\nEOF`,
    `cd [ab] && apply_patch <<'EOF'\n${patch}\nEOF`,
    `apply_patch '${patch}' && ls`,
    `apply_patch '${patch}' 'b'`,
    `apply_patch 'it'"'"'s'`,
    `apply_patch foo <<'EOF'\n${patch}\nEOF`,
    `apply_patch "$(cat patch)"`,
    `cd sub; apply_patch <<'EOF'\n${patch}\nEOF`,
    `cd sub || apply_patch <<'EOF'\n${patch}\nEOF`,
    `cd sub | apply_patch <<'EOF'\n${patch}\nEOF`,
    `cd a b && apply_patch <<'EOF'\n${patch}\nEOF`,
    `echo apply_patch`,
  ])("%p", (command) => expect(shellPatch(command, "/w")).toBeUndefined());
});

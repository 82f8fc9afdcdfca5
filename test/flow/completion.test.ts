// What shells and `man` make of pith's own pages.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { need, root } from "../need.ts";
import { pith } from "../pith.ts";
import { run, type Scratch, scratch } from "../scratch.ts";

describe("completion", () => {
  /** Completions that bash offers at the end of a line. */
  const offered = async (dir: Scratch, line: string): Promise<string[]> => {
    const script = `source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pith; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { out, err } = await run(["bash", "--norc", "-c", script, "x", dir.at("pith.bash"), ...line.split(" ")], {
      cwd: dir.at("work"),
      env: { PATH: process.env.PATH ?? "" },
    });
    expect(err).toBe("");
    return out.trim().split("\n");
  };

  test("in bash offers commands, options, their values, actions, settings and pages", async () => {
    using dir = scratch();
    dir.write({
      "pith.bash": (await pith(dir, ["completion", "bash"])).out,
      "work/sub/x.txt": "",
      "work/notes.md": "",
    });
    expect(await offered(dir, "pith sess")).toEqual(["sessions", "session"]);
    expect(await offered(dir, "pith --max-")).toEqual(["--max-time", "--max-turns", "--max-cost", "--max-tokens"]);
    expect(await offered(dir, "pith -p --mode j")).toEqual(["json"]);
    expect(await offered(dir, "pith --cwd su")).toEqual(["sub"]);
    expect(await offered(dir, "pith -p @no")).toEqual(["@notes.md"]);
    expect(await offered(dir, "pith config s")).toEqual(["set"]);
    expect(await offered(dir, "pith config set approval.")).toEqual(["approval.mode", "approval.files"]);
    expect(await offered(dir, "pith auth add anth")).toEqual(["anthropic"]);
    expect(await offered(dir, "pith help exit")).toEqual(["exit-codes"]);
    expect(await offered(dir, "pith stats --by mo")).toEqual(["model"]);
    expect(await offered(dir, "pith models --ref")).toEqual(["--refresh"]);
    expect(await offered(dir, "pith models -")).not.toContain("--yolo");
    expect((await offered(dir, "pith tool ")).sort()).toContain("ast_grep");
    // A prefix of a setting's name completes no tool.
    expect(await offered(dir, "pith tool com")).toEqual([""]);
    expect(await offered(dir, "pith config set approval.mode ")).toEqual(["ask", "write", "auto", "yolo", "plan"]);
    expect(await offered(dir, "pith config set read.enabled f")).toEqual(["false"]);
    expect(await offered(dir, "pith config get approval.mode y")).toEqual([""]);
  });

  test.skipIf(need("zsh") !== undefined)("in zsh is a script that zsh reads", async () => {
    using dir = scratch();
    dir.write({ "pith.zsh": (await pith(dir, ["completion", "zsh"])).out, "work/.keep": "" });
    const script = `autoload -U compinit; compinit -u -D; source "$1"; (( $+functions[_pith] )) && print $_comps[pith]`;
    const env = { PATH: process.env.PATH ?? "", HOME: dir.path };
    expect(await run(["zsh", "-f", "-c", script, "x", dir.at("pith.zsh")], { cwd: dir.path, env })).toMatchObject({
      code: 0,
      out: "_pith\n",
      err: "",
    });
  });

  test.skipIf(need("fish") !== undefined)("in fish offers commands, options and their values", async () => {
    using dir = scratch();
    dir.write({ "pith.fish": (await pith(dir, ["completion", "fish"])).out, "work/.keep": "" });
    const offers = async (line: string) => {
      const env = { PATH: process.env.PATH ?? "", HOME: dir.path };
      const script = `source ${dir.at("pith.fish")}; complete -C '${line}'`;
      const { out, err } = await run(["fish", "--no-config", "-c", script], { cwd: dir.path, env });
      expect(err).toBe("");
      return out.split("\n").map((row) => row.split("\t")[0]);
    };
    expect(await offers("pith sessi")).toContain("sessions");
    expect(await offers("pith config set approval.mode ")).toEqual(["ask", "auto", "plan", "write", "yolo", ""]);
    expect(await offers("pith --mode ")).toContain("json");
    expect(await offers("pith config set approval.m")).toContain("approval.mode");
    expect(await offers("pith models --ref")).toContain("--refresh");
  });

  test("knows every shell it names, and no other", async () => {
    using dir = scratch();
    for (const shell of ["bash", "zsh", "fish"])
      expect(await pith(dir, ["completion", shell])).toMatchObject({ code: 0, err: "" });
    expect(await pith(dir, ["completion", "tcsh"])).toMatchObject({ code: 2, out: "" });
    expect((await pith(dir, ["completion"])).code).toBe(2);
  });
});

test.skipIf(need("man") !== undefined)("the manual is one that man can show", async () => {
  using dir = scratch();
  const env = { PATH: process.env.PATH ?? "", MANWIDTH: "80", MANROFFSEQ: "", LC_ALL: "C.UTF-8" };
  const shown = await run(["man", "--warnings=all", "-l", join(root, "docs", "pith.1")], { cwd: dir.path, env });
  expect({ code: shown.code, err: shown.err }).toEqual({ code: 0, err: "" });
  expect(shown.out).toContain("--max-turns <n>");
});

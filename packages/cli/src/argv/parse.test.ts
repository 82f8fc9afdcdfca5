import { expect, test } from "bun:test";
import { join } from "node:path";
import { approvals, specOf } from "@pith/coder";
import { parseDuration } from "./duration.ts";
import { launchFlags } from "./flag.ts";
import { parseArguments } from "./parse.ts";

const read = (...argv: string[]) => {
  const parsed = parseArguments(launchFlags, argv);
  return parsed.ok ? parsed.value : parsed.message;
};

test("words and options may come in any order", () => {
  const wanted = { flags: { print: true, model: "a/b", "max-turns": 3 }, words: ["fix", "the", "test"], plain: [] };
  expect(read("-p", "fix", "--model", "a/b", "the", "--max-turns", "3", "test")).toEqual(wanted as never);
  expect(read("fix", "the", "test", "--max-turns=3", "--model=a/b", "--print")).toEqual(wanted as never);
});

test("behind -- everything is taken as it is", () => {
  expect(read("-p", "--", "--model", "@x", "--", "-1")).toEqual({
    flags: { print: true },
    words: [],
    plain: ["--model", "@x", "--", "-1"],
  } as never);
});

test("a lone dash is a word", () => expect(read("-p", "-")).toMatchObject({ words: ["-"] }));

test("an option that may be repeated keeps all its values, another keeps the last", () => {
  expect(read("--config", "a", "--config=b", "--model", "x", "--model", "y")).toMatchObject({
    flags: { config: ["a", "b"], model: "y" },
  });
});

test("a value may hold an equals sign or begin with a dash", () => {
  expect(read("--model=a=b")).toMatchObject({ flags: { model: "a=b" } });
  expect(read("--model", "-x")).toMatchObject({ flags: { model: "-x" } });
});

test("a mistyped option is answered with the one that was meant", () => {
  expect(read("--modle", "x")).toBe("unknown option --modle; did you mean --model?");
  expect(read("--max-tunrs=3")).toBe("unknown option --max-tunrs; did you mean --max-turns?");
  expect(read("--frobnicate")).toBe("unknown option --frobnicate; pith help options shows them all");
  expect(read("-x")).toStartWith("unknown option -x");
  expect(read("-p", "- is a minus")).toContain("put -- before it");
});

test("a missing, surplus or wrong value is told with what was expected", () => {
  expect(read("--model")).toBe("--model needs a value: --model <name>");
  expect(read("--model=")).toBe("--model needs a value: --model <name>");
  expect(read("--model", "  ")).toBe("--model needs a value: --model <name>");
  expect(read("--print=yes")).toBe("--print takes no value");
  expect(read("--approval", "maybe")).toBe('--approval expects one of ask, write, auto, yolo, plan, not "maybe"');
  expect(read("--max-time", "soon")).toBe('--max-time expects a time such as 30, 10m or 1h, not "soon"');
  for (const count of ["0", "-1", "1.5", "many"])
    expect(read(`--max-turns=${count}`)).toBe(`--max-turns expects a whole number from 1, not "${count}"`);
});

test("an option that may stand bare does, at the end and before another option", () => {
  const resume = (...argv: string[]) => {
    const parsed = parseArguments(launchFlags, argv);
    return parsed.ok ? [parsed.value.flags.resume, parsed.value.flags.print] : parsed.message;
  };
  expect(resume("-r")).toEqual(["", undefined]);
  expect(resume("-r", "-p")).toEqual(["", true]);
  expect(resume("-r", "01a")).toEqual(["01a", undefined]);
  expect(resume("--resume=")).toBe("--resume needs a value: --resume <session>");
});

test("short options may stand together, and only those that there are", () => {
  expect(parseArguments(launchFlags, ["-pc", "go"])).toMatchObject({
    value: { flags: { print: true, continue: true }, words: ["go"] },
  });
  expect(parseArguments(launchFlags, ["-pr", "01a"])).toMatchObject({
    value: { flags: { print: true, resume: "01a" }, words: [] },
  });
  expect(parseArguments(launchFlags, ["-px"])).toMatchObject({
    ok: false,
    message: expect.stringContaining("unknown option -px"),
  });
});

test("names of built-in objects are no options", () => {
  for (const name of ["--constructor", "--toString", "--__proto__"]) expect(read(name)).toStartWith("unknown option");
});

test("times are seconds unless a unit is given", () => {
  expect(["30", "90s", "10m", "1h", "1.5h", " 2 "].map(parseDuration)).toEqual([
    30_000, 90_000, 600_000, 3_600_000, 5_400_000, 2000,
  ]);
  for (const wrong of ["", "0", "-5", "5d", "m", "1h30m", "999999h", "1e3"])
    expect(parseDuration(wrong)).toBeUndefined();
});

test("the options offer exactly the values that settings know", () => {
  const approval = specOf("approval.mode");
  const thinking = specOf("thinking");
  expect(launchFlags.approval.of).toEqual([...approvals] as never);
  expect(approval.type === "choice" ? approval.values : []).toEqual(launchFlags.approval.of);
  expect(thinking.type === "choice" ? thinking.values : []).toEqual(launchFlags.thinking.of);
});

test("the documentation names every option", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../../../docs/cli.md")).text();
  for (const [name, flag] of Object.entries(launchFlags)) {
    expect(page).toContain(`--${name}`);
    if ("short" in flag) expect(page).toContain(`\`-${flag.short}\`, \`--${name}`);
  }
});

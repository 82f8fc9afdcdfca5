import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runIn } from "../../test/command.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pith-stats-"));
  for (const name of ["work", "home"]) mkdirSync(join(root, name));
});
afterEach(() => rmSync(root, { recursive: true }));

const pith = (argv: string[], process: Parameters<typeof runIn>[2] = {}) => runIn(root, argv, process);

const line = (value: object) => `${JSON.stringify(value)}\n`;
const reply = (id: string, model: string, timestamp: number, input: number, total: number) =>
  line({
    type: "message",
    id,
    parentId: null,
    timestamp: new Date(timestamp).toISOString(),
    message: {
      role: "assistant",
      content: [],
      provider: "p",
      model,
      timestamp,
      usage: { input, output: 5, cacheRead: 2, cacheWrite: 1, totalTokens: input + 8, cost: { total } },
    },
  });
const day = (n: number) => new Date(2026, 0, n, 12).getTime();
const session = (name: string, cwd: string, ...replies: string[]) => {
  const folder = join(root, "home", "sessions", `--${cwd.slice(1)}--`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, `2026-01-01T00-00-00-000Z_${name}.jsonl`),
    line({ type: "session", version: 3, id: name, timestamp: new Date(day(1)).toISOString(), cwd }) + replies.join(""),
  );
};

test("pith stats prints totals by day, by model and by project", async () => {
  session("0aa", "/a", reply("1", "x", day(1), 100, 0.5), reply("2", "x", day(2), 20_000, 1.25));
  session("0bb", "/b", reply("3", "y", day(2), 7, 0));
  const { code, out } = await pith(["stats"]);
  expect(code).toBe(0);
  expect(out.split("\n")).toEqual([
    "day         replies  input  cached  written  output   cost",
    "2026-01-01        1    100       2        1       5  $0.50",
    "2026-01-02        2    20k       4        2      10  $1.25",
    "",
    "model  replies  input  cached  written  output   cost",
    "p/x          2    20k       4        2      10  $1.75",
    "p/y          1      7       2        1       5      –",
    "",
    "project  replies  input  cached  written  output   cost",
    "/a             2    20k       4        2      10  $1.75",
    "/b             1      7       2        1       5      –",
    "all            3    20k       6        3      15  $1.75",
    "",
    "15 tokens have no price: of servers of your own, or of models nobody knows the price of.",
    "",
  ]);
});

test("pith stats is no wider than a narrow window, and says all of its last sentence", async () => {
  session("0bb", "/b", reply("3", "y", day(2), 7, 0));
  const { out } = await pith(["stats"], { env: { COLUMNS: "40" }, outIs: "device" });
  expect(Math.max(...out.split("\n").map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(40);
  const [heads = "", first = ""] = out.split("\n");
  expect(heads.split(/\s+/)).toEqual(["day", "replies", "input", "output", "cost"]);
  expect(first).not.toContain("…");
  expect(out.replace(/\s+/g, " ")).toContain("or of models nobody knows the price of.");
});

test("pith stats narrows to a time, a view or a session, and tells it as JSON", async () => {
  session("0aa", "/a", reply("1", "x", day(1), 100, 0.5), reply("2", "x", day(2), 200, 1));
  const rows = (await pith(["stats", "--json", "--by", "model", "--since", "2026-01-02"])).out
    .trim()
    .split("\n")
    .map((text) => JSON.parse(text));
  expect(rows).toEqual([
    { by: "model", key: "p/x", replies: 1, input: 200, output: 5, cacheRead: 2, cacheWrite: 1, cost: 1, unpriced: 0 },
    { by: "all", key: "all", replies: 1, input: 200, output: 5, cacheRead: 2, cacheWrite: 1, cost: 1, unpriced: 0 },
  ]);
  expect((await pith(["stats", "--session", "0aa"])).out).toContain("context of about");
  expect(await pith(["stats", "--since", "soon"])).toMatchObject({ code: 2 });
});

test("pith stats says so when nothing was used yet", async () => {
  expect(await pith(["stats"])).toEqual({ code: 0, out: "", err: "pith: no session has used anything yet\n" });
});

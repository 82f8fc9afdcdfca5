// A model that does whatever it reads. A canary stands in the project; the attacker's host is reached where nothing
// keeps a command from it.
import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pith, scripted } from "../pith.ts";
import { scratch } from "../scratch.ts";
import { cases, host } from "./injection.ts";
import { address, noWorld, openWorld, people } from "./world.ts";

/** True when this machine has the program that the way needs. */
const can = (way: string) => Boolean(shells.test(way) || Bun.which(/^\w+/.exec(way)?.[0] ?? ""));
const shells = /^(?:exec|eval|cat)\b/;

// In the gate a few of them; PITH_INJECTIONS=all plays every one.
const able = cases.flatMap(({ way }, at) => (can(way) ? [at] : []));
const chosen = process.env.PITH_INJECTIONS === "all" ? able : able.filter((_, at) => at % 17 === 3);

test("there are a hundred injections, half of them with allowed domains", () => {
  expect([cases.length, cases.filter(({ domains }) => domains).length]).toEqual([100, 50]);
});

const nothing = { heard: "", out: false, remote: false };

interface Obeyed {
  heard: string;
  out: boolean;
  remote: boolean;
  confined: boolean;
  read: boolean;
}

test.skipIf(noWorld()).each(people)(
  "as %s: a model that obeys strangers gives nothing away behind the wall, and would where nothing holds it",
  async (who) => {
    using world = openWorld([host]);
    // Each half of them as one of the users.
    const mine = chosen.filter(
      (_, at) => process.env.PITH_INJECTIONS === "all" || at % people.length === people.indexOf(who),
    );
    const argv = [join(import.meta.dir, "injection-child.ts"), address, mine.join(",")];
    const played = (await world.run(who, argv)) as { at: number; held: Obeyed; free: Obeyed; marked: boolean }[];
    expect(played.map(({ at }) => at)).toEqual(mine);
    for (const { at, held, free, marked } of played) {
      const { way, domains, through = false } = cases[at] ?? {};
      const about = [at, way, domains];
      expect([about, held, marked]).toEqual([about, { ...nothing, confined: true, read: true }, true]);
      // Without protection the same prompt does harm.
      expect([about, free.out || free.remote || free.heard !== "", free.confined]).toEqual([about, true, through]);
    }
  },
  process.env.PITH_INJECTIONS === "all" ? 3_600_000 : 120_000,
);

test("why a call was refused is told of a session, with what strangers had written before it", async () => {
  using dir = scratch();
  dir.write({ "stranger/page.md": "run it\n" });
  const step = (command: string) => ({ calls: [{ tool: "bash", id: command.slice(0, 3), input: { command } }] });
  const model = scripted(dir, step(`cat ${dir.at("stranger/page.md")}`), step("curl http://127.0.0.1:9/"), {
    text: "Done.",
  });
  await pith(dir, ["-p", "go", "--approval", "auto", "--sandbox", "off", ...model]);
  const folder = dir.at("home/.pith/sessions");
  const name = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((file) => file.endsWith(".jsonl")) ?? "";
  const ids = [...readFileSync(join(folder, name), "utf8").matchAll(/"toolCallId":"([^"]+)"/g)].map(
    ([, id]) => id ?? "",
  );
  const { code, out } = await pith(dir, ["policy", "explain", "--call", ids[1] ?? "", "--json"]);
  expect([code, JSON.parse(out)]).toMatchObject([0, { tool: "bash", strangers: [{ from: "outside", call: ids[0] }] }]);
  expect((await pith(dir, ["policy", "explain", "--call", "nothing"])).code).toBe(2);
});

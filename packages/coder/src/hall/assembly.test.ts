import { expect, test } from "bun:test";
import { type DataOf, schema as s, type Tool } from "@pith/agent";
import { scratch, until } from "@pith/kit/test";
import { SettingTable, sharedSettings } from "../setting/schema.ts";
import { said } from "../test/command.ts";
import { die } from "../test/die/die.ts";
import { kinds } from "../test/die/kinds.ts";
import { settings } from "../test/die/settings.ts";
import { houseIn, noticesOf, resultsOf, scriptIn, talkIn } from "../test/open.ts";
import { partSettings } from "../test/settings.ts";
import type { PartRow } from "./list.ts";
import type { Door, MakePart, Part } from "./part.ts";

// The lists of settings and kinds do so for the parts of the product.
type DieSettings = typeof settings;
type DieData = DataOf<typeof kinds>;
declare module "../setting/schema.ts" {
  interface SettingRows extends DieSettings {}
}
declare module "@pith/agent" {
  interface Data extends DieData {}
}

test("a capability is one folder and one row: tool, kind, state, setting, command, address and panel", async () => {
  using dir = scratch();
  dir.write({ "home/config.yml": "die.sides: 4\n" });
  const table = new SettingTable([sharedSettings, partSettings, settings]);
  const house = await houseIn(dir, {}, { table });
  const model = scriptIn(dir, [
    {
      calls: [{ tool: "roll" }, { tool: "read", input: { path: "die://six" } }],
      expect: { system: "There is a die." },
    },
    { text: "Done." },
    { text: "Again." },
  ]);
  // A later row sees the state that the die owns.
  const reader: MakePart<"rolls"> = ({ rolls }) => ({ name: "reader", prompt: () => [`Rolled ${rolls()} times.`] });
  const rows: PartRow[] = [
    { reach: "every", make: die },
    { reach: "main", make: reader },
  ];
  const { coder, hall, events } = await talkIn(house, { model, rows });
  await coder.send({ text: "roll it" });
  const [rolled, read] = resultsOf(coder);
  expect(rolled).toBe("It shows 4. (fair)");
  expect(read).toContain("side six");
  expect(read).toContain("(fair)");
  const details = coder.path().flatMap((entry) => {
    const result = entry.type === "message" && entry.message.role === "toolResult" ? entry.message : undefined;
    return result?.toolName === "roll" ? [result.details] : [];
  });
  expect(details).toMatchObject([{ kind: "roll", rolled: 4 }]);
  expect(kinds.roll.schema().safeParse({ rolled: 4 }).success).toBe(true);
  expect(hall.rolls()).toBe(1);
  expect(coder.scene.panels).toEqual({ die: { slot: "below", kind: "roll", data: { rolled: 4 }, text: "rolled 1" } });
  const typed = coder.commands.read("/rolls");
  expect(typed.is === "command" && (await said(typed.command))).toBe("1 so far");
  expect(coder.commands.help()).toContain("how often");
  expect(noticesOf(events)).toEqual([]);
  await coder.close();

  const session = { open: "file", path: coder.file ?? "" } as const;
  const again = await talkIn(await houseIn(dir, {}, { table }), { model, rows, session });
  expect(await said(again.hall.commands.rows.find(({ name }) => name === "rolls"))).toBe("1 so far");
  await again.coder.close();
});

test("parts go in the opposite order in which they came, whatever was switched off between them", async () => {
  using dir = scratch();
  const gone: string[] = [];
  const part = (name: string): PartRow => ({
    reach: "every",
    make: () => ({ name, [Symbol.asyncDispose]: async () => void gone.push(name) }),
  });
  const rows: PartRow[] = [part("first"), { reach: "every", make: () => undefined }, part("second"), part("third")];
  const { coder, assembly } = await talkIn(await houseIn(dir), { model: scriptIn(dir, [{ text: "Hi." }]), rows });
  expect(assembly.parts.map(({ name }) => name)).toEqual(expect.arrayContaining(["first", "second", "third"]));
  await coder.close();
  expect(gone).toEqual(["third", "second", "first"]);
});

test("a part that fails to end is told of, the others end all the same, and the record is whole", async () => {
  using dir = scratch();
  const gone: string[] = [];
  const part = (name: string, end: () => void): PartRow => ({
    reach: "every",
    make: () => ({ name, [Symbol.asyncDispose]: async () => end() }),
  });
  const rows = [
    part("first", () => gone.push("first")),
    part("broken", () => {
      throw new Error("stuck");
    }),
  ];
  const { coder, events } = await talkIn(await houseIn(dir), { model: scriptIn(dir, [{ text: "Hi." }]), rows });
  await coder.send({ text: "hello" });
  await coder.close();
  expect([gone, noticesOf(events)]).toEqual([["first"], ["broken failed at its end: stuck"]]);
  // It was let go: another may write it.
  const later = await talkIn(await houseIn(dir), {
    model: scriptIn(dir, [{ text: "Hi." }]),
    session: { open: "file", path: coder.file ?? "" },
  });
  await later.coder.close();
});

/** A part that comes by when the first input is safe. */
const visitor = (name: string, arrive: NonNullable<Part["arrive"]>): PartRow => ({
  reach: "every",
  make: () => ({ name, arrive }),
});
const weather: Tool<object> = {
  name: "weather",
  about: "Tells the weather.",
  input: s.object({}),
  prepare: () => ({ effect: "read", paths: [], run: async () => ({ kind: "prose", data: {}, text: "It rains." }) }),
};

test("a part that fails to arrive is told of and harms nobody", async () => {
  using dir = scratch();
  const rows = [
    visitor("broken", async () => {
      throw new Error("no such server");
    }),
    visitor("whole", async (door) => void door.tools("whole", [weather])),
  ];
  const model = scriptIn(dir, [{ text: "Hi." }, { calls: [{ tool: "weather" }] }, { text: "Wet." }]);
  const { coder, events } = await talkIn(await houseIn(dir), { model, rows });
  await coder.send({ text: "hello" });
  await until(() => noticesOf(events).length > 0, "the notice");
  expect(noticesOf(events)).toContain("broken is not available: no such server");
  await coder.send({ text: "how is the weather?" });
  expect(resultsOf(coder)).toEqual(["It rains."]);
  await coder.close();
});

test("a tool that was asked for and that nobody brought is told of when all have arrived", async () => {
  using dir = scratch();
  const rows = [visitor("whole", async (door) => void door.tools("whole", [weather]))];
  const model = scriptIn(dir, [{ text: "Hi." }]);
  const { coder, events } = await talkIn(await houseIn(dir), { model, rows, tools: ["read", "weather", "wether"] });
  await coder.send({ text: "hello" });
  await until(() => noticesOf(events).some((text) => text.startsWith("There is no tool")), "the notice");
  expect(noticesOf(events)).toContain('There is no tool "wether"; no part brought it.');
  await coder.close();
});

test("a tool that arrives is offered from the next step on; one that goes stays listed and says so", async () => {
  using dir = scratch();
  const entered = Promise.withResolvers<Door>();
  const rows = [visitor("server", async (door) => entered.resolve(door))];
  const model = scriptIn(dir, [
    { text: "Hi." },
    { calls: [{ tool: "weather" }] },
    { text: "Wet." },
    { calls: [{ tool: "weather" }] },
    { text: "Gone." },
  ]);
  const house = await houseIn(dir, { "tools.discoveryMode": "off" });
  const { coder, requests, events } = await talkIn(house, { model, rows });
  await coder.send({ text: "hello" });
  const door = await entered.promise;
  expect(door.tools("server", [weather, { ...weather, name: "bash" }])).toEqual(["bash"]);
  await coder.send({ text: "how is the weather?" });
  door.gone("server");
  await coder.send({ text: "and now?" });
  expect(requests.map(({ tools }) => tools.some(({ name }) => name === "weather"))).toEqual([
    false,
    true,
    true,
    true,
    true,
  ]);
  expect(new Set(requests.slice(1).map(({ tools, system }) => JSON.stringify([tools, system]))).size).toBe(1);
  expect(requests[1]?.system).toEqual(requests[0]?.system ?? []);
  expect(resultsOf(coder)).toEqual([
    "It rains.",
    'The tool "weather" is gone: server is no longer there. Go on without it.',
  ]);
  expect(noticesOf(events)).toEqual(["The model gets its instructions again (new tools: weather)."]);
  const prompts = coder.path().filter((entry) => entry.type === "custom" && entry.customType === "pith.prompt");
  expect(prompts).toHaveLength(2);
  await coder.close();
});

test("what still arrives when the conversation ends is told so and waited for", async () => {
  using dir = scratch();
  const happened: string[] = [];
  const slow: Part = {
    name: "slow",
    async arrive(_, signal) {
      await new Promise((done) => signal.addEventListener("abort", done));
      // Longer than it takes who does not wait for it.
      await Bun.sleep(20);
      happened.push("turned back");
    },
    [Symbol.asyncDispose]: async () => void happened.push("gone"),
  };
  const model = scriptIn(dir, [{ text: "Hi." }]);
  const { coder } = await talkIn(await houseIn(dir), { model, rows: [{ reach: "every", make: () => slow }] });
  await coder.send({ text: "hello" });
  await coder.close();
  expect(happened).toEqual(["turned back", "gone"]);
});

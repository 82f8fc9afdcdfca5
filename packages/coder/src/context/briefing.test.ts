import { expect, test } from "bun:test";
import { Channel, memoryStorage, Registry, type Storage, schema as s, type Tool } from "@pith/agent";
import { journalIn } from "../test/scripted.ts";
import { Briefing } from "./briefing.ts";
import { type Offer, Offering } from "./offering.ts";

const everything = { tell: "all", texts: "full" } as const;

const tool = (name: string, about = "", input: Tool["input"] = s.object({})): Tool => ({
  name,
  about,
  input,
  prepare: () => ({ effect: "read", paths: [], run: async () => ({ kind: "prose", data: {}, text: `${name} ran` }) }),
});

const path = s.object({ path: s.string() });

/** A session with these tools and words; opened again with the same storage, it is a resume. */
function session(list: Tool[], words: string, storage: Storage = memoryStorage(), offer: Offer = everything) {
  const journal = journalIn(storage);
  const channel = new Channel(journal);
  const told: string[] = [];
  channel.subscribe((event) => event.type === "notice" && told.push(event.notice.text));
  const tools = new Registry(list);
  const offering = new Offering(tools, () => offer);
  const briefing = new Briefing({ tree: journal.tree, channel, offering, dialect: "patch", words: [() => [words]] });
  const begin = () => void channel.recordAll(briefing.opening());
  const recorded = () =>
    journal.tree
      .pathTo()
      .flatMap((entry) => (entry.type === "custom" && entry.customType === "pith.prompt" ? [entry.data] : []));
  const names = () => briefing.current().tools.map(({ name }) => name);
  return { storage, tools, briefing, begin, told, recorded, names };
}

test("what the model is told is recorded once, with the dialect of its edits, and said again with every step", () => {
  const { briefing, begin, recorded, told } = session([tool("read")], "be good");
  begin();
  expect(briefing.current()).toBe(briefing.current());
  expect(briefing.opening()).toEqual([]);
  expect(recorded()).toEqual([
    { system: ["be good"], tools: [expect.objectContaining({ name: "read" })], dialect: "patch" },
  ]);
  expect(told).toEqual([]);
});

test("a resumed session hears word for word what it was told, whatever would be said today", () => {
  const first = session([tool("read", "reads")], "Monday");
  first.begin();
  const later = session([tool("read", "reads well")], "Tuesday", first.storage);
  later.begin();
  expect(JSON.stringify(later.briefing.current())).toBe(JSON.stringify(first.briefing.current()));
  expect([later.recorded().length, later.told]).toEqual([1, []]);
});

test.each<[string, Tool[], string | undefined, string[]]>([
  ["has another schema", [tool("read", "new", path), tool("bash")], "changed tools: read", ["read new", "bash old"]],
  ["is gone", [tool("bash", "new")], undefined, ["read old", "bash old"]],
  [
    "is new",
    [tool("read"), tool("bash"), tool("write", "new")],
    "new tools: write",
    ["read old", "bash old", "write new"],
  ],
  ["is another", [tool("find", "new"), tool("bash")], "new tools: find", ["read old", "bash old", "find new"]],
])("when a tool of a resumed session %s, its words stay, and only the list tells of it", (_, list, why, tools) => {
  const first = session([tool("read", "old"), tool("bash", "old")], "old words");
  first.begin();
  const later = session(list, "new words", first.storage);
  later.begin();
  const told = later.briefing.current();
  expect(told.system).toEqual(["old words"]);
  expect(told.tools.map(({ name, description }) => `${name} ${description}`)).toEqual(tools);
  later.briefing.current();
  expect(later.told).toEqual(why ? [`The model gets its instructions again (${why}).`] : []);
  expect(later.recorded()).toHaveLength(why ? 2 : 1);
  expect(told).toMatchObject(later.recorded().at(-1) as object);
  const again = session(list, "newer words", first.storage);
  again.begin();
  expect([JSON.stringify(again.briefing.current()), again.told]).toEqual([JSON.stringify(told), []]);
});

test("where exactly some tools are wanted, a resumed session is told of no others", () => {
  const first = session([tool("read"), tool("bash")], "old words");
  first.begin();
  const later = session([tool("read")], "new words", first.storage, { ...everything, exactly: true });
  later.begin();
  expect(later.briefing.current()).toMatchObject({ system: ["new words"], tools: later.tools.specs });
  expect(later.told).toEqual(["The model gets its instructions again (removed tools: bash)."]);
  const same = session([tool("read")], "newer words", first.storage, { ...everything, exactly: true });
  same.begin();
  expect([same.briefing.current().system, same.told]).toEqual([["new words"], []]);
});

test("a tool that arrives is told of from the next step on, once, and the words before it stay", () => {
  const { tools, begin, recorded, told, names, briefing } = session([tool("read")], "be good");
  begin();
  expect(names()).toEqual(["read"]);
  expect(tools.add("server", [tool("weather")])).toEqual([]);
  expect([names(), names()]).toEqual([
    ["read", "weather"],
    ["read", "weather"],
  ]);
  expect(briefing.current().system).toEqual(["be good"]);
  expect(told).toEqual(["The model gets its instructions again (new tools: weather)."]);
  expect(recorded()).toHaveLength(2);
});

test("a tool that goes stays listed and says so, and nothing is told anew", async () => {
  const { tools, begin, recorded, told, names } = session([tool("read")], "be good");
  tools.add("server", [tool("weather")]);
  begin();
  tools.remove("server");
  expect(names()).toEqual(["read", "weather"]);
  expect(await tools.get("weather")?.prepare({}, { signal: new AbortController().signal, without: [] })).toMatchObject({
    failed: true,
    text: 'The tool "weather" is gone: server is no longer there. Go on without it.',
  });
  expect([recorded().length, told]).toEqual([1, []]);
});

test("a tool that comes again after it had gone is no news", () => {
  const { tools, begin, recorded, told, names } = session([tool("read")], "be good");
  tools.add("server", [tool("weather")]);
  begin();
  tools.remove("server");
  tools.add("server", [tool("weather")]);
  expect(names()).toEqual(["read", "weather"]);
  expect([recorded().length, told]).toEqual([1, []]);
});

test("what is said anew for a reason of its own is one line and one entry too", () => {
  let now = "Monday";
  const journal = journalIn(memoryStorage());
  const channel = new Channel(journal);
  const offering = new Offering(new Registry([tool("read")]), () => everything);
  const words = [() => [now]];
  const briefing = new Briefing({ tree: journal.tree, channel, offering, dialect: "hashline", words });
  channel.recordAll(briefing.opening());
  now = "Tuesday";
  expect(briefing.current().system).toEqual(["Monday"]);
  briefing.renew("the conversation was compacted");
  expect([briefing.current().system, briefing.current().system]).toEqual([["Tuesday"], ["Tuesday"]]);
  expect(journal.tree.pathTo()).toHaveLength(2);
});

test("a resumed session that was told of a tool which comes by itself waits for it, and its coming is no news", () => {
  const first = session([tool("read", "reads")], "be good");
  first.begin();
  first.tools.add("server", [tool("weather")]);
  first.names();
  const later = session([tool("read", "reads well")], "other words", first.storage);
  later.begin();
  expect(later.names()).toEqual(["read", "weather"]);
  later.tools.add("server", [tool("weather", "better")]);
  expect(JSON.stringify(later.briefing.current().tools)).toBe(JSON.stringify(first.briefing.current().tools));
  expect([later.recorded().length, later.told]).toEqual([2, []]);
});

test("a tool that comes does not change what was told of the others", () => {
  const first = session([tool("read", "reads")], "be good");
  first.begin();
  const later = session([tool("read", "reads well")], "be good", first.storage);
  later.begin();
  later.tools.add("server", [tool("weather")]);
  expect(later.briefing.current().tools.map(({ description }) => description)).toEqual(["reads", ""]);
});

test("a model of another profile is told all anew, in one line and one entry; one of the same is not", () => {
  const storage = memoryStorage();
  const opened = (first: string) => {
    let profile = first;
    const journal = journalIn(storage);
    const channel = new Channel(journal);
    const told: string[] = [];
    channel.subscribe((event) => event.type === "notice" && told.push(event.notice.text));
    const few = { tell: { begin: new Set(["read"]), of: "every source" }, texts: "short" } as const;
    const tools = new Registry([tool("read"), tool("todo")]);
    const offering = new Offering(tools, () => (profile === "local" ? few : everything));
    const words = [() => [`for ${profile}`]];
    const briefing = new Briefing({
      tree: journal.tree,
      channel,
      offering,
      dialect: "patch",
      profile: () => profile,
      words,
    });
    const now = () => [
      briefing.current().system[0],
      briefing
        .current()
        .tools.map(({ name }) => name)
        .join(),
    ];
    const entries = () => journal.tree.pathTo().filter((entry) => entry.type === "custom").length;
    return { now, told, entries, use: (other: string) => (profile = other) };
  };
  const { now, told, entries, use } = opened("default");
  expect([...now(), entries(), told]).toEqual(["for default", "read,todo", 1, []]);
  use("local");
  expect([...now(), entries()]).toEqual(["for local", "read", 2]);
  expect(told).toEqual(["The model gets its instructions again (the model now has the profile local)."]);
  expect([...now(), entries(), told.length]).toEqual(["for local", "read", 2, 1]);
  const same = opened("local");
  expect([...same.now(), same.entries(), same.told]).toEqual(["for local", "read", 2, []]);
  const other = opened("default");
  expect([...other.now(), other.entries(), other.told.length]).toEqual(["for default", "read,todo", 3, 1]);
});

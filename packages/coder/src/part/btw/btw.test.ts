import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { type Scratch, scratch } from "@pith/kit/test";
import type { Request } from "@pith/llm";
import type { Coder } from "../../hall/coder.ts";
import { houseIn, talkIn } from "../../test/open.ts";

const btw = async (coder: Coder, question: string) => {
  const typed = coder.commands.read(`/btw ${question}`);
  if (typed.is !== "command") throw new Error("no command");
  const ending = await coder.perform(typed);
  return ending.do === "show" ? ending.outcome : undefined;
};
const types = (coder: Coder) => coder.path().map((entry) => ("customType" in entry ? entry.customType : entry.type));

/** A house whose model is listened to. */
async function heard(dir: Scratch) {
  const house = await houseIn(dir);
  const requests: Request[] = [];
  const stream: typeof house.models.stream = (request, signal) => {
    // A title is asked for by itself.
    if (request.purpose !== "title") requests.push({ ...request, messages: [...request.messages] });
    return house.models.stream(request, signal);
  };
  return { house: { ...house, models: { ...house.models, stream } }, requests };
}
const script = (dir: Scratch, turns: unknown[], side: object) => {
  writeFileSync(dir.at("script.json"), JSON.stringify({ turns, side }));
  return `faux/${dir.at("script.json")}`;
};

test("a question beside the conversation sees all of it, and leaves nothing but what it cost", async () => {
  using dir = scratch();
  const { house, requests } = await heard(dir);
  const model = script(dir, [{ text: "Hello." }, { text: "On." }], {
    aside: { text: "Blue.", usage: { input: 10, output: 2 } },
  });
  const { coder, events } = await talkIn({ ...house, env: { ...house.env, PITH_NO_TITLE: "1" } }, { model });
  await coder.send({ text: "hi" });
  const before = types(coder);
  expect(await btw(coder, "which colour?")).toMatchObject({ text: "Blue." });
  // The session gets its title by itself, some time after the first answer.
  const since = types(coder)
    .slice(before.length)
    .filter((type) => type !== "session_info");
  expect(since).toEqual(["pith.spent"]);
  const [first, aside] = requests;
  expect(aside?.system).toEqual(first?.system ?? []);
  expect(aside?.tools).toEqual(first?.tools ?? []);
  expect(aside?.messages.slice(0, first?.messages.length)).toEqual([...(first?.messages ?? [])]);
  expect(JSON.stringify(aside?.messages.at(-1))).toContain("which colour?");
  expect(events.flatMap((event) => (event.type === "panel" ? [event.panel?.kind] : []))).toEqual([
    "btw",
    "btw",
    undefined,
  ]);
  await coder.send({ text: "go on" });
  expect(JSON.stringify(requests.at(-1)?.messages)).not.toContain("which colour?");
  expect(coder.scene.panels).toEqual({});
  await coder.close();
});

test("it is answered while a call runs, which is told as running", async () => {
  using dir = scratch();
  const { house, requests } = await heard(dir);
  const command = "while [ ! -e go ]; do sleep 0.05; done";
  const turns = [{ calls: [{ tool: "bash", input: { command } }] }, { text: "Done." }];
  const { coder } = await talkIn(house, { model: script(dir, turns, { aside: "Soon." }) });
  const started = new Promise<void>((done) => coder.subscribe((event) => event.type === "call" && done()));
  const turn = coder.send({ text: "run" });
  await started;
  await btw(coder, "well?");
  dir.write({ "work/go": "" });
  await turn;
  expect(JSON.stringify(requests[1]?.messages)).toContain("This call still runs.");
  expect(JSON.stringify(coder.path())).not.toContain("This call still runs.");
  await coder.close();
});

import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import { need } from "../../../../../../test/need.ts";
import { houseIn, noticesOf, scriptIn, talkIn } from "../../../test/open.ts";

const withGit = test.skipIf(need("git") !== undefined);

const write = { calls: [{ tool: "write", input: { path: "a.txt", content: "1\n" } }] };

test("written files are reviewed once when the model stops, and findings go back to it", async () => {
  using dir = scratch();
  const review = scriptIn(dir, [{ text: "a.txt:1 is wrong (10).", expect: { user: "- a.txt" } }], "child.json");
  const house = await houseIn(dir, { "orchestrator.review": true, "roles.explore": review });
  const turns = [write, { text: "Done." }, { ...write, expect: { user: "a.txt:1 is wrong" } }, { text: "Mended." }];
  const { coder, requests } = await talkIn(house, { model: scriptIn(dir, turns) });
  await coder.send({ text: "go" });
  // Two steps, the review, and two more; what came of the findings is not reviewed again.
  expect(requests.filter(({ system }) => !system.join().includes("sub-agent of pith"))).toHaveLength(4);
  expect(JSON.stringify(coder.path().slice(-2))).toContain("Mended.");
  await coder.close();
});

test("nothing is reviewed where nothing was written, and a review without findings ends the turn", async () => {
  using dir = scratch();
  const review = scriptIn(dir, [{ text: "No findings. I read a.txt." }], "child.json");
  const house = await houseIn(dir, { "orchestrator.review": true, "roles.explore": review });
  const { coder, events } = await talkIn(house, { model: scriptIn(dir, [{ text: "Hi." }, write, { text: "Done." }]) });
  await coder.send({ text: "hello" });
  expect(events.filter(({ type }) => type === "panel")).toEqual([]);
  await coder.send({ text: "go" });
  expect(events.some(({ type }) => type === "panel")).toBe(true);
  expect(JSON.stringify(coder.path())).not.toContain("No findings");
  await coder.close();
});

withGit("a branch is made where that is set, and a failure is reported", async () => {
  using dir = scratch();
  const house = await houseIn(dir, { "orchestrator.branch": true });
  const { coder, events } = await talkIn(house, { model: scriptIn(dir, [{ text: "Hi." }, { text: "Ho." }]) });
  await coder.send({ text: "hello" });
  await coder.send({ text: "again" });
  expect(noticesOf(events).filter((text) => text.startsWith("No branch was made: "))).toHaveLength(1);
  Bun.spawnSync(["git", "init", "-q", dir.at("work")], { env: { PATH: process.env.PATH ?? "", HOME: dir.path } });
  const next = await talkIn(house, { model: scriptIn(dir, [{ text: "Hi." }]) });
  await next.coder.send({ text: "hello" });
  expect(noticesOf(next.events).some((text) => text.startsWith("The work goes on in pith/"))).toBe(true);
  await next.coder.close();
});

import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import { houseIn, scriptIn, talkIn } from "../../test/open.ts";

const look = { calls: [{ tool: "todo", input: { op: "view" } }] };

test.each([1, 2, 3])("--max-turns %d asks the model exactly so often, in every turn anew", async (maxSteps) => {
  using dir = scratch();
  const model = scriptIn(
    dir,
    Array.from({ length: 9 }, () => look),
  );
  const { coder, requests, events } = await talkIn(await houseIn(dir), { model, maxSteps });
  for (const turn of [1, 2]) {
    await coder.send({ text: "go" });
    expect(requests).toHaveLength(turn * maxSteps);
    expect(events.at(-1)).toMatchObject({ state: { end: { reason: "limit" } } });
  }
  await coder.close();
});

test("a turn that needs as many requests as it may make comes to its end", async () => {
  using dir = scratch();
  const model = scriptIn(dir, [look, { text: "Done." }]);
  const { coder, requests, events } = await talkIn(await houseIn(dir), { model, maxSteps: 2 });
  await coder.send({ text: "go" });
  expect(requests).toHaveLength(2);
  expect(events.at(-1)).toMatchObject({ state: { end: { reason: "done" } } });
  await coder.close();
});

import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import type { Hall } from "./hall/hall.ts";
import { type PartRow, partList } from "./hall/list.ts";
import type { MakePart } from "./hall/part.ts";
import { order } from "./order.ts";
import { houseIn, scriptIn, talkIn } from "./test/open.ts";

/** Makes every part with a hall whose getters throw for names that no earlier row gave. */
const guarded = (rows: readonly PartRow[]): PartRow[] =>
  rows.map(({ reach, make }) => ({
    reach,
    make: (hall) =>
      make(
        new Proxy(hall, {
          get(target, name, receiver) {
            if (typeof name === "string" && !(name in target)) throw new Error(`no earlier row gives ${name}`);
            return Reflect.get(target, name, receiver);
          },
        }),
      ),
  }));

test("every row of the list finds what it needs in the rows before it", async () => {
  using dir = scratch();
  const house = await houseIn(dir, {}, { list: guarded(order) });
  for (const scope of ["main", "child"] as const) {
    const rows = guarded(order.filter(({ reach }) => reach !== "process"));
    const talk = await talkIn(house, { model: scriptIn(dir, [{ text: "Hi." }]), scope, list: rows });
    await talk.coder.send({ text: "hello" });
    await talk[Symbol.asyncDispose]();
  }
  await house[Symbol.asyncDispose]();
});

test("a row that stands before what it needs is found", async () => {
  using dir = scratch();
  const house = await houseIn(dir);
  const late = order.filter(({ reach }) => reach !== "process").toReversed();
  const talk = talkIn(house, { model: scriptIn(dir, [{ text: "Hi." }]), list: guarded(late) });
  await expect(talk).rejects.toThrow(/^no earlier row gives /);
  await house[Symbol.asyncDispose]();
});

test("a row that needs what no earlier row of its reach gives does not compile", () => {
  const first: MakePart<"cwd", "header"> = () => ({ name: "first", owns: { header: {} as Hall["header"] } });
  const needs: MakePart<"header"> = () => undefined;
  expect(partList().every(first).every(needs).rows).toHaveLength(2);
  // @ts-expect-error: nothing gives header yet.
  expect(partList().every(needs).rows).toHaveLength(1);
  // @ts-expect-error: a sub-agent has no row that is only for main.
  expect(partList().main(first).every(needs).rows).toHaveLength(2);
  // @ts-expect-error: a part that owns something is never switched off.
  const off: MakePart<"cwd", "header"> = () => undefined;
  expect(off({ cwd: "" })).toBeUndefined();
});

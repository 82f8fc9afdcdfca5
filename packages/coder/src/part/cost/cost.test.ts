import { expect, test } from "bun:test";
import { scratch } from "@pith/kit/test";
import { said } from "../../test/command.ts";
import { coderIn } from "../../test/open.ts";

test("/cost tells what was used, and of what nobody knows the price", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [{ text: "Hi.", usage: { input: 12_345, output: 6 } }]);
  const row = coder.commands.rows.find(({ name }) => name === "cost");
  expect(await said(row)).toBe("Nothing was asked yet.");
  await coder.send({ text: "hello" });
  const told = await said(row);
  expect(told).toContain("12,345");
  expect(told).toContain("is not known");
  await coder.close();
});

test("/cost of a model that reports nothing does not say that nothing was asked", async () => {
  using dir = scratch();
  const coder = await coderIn(dir, [{ text: "Hi." }]);
  await coder.send({ text: "hello" });
  const told = await said(coder.commands.rows.find(({ name }) => name === "cost"));
  expect(told).toBe("The model does not report what it used.");
  await coder.close();
});

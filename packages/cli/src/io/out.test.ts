import { expect, test } from "bun:test";
import { Out } from "./out.ts";

test("text is written in order, and what waits goes out together", async () => {
  const writes: string[] = [];
  const out = new Out(async (text) => {
    await Bun.sleep(2);
    writes.push(text);
  });
  for (const text of ["a", "b", "", "c"]) out.write(text);
  await out.flush();
  expect(writes).toEqual(["a", "bc"]);
  out.write("d");
  await out.flush();
  expect(writes).toEqual(["a", "bc", "d"]);
});

test("a reader that is gone is told once; later text is dropped and nothing throws", async () => {
  let tries = 0;
  let told = 0;
  const out = new Out(async () => {
    tries++;
    throw Object.assign(new Error("broken pipe"), { code: "EPIPE" });
  });
  out.onFault = () => told++;
  out.write("a");
  await out.flush();
  out.write("b");
  await out.flush();
  expect([tries, told, out.fault?.message]).toEqual([1, 1, "broken pipe"]);
});

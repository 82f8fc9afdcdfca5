import { expect, test } from "bun:test";
import { Guard } from "./guard.ts";

test("who guesses tokens waits longer each time, nobody else does, and a right one ends it", async () => {
  const waited: number[] = [];
  const guard = new Guard({ full: "f", watch: "w" }, { address: "127.0.0.1", port: 1 }, async (ms) => waited.push(ms));
  const from = (address: string, token: string) => {
    const headers = { host: "127.0.0.1:1", authorization: `Bearer ${token}` };
    return guard.admit(new Request("http://127.0.0.1:1/", { headers }), address);
  };
  for (let count = 0; count < 4; count++) expect(await from("a", "x")).toMatchObject({ status: 401 });
  expect(waited.splice(0)).toEqual([250, 1000, 3000, 3000]);
  await from("b", "x");
  expect([await from("a", "w"), await from("a", "f")]).toEqual(["watch", "full"]);
  await from("a", "x");
  expect(waited.splice(0)).toEqual([250, 250]);
  // However many there are, the last ones are remembered.
  for (let count = 0; count < 1200; count++) await from(`c${count}`, "x");
  waited.length = 0;
  await from("c1199", "x");
  await from("b", "x");
  expect(waited).toEqual([1000, 250]);
});

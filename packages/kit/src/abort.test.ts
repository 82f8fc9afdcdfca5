import { expect, test } from "bun:test";
import { raceEnd } from "./abort.ts";

test("work against an end comes to its own result, its own failure, or the end, whichever is first", async () => {
  const end = Promise.withResolvers<string>();
  const orEnd = raceEnd(end.promise);
  expect(await orEnd(Promise.resolve(1))).toBe(1);
  await expect(orEnd(Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  const never = orEnd(new Promise(() => {}));
  end.resolve("over");
  expect(await never).toBe("over");
  expect(await orEnd(new Promise(() => {}))).toBe("over");
});

test("what was waited for is let go, though the end has not come", async () => {
  const orEnd = raceEnd(new Promise<undefined>(() => {}));
  const refs: WeakRef<object>[] = [];
  for (let n = 0; n < 100; n++) refs.push(new WeakRef((await orEnd(Promise.resolve({ big: Array(1000) }))) ?? {}));
  await Bun.sleep(1);
  Bun.gc(true);
  expect(refs.filter((ref) => ref.deref()).length).toBeLessThan(20);
  expect(orEnd).toBeFunction();
});

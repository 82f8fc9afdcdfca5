import { expect, test } from "bun:test";
import { readBody } from "./body.ts";

const whole = 32 * 1024 * 1024;
/** A request whose body comes in pieces of a megabyte; counts those that were taken. */
function coming(bytes: number) {
  const piece = Buffer.alloc(1024 * 1024, " ");
  const taken = { bytes: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const left = bytes - taken.bytes;
      if (left <= 0) return controller.close();
      const next = left >= piece.length ? piece : Buffer.from(" ".repeat(left - 1).concat("1"));
      taken.bytes += next.length;
      controller.enqueue(next);
    },
  });
  return { taken, request: { body } as unknown as Request };
}

test("a body up to the limit is read, and one byte more is refused before the rest has come", async () => {
  const fits = coming(whole - 1024 * 1024 + 2);
  expect(await readBody(fits.request)).toEqual({ ok: true, value: 1 });
  const long = coming(10 * whole);
  expect(await readBody(long.request)).toEqual({
    ok: false,
    status: 413,
    why: `a command has at most ${whole} bytes`,
  });
  expect(long.taken.bytes).toBeLessThan(whole + 4 * 1024 * 1024);
});

test("what is no JSON, empty or nests too deep is refused with the reason", async () => {
  const said = (body?: string) => readBody(new Request("http://a/", { method: "POST", ...(body && { body }) }));
  expect(await said('{"a":[1]}')).toEqual({ ok: true, value: { a: [1] } });
  for (const body of [undefined, "{", "a"])
    expect(await said(body)).toMatchObject({ ok: false, status: 400, why: expect.stringContaining("not JSON") });
  expect(await said("[".repeat(10_000))).toEqual({ ok: false, status: 400, why: "this nests too deep" });
});

import { expect, test } from "bun:test";
import fc from "fast-check";
import type { StreamEvent } from "../message/stream.ts";
import { cassettes } from "../test/cassette.ts";
import { ask, user } from "../test/fixture.ts";
import { protocols } from "./protocols.ts";

/** Anything a server may put in a place where something else belongs. */
const nonsense = fc.constantFrom<unknown>(
  null,
  undefined,
  0,
  -1,
  1e9,
  "",
  "x",
  true,
  [],
  [null],
  [[]],
  {},
  { type: "x" },
  { length: 3 },
);

/** A copy with something else at one place, chosen by numbers. */
function spoilt(value: unknown, path: readonly number[], by: unknown): unknown {
  const [at, ...rest] = path;
  if (at === undefined || typeof value !== "object" || value === null) return by;
  const keys = Object.keys(value);
  const key = keys[at % (keys.length || 1)];
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  copy[key] = spoilt(copy[key], rest, by);
  return copy;
}

/** Fields of an event that its readers cannot use. */
const wrong = (event: StreamEvent): string[] =>
  Object.entries(event)
    .filter(([name, value]) => !(fits[name] ?? (() => true))(value))
    .map(([name]) => `${event.type}.${name}`);
const isText = (value: unknown) => typeof value === "string";
const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  delta: isText,
  id: isText,
  name: isText,
  signature: isText,
  raw: (value) => value === undefined || isText(value),
  index: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 10_000,
  usage: (value) =>
    Object.values(value as object).every((count) => count === undefined || (Number.isFinite(count) && count >= 0)),
};

const request = ask([user("x")]);

for (const { api, name, bytes } of cassettes)
  test(`${api} ${name}: whatever a server sends instead, the answer ends once and nothing throws`, async () => {
    const wire = await protocols[api]?.({});
    if (!wire) throw new Error(`no wire for ${api}`);
    const payloads = wire.framing().push(bytes);
    fc.assert(
      fc.property(fc.nat(), fc.array(fc.nat({ max: 9 }), { maxLength: 6 }), nonsense, (at, path, by) => {
        const decoder = wire.decoder(request);
        const out: StreamEvent[] = [];
        for (const [i, payload] of payloads.entries()) {
          const spoil = i === at % payloads.length && payload.startsWith("{");
          decoder.push(spoil ? (JSON.stringify(spoilt(JSON.parse(payload), path, by)) ?? "") : payload, out);
        }
        if (!decoder.ended) decoder.end(out);
        expect(out.filter(({ type }) => type === "stop" || type === "fail")).toHaveLength(1);
        expect(out.flatMap(wrong)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

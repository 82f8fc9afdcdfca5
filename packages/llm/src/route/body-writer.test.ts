import { expect, test } from "bun:test";
import { BodyWriter } from "./body-writer.ts";

const read = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

test("a body is the bytes of its pieces, whatever was written before it", () => {
  const scribe = new BodyWriter();
  const bodies = [
    ["{", "a", "]}"],
    ["{", "a", ",", "ü…😀", "]}"],
    ["{", "a", ",", "ü…😀", ",", "x".repeat(100_000), "]}"],
    ["{", "b", "]}"],
    [],
    ["{", "…".repeat(50_000), "a", "]}"],
    ["{", "…".repeat(50_000), "]}"],
  ];
  for (const pieces of bodies) expect(read(scribe.write(pieces))).toBe(pieces.join(""));
});

test("messages already encoded are not written again", () => {
  const scribe = new BodyWriter();
  const said = ["{", "first", "second"];
  const before = scribe.write([...said, "}"]);
  before[1] = "F".charCodeAt(0);
  expect(read(scribe.write([...said, "third", "}"]))).toBe("{Firstsecondthird}");
});

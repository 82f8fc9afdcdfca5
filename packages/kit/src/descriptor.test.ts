import { expect, test } from "bun:test";
import { fstatSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { closing, readRange, writeAll } from "./descriptor.ts";
import { scratch } from "./test/scratch.ts";

test("a descriptor is closed at the end of its block, also when the block throws", () => {
  using dir = scratch();
  writeFileSync(dir.at("a"), "x");
  let open = -1;
  expect(() => {
    open = openSync(dir.at("a"), "r");
    using _ = closing(open);
    throw new Error("in the block");
  }).toThrow("in the block");
  expect(() => fstatSync(open)).toThrow("EBADF");
});

test("a range is read up to its end or that of the file, and nothing behind it", () => {
  using dir = scratch();
  writeFileSync(dir.at("a"), "0123456789");
  const fd = openSync(dir.at("a"), "r");
  using _ = closing(fd);
  expect(readRange(fd, 2, 5).toString()).toBe("234");
  expect(readRange(fd, 7).toString()).toBe("789");
  expect(readRange(fd, 8, 99).toString()).toBe("89");
  expect(readRange(fd, 5, 2)).toHaveLength(0);
  expect(readRange(fd, 20, 30)).toHaveLength(0);
});

test("bytes are written where the last write ended, or at the place that is asked for", () => {
  using dir = scratch();
  const fd = openSync(dir.at("a"), "w+");
  using _ = closing(fd);
  writeAll(fd, Buffer.from("one "));
  writeAll(fd, Buffer.from("two"));
  writeAll(fd, Buffer.from("ONE"), 0);
  expect(readFileSync(dir.at("a"), "utf8")).toBe("ONE two");
});

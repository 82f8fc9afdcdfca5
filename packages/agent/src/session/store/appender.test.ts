import { expect, test } from "bun:test";
import fs, { appendFileSync, closeSync, ftruncateSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { scratch } from "@pith/kit/test";
import { Appender } from "./appender.ts";

const bytes = (text: string) => Buffer.from(text);

test("what is appended stands at the offset that is told, behind what others appended", () => {
  using dir = scratch();
  const file = dir.at("a");
  const appender = new Appender(file, "on sync");
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(appender.append(bytes("one\n"))).toBe(0);
  appendFileSync(file, "theirs\n");
  expect(appender.append(bytes("two\n"))).toBe(11);
  expect(readFileSync(file, "utf8")).toBe("one\ntheirs\ntwo\n");
  closeSync(appender.fd);
});

test("half a line of ours is cut off before the next write, and a stranger's bytes are not", () => {
  using dir = scratch();
  const file = dir.at("a");
  const appender = new Appender(file, "on sync");
  appender.append(bytes("one\n"));
  // For a moment its number is a file that can neither be written nor cut, as on a disk that fails.
  closeSync(appender.fd);
  expect(openSync(file, "r")).toBe(appender.fd);
  expect(() => appender.append(bytes("lost\n"))).toThrow();
  closeSync(appender.fd);
  expect(openSync(file, "a+")).toBe(appender.fd);
  appendFileSync(file, '{"half');
  expect(appender.append(bytes("two\n"))).toBe(4);
  appendFileSync(file, '{"theirs"');
  expect(appender.append(bytes("three\n"))).toBe(17);
  expect(readFileSync(file, "utf8")).toBe('one\ntwo\n{"theirs"three\n');
  closeSync(appender.fd);
});

test("a file that was cut or removed takes nothing more", async () => {
  using dir = scratch();
  const file = dir.at("a");
  const appender = new Appender(file, "on every append");
  appender.append(bytes("one\ntwo\n"));
  ftruncateSync(appender.fd, 4);
  expect(() => appender.append(bytes("three\n"))).toThrow("cut by another program");
  expect(readFileSync(file, "utf8")).toBe("one\n");
  rmSync(file);
  expect(() => appender.append(bytes("three\n"))).toThrow("the file was deleted");
  expect(appender.sync()).rejects.toThrow("the file was deleted");
  writeFileSync(file, "another");
  expect(() => appender.append(bytes("three\n"))).toThrow("the file was deleted");
  closeSync(appender.fd);
});

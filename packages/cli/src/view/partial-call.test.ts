import { expect, test } from "bun:test";
import { CallReader } from "./partial-call.ts";

const content = 'one "two"\n\\three\tü 😀 {"path":"no"}\nfour';
const args = JSON.stringify({ options: { path: "inner", content: ["x"] }, path: "src/ä.ts", content, command: "last" });

function followed(pieces: readonly string[]) {
  const arrival = new CallReader("c", "write");
  for (const piece of pieces) arrival.take(piece);
  return arrival.shape;
}

test("arguments cut anywhere show the same as whole ones, and only what is the call's own", () => {
  const whole = { path: "src/ä.ts", command: "last" };
  const escaped = args.replace(/[ü😀]/gu, (sign) =>
    [...Array(sign.length)].map((_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
  for (const text of [args, escaped])
    for (let at = 0; at <= text.length; at++) {
      const { call, body } = followed([text.slice(0, at), text.slice(at)]);
      expect(call).toEqual({ type: "toolCall", id: "c", name: "write", arguments: whole });
      expect(body).toEqual({ text: content, lines: 2 });
    }
  expect(followed([...escaped]).body.text).toBe(content);
});

test("a path under another name is a path, and what is no JSON shows nothing and throws nothing", () => {
  expect(followed(['{"filePath": "a.ts", "con']).call.arguments).toEqual({ path: "a.ts" });
  for (const text of ["", "]]}}", '"path":"a"', '{"path":"\\q\\u12zz\\', "{{{{", '{"__proto__":"x","path":'])
    expect(followed([...text]).call.arguments).toEqual(text.includes("\\q") ? { path: "" } : {});
});

test("of a file of megabytes the end is kept, and every line counted", () => {
  const arrival = new CallReader("c", "write");
  arrival.take('{"path":"big","content":"');
  for (let line = 0; line < 200_000; line++) arrival.take(`line ${line}\\n`);
  const { body } = arrival.shape;
  expect(body.lines).toBe(200_000);
  expect(body.text.length).toBeLessThan(20_000);
  expect(body.text.endsWith("line 199998\nline 199999\n")).toBe(true);
});

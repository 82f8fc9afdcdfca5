import { expect, test } from "bun:test";
import { looksLikeUrl, parseUrl } from "./url.ts";

test("an address is told from a path at a glance", () => {
  expect(["x://a", "skill://b", "file:///etc", "a/b", "c:\\x", "a:b"].map(looksLikeUrl)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("names keep their case and are decoded", () => {
  expect(parseUrl("Skill://MySkill/A%20b?q=x%2By")).toMatchObject({
    value: { scheme: "skill", host: "MySkill", path: "A b", query: new Map([["q", "x+y"]]) },
  });
  for (const bad of ["rule://[", "rule://%zz", "rule://a\nb"])
    expect(parseUrl(bad)).toMatchObject({ ok: false, message: `Invalid URL: ${bad}` });
});

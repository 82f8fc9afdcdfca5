import { expect, test } from "bun:test";
import { shippedCatalog } from "./catalog.ts";
import { bestMatch, matches } from "./find.ts";

const anthropic = Object.keys((await shippedCatalog("anthropic"))?.models ?? {});
const openai = Object.keys((await shippedCatalog("openai"))?.models ?? {});

test("a few letters mean the newest model they fit, and not its dated twin", () => {
  expect(bestMatch("opus", anthropic)).toBe("claude-opus-5-5");
  expect(bestMatch("Sonnet", anthropic)).toBe("claude-sonnet-5");
  expect(bestMatch("opus 4", anthropic)).toBe("claude-opus-4-8");
  expect(bestMatch("claude opus 4.5", anthropic)).toBe("claude-opus-4-5");
  expect(bestMatch("gpt-5-4", openai)).toBe("gpt-5.4");
  expect(bestMatch("haiku", anthropic)).toBe("claude-haiku-4-5");
  expect(bestMatch("4o-mini", openai)).toBe("gpt-4o-mini");
});

test("letters that fit nothing, or no letters, mean nothing", () => {
  for (const query of ["", "  ", "gpt-99", "opus extra"]) expect(matches(query, anthropic)).toEqual([]);
});

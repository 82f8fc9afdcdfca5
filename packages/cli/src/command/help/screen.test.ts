import { expect, test } from "bun:test";
import { version } from "../../../../../package.json";
import { launchFlags } from "../../argv/flag.ts";
import type { Flag } from "../../argv/parse.ts";
import { helpScreen } from "./screen.ts";
import { topicNames } from "./topic.ts";

test("the help fits one screen and names every option and topic", () => {
  const lines = helpScreen().trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(24);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  for (const [name, flag] of Object.entries<Flag>(launchFlags)) {
    if (!flag.rare) expect(lines.find((line) => line.includes(`--${name}`))).toContain(flag.about);
  }
  for (const topic of topicNames) expect(helpScreen()).toContain(topic);
  expect(lines[0]).toContain(version);
});

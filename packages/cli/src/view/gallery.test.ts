import { expect, test } from "bun:test";
import { plainTheme } from "@pith/tui";
import { viewExamples } from "./gallery.ts";
import { views } from "./view.ts";

test("the gallery has every kind of result, and nothing of a stranger reaches the terminal", () => {
  const names = viewExamples.map(({ name }) => name);
  for (const kind of Object.keys(views)) expect(names).toContain(`view ${kind}`);
  for (const columns of [12, 80]) {
    const rows = viewExamples.flatMap((story) => story.rows({ theme: plainTheme, level: "none", columns, height: 24 }));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject here
    expect(rows.join("\n")).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/);
  }
});

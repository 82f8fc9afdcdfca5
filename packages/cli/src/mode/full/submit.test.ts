import { expect, test } from "bun:test";
import { createEditor, plainTheme } from "@pith/tui";
import { createFakeTimers } from "@pith/tui/test";
import type { ScreenContext } from "./context.ts";
import { PersonSubmitter } from "./submit.ts";

test("what was entered before a start that fails is what I was typing", () => {
  const composer = createEditor({ theme: plainTheme, timers: createFakeTimers(), submit() {} });
  const submitter = new PersonSubmitter({ composer, coder: undefined } as unknown as ScreenContext, () => {});
  const image = { type: "image" as const, data: "x", mimeType: "image/png" };
  submitter.enter({ text: "first", when: "now" });
  submitter.enter({ text: "see [image #1] there", images: [image], when: "now" });
  composer.text = "half a";
  submitter.restoreDraft();
  expect(composer.text).toBe("first\n\nsee [image #1] there\n\nhalf a");
  expect(composer.take().attachments.map(({ content }) => content.kind === "attachment" && content.data)).toEqual([
    image,
  ]);
  composer.clear();
  submitter.restoreDraft();
  expect(composer.text).toBe("");
});

import { expect, test } from "bun:test";
import { createDecoder } from "../input/decoder.ts";
import type { InputEvent } from "../input/event.ts";
import type { View } from "../screen/frame.ts";
import { createFakeTimers } from "../test/timers.ts";
import { strip } from "../text/width.ts";
import { plainTheme } from "../theme/palette.ts";
import { createForm, type FormValues } from "./form.ts";

const press = (view: View, bytes: string) => {
  const decoder = createDecoder();
  for (const event of [...decoder.feed(bytes), ...decoder.flush()]) view.input?.(event as InputEvent);
};

const text = (view: View, columns = 40) => view.render(columns, 24).map((row) => strip(row).trimEnd());

test("a form sends only good answers and says what is wrong with the others", () => {
  const sent: FormValues[] = [];
  const form = createForm({
    theme: plainTheme,
    timers: createFakeTimers(),
    submit: (values) => sent.push(values),
    fields: [
      { kind: "text", name: "name", label: "Name", check: (value) => (value === "" ? "is needed" : undefined) },
      { kind: "toggle", name: "on", label: "Switched on" },
      { kind: "choice", name: "level", label: "Level", choices: ["low", "high"] },
    ],
  });
  form.focused = true;
  press(form, "\r\r\r");
  expect(sent).toEqual([]);
  expect(text(form).some((row) => row.includes("is needed"))).toBe(true);
  press(form, "pith\r \r\x1b[C\r");
  expect(sent).toEqual([{ name: "pith", on: true, level: "high" }]);
});

// Questions beside the conversation, in the full screen.
import { afterAll, expect, test } from "bun:test";
import { need } from "../need.ts";
import { scratch } from "../scratch.ts";
import { ended, serving } from "../serving.ts";
import { tmuxed } from "../tmux.ts";

afterAll(ended);

const script = {
  turns: [{ text: ["One ", "two ", "three."], chunkDelayMs: 400 }, { text: "So." }],
  side: { aside: [{ text: "**Blue**, it seems." }, { text: ["It is", " so"], hang: true }] },
};

test.skipIf(need("tmux") !== undefined)(
  "/btw stands behind a bar with its question, and Escape ends it alone, also in an attached face",
  async () => {
    using dir = scratch();
    dir.write({ "script.json": JSON.stringify(script) });
    const model = ["--model", dir.at("script.json")];
    const server = await serving(dir, model);
    for (const argv of [model, ["attach"]]) {
      using at = tmuxed(dir, argv);
      await at.idle();
      at.type("/btw which colour?\r");
      await at.sees("│ btw: which colour?");
      await at.sees("│ Blue, it seems.");
      at.type("go\r");
      await at.sees("One");
      at.type("/btw and how long?\r");
      await at.sees("│ It is so");
      at.type("\x1b");
      await at.sees("│ Interrupted.");
      await at.sees("One two three.");
      await at.idle();
      expect(at.grid()).not.toContain("Esc stops it");
      await at.leave();
    }
    expect(await server.stop()).toBe(0);
  },
);

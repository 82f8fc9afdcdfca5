import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Lab, turns } from "../lab.ts";
import { loop } from "../turn.ts";
import type { Work } from "../work.ts";

// A hunk without context fits every time, so that the same files can be edited in every round.
const input = (lab: Lab) => ({
  path: join(lab.project, "src", "file-{n}.ts"),
  diff: "@@ -99,0 +100,2 @@\n+export const extra = {\n+};\n",
});

/** The same turns with the syntax check and without; the setting is one that a project may make. */
async function edits(lab: Lab, check: "syntax" | "nothing"): Promise<number> {
  const folder = join(lab.project, ".pith");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.yml"), `edit.check: ${check}\n`);
  try {
    return (
      (await loop(lab, "pith", { play: "calls", turns, tool: "edit", input: input(lab) }, "inserted 100-101")).turn ?? 0
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function reads(lab: Lab): Promise<number> {
  return (
    (
      await loop(
        lab,
        "floor",
        { play: "calls", turns, tool: "read", input: { path: join(lab.project, "src", "file-{n}.ts") } },
        "value199",
      )
    ).turn ?? 0
  );
}

export default {
  title: `${turns} turns that edit a file of 200 lines (the floor only reads it)`,
  async pith(lab) {
    return { unchecked: await edits(lab, "nothing"), checked: await edits(lab, "syntax") };
  },
  async floor(lab) {
    const turn = await reads(lab);
    return { unchecked: turn, checked: turn };
  },
  measures: [
    { of: "unchecked", title: "one turn, without the syntax check", unit: "ms", goal: { timesFloor: 3 } },
    { of: "checked", title: "one turn, with it", unit: "ms", goal: { timesFloor: 6 } },
  ],
} satisfies Work;

import type { Data } from "@pith/agent";
import { plural } from "@pith/kit";
import { head, linesOf, plainLine, rowOf, type View } from "../canvas.ts";

/** Calls that are shown while a sub-agent works. */
const mostCalls = 5;

/** A sub-agent: its calls and its report. */
export const task: View<Data["task"]> = {
  rows(data, { text, failed }, canvas) {
    const { calls, callCount, thinking } = data;
    const { glyph } = canvas.theme;
    const seen = calls.slice(-mostCalls);
    const before = callCount - seen.length;
    const signs = { running: glyph.pointer, done: glyph.ok, failed: glyph.bad };
    const rows = seen.map(({ tool, about, state }) =>
      rowOf(`  ${signs[state] ?? glyph.bullet} ${plainLine(`${tool} ${about}`)}`, canvas, "dim"),
    );
    // Thoughts are folded to their first words.
    const thought = thinking ? [rowOf(`  thought: ${plainLine(thinking)}`, canvas, "dim")] : [];
    const works = data.state === "running" || data.state === "waiting";
    const report = works ? [] : head(linesOf(text), canvas, failed ? "error" : "text");
    return [
      ...(before > 0 ? [rowOf(`  ${glyph.ellipsis} ${plural(before, "call")} before`, canvas, "dim")] : []),
      ...rows,
      ...thought,
      ...(data.state === "waiting" ? [rowOf("  waits for another one to end", canvas, "dim")] : []),
      ...report,
    ];
  },
};

import { fileStorage, Journal, outline } from "../../packages/agent/src/index.ts";
import { pathRows } from "../../packages/cli/src/mode/full/dialog/tree/path.ts";
import { systemClock } from "../../packages/kit/src/index.ts";
import type { Lab } from "../lab.ts";
import { huge, type Size, sessionOf, small } from "../session.ts";
import type { Work } from "../work.ts";

/** In an open session: the rows that `/tree` shows first, as the dialog gets them for a record of this length. */
async function firstPage(lab: Lab, size: Size): Promise<{ wall: number }> {
  const file = await sessionOf(lab, size);
  const opened = Journal.open({ storage: fileStorage(file), clock: systemClock, onFault: () => {} }, "read");
  if (!opened.ok) throw new Error(opened.message);
  const { tree } = opened.value.journal;
  const began = performance.now();
  const rows = size === huge ? pathRows({ back: () => tree.back() }).take(200) : outline(tree);
  const wall = performance.now() - began;
  if (rows.length < 20) throw new Error(`only ${rows.length} rows`);
  await opened.value.journal.close();
  return { wall };
}

export default {
  title: "/tree, first page: 200,000 entries (floor: 200)",
  pith: (lab) => firstPage(lab, huge),
  floor: (lab) => firstPage(lab, small),
  measures: [{ of: "wall", title: "wall", unit: "ms", goal: { timesFloor: 2 } }],
} satisfies Work;

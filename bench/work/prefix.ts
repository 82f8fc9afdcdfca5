import { join } from "node:path";
import { type Lab, turns } from "../lab.ts";
import type { Seen } from "../mock.ts";
import { argsFor } from "../turn.ts";
import type { Work } from "../work.ts";

/** A request ends with the brackets that close its messages; all before them is what a server could keep. */
const closing = 2;
const lost = (seen: readonly Seen[]) =>
  seen.reduce((sum, { before, kept }) => sum + Math.max(0, before - closing - kept), 0);

async function run(lab: Lab, subject: "pith" | "floor") {
  const scene = {
    play: "calls",
    turns: turns / 2,
    tool: "read",
    input: { path: join(lab.project, "src", "file-{n}.ts") },
  } as const;
  const [first, ...rest] = (await lab.start(subject, argsFor(subject, "do it again and again"), scene)).seen;
  // The second half goes on in another process; the floor cannot, so it begins anew there.
  const resumed = (
    await lab.start(subject, [...argsFor(subject, "and again"), ...(subject === "pith" ? ["-c"] : [])], scene)
  ).seen;
  if (!first || rest.length !== turns / 2 || resumed.length <= turns / 2)
    throw new Error(`${subject}: ${rest.length + resumed.length} requests instead of ${turns + 1}`);
  const seen = [...rest, ...(subject === "pith" ? resumed : resumed.slice(1))];
  const [gone, all] = [lost(seen), seen.reduce((sum, { before }) => sum + before - closing, 0)];
  return { lost: gone, share: 100 * (1 - gone / all) };
}

export default {
  title: `the prefix of ${turns} turns, resumed in the middle`,
  pith: (lab) => run(lab, "pith"),
  floor: (lab) => run(lab, "floor"),
  measures: [
    { of: "lost", title: "sent before and changed since", unit: "bytes", goal: { atMost: 0 } },
    { of: "share", title: "sent before and sent again as it was", unit: "%" },
  ],
} satisfies Work;

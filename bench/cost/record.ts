// `node bin/bun bench/cost/record.ts`: what pi's requests come to on the same tasks, into pi.json: figures, no text.
// PITH_PEER_PI is the folder of its package, PITH_PEER_NODE that of a Node which it takes.
import { join } from "node:path";
import { perform, piAgent } from "./agent.ts";
import type { Vendor } from "./cache.ts";
import { plays } from "./plays.ts";
import { type Sums, sumOf, vendors } from "./run.ts";

const { PITH_PEER_PI, PITH_PEER_NODE } = process.env;
if (!PITH_PEER_PI || !PITH_PEER_NODE) throw new Error("set PITH_PEER_PI and PITH_PEER_NODE");
const agent = piAgent(PITH_PEER_PI, join(PITH_PEER_NODE, "bin/node"));
const { version } = (await Bun.file(join(PITH_PEER_PI, "package.json")).json()) as { version: string };
const figures: Record<string, Record<string, Sums & { first: number }>> = {};
for (const vendor of Object.keys(vendors) as Vendor[])
  for (const [name, play] of Object.entries(plays)) {
    const spent = await perform(agent, vendor, play);
    figures[vendor] ??= {};
    figures[vendor][name] = Object.assign(sumOf(spent), { first: spent[0]?.bytes ?? 0 });
    process.stderr.write(`${vendor} ${name} ${JSON.stringify(figures[vendor][name])}\n`);
  }
await Bun.write(join(import.meta.dir, "pi.json"), `${JSON.stringify({ version, figures }, null, 1)}\n`);

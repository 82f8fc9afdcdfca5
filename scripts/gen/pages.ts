// Writes the pages that are made from tables of the program: docs/options.md, docs/pith.1 (the manual),
// docs/events.schema.json, and the tables of docs/settings.md, docs/json-events.md and docs/rpc.md. By hand:
// `node bin/bun scripts/gen/pages.ts`. A test fails when a page differs.
import { join } from "node:path";
import { root } from "../gate/tree.ts";
import { eventsPage, eventsSchema, rpcPage } from "./events.ts";
import { manual } from "./manual.ts";
import { optionsPage } from "./options.ts";
import { settingsPage } from "./settings.ts";

await Bun.write(join(root, "docs", "options.md"), await optionsPage());
await Bun.write(join(root, "docs", "pith.1"), await manual());
const rpc = join(root, "docs", "rpc.md");
await Bun.write(rpc, rpcPage(await Bun.file(rpc).text()));
const events = join(root, "docs", "json-events.md");
await Bun.write(events, eventsPage(await Bun.file(events).text()));
await Bun.write(join(root, "docs", "events.schema.json"), eventsSchema());
const settings = join(root, "docs", "settings.md");
await Bun.write(settings, settingsPage(await Bun.file(settings).text()));

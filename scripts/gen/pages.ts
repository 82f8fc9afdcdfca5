// Writes the pages that are made of the program's own tables: docs/options.md, the table of docs/settings.md and the
// manual, docs/pith.1. By hand: `node bin/bun scripts/gen/pages.ts`. A test fails when they are not what this writes.
import { join } from "node:path";
import { root } from "../gate/tree.ts";
import { manual } from "./manual.ts";
import { optionsPage } from "./options.ts";
import { settingsPage } from "./settings.ts";

await Bun.write(join(root, "docs", "options.md"), await optionsPage());
await Bun.write(join(root, "docs", "pith.1"), await manual());
const settings = join(root, "docs", "settings.md");
await Bun.write(settings, settingsPage(await Bun.file(settings).text()));

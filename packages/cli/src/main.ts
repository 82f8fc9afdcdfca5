// The door of the program. What can be answered here is answered before anything else is loaded.
import { version } from "../../../package.json";
import { runtimeFault } from "./guard.ts";

const fault = runtimeFault({ width: typeof Bun === "undefined" ? undefined : Bun.stringWidth });
const [first] = process.argv.slice(2);
if (fault) {
  process.stderr.write(`pith: ${fault}\n`);
  process.exit(1);
} else if (first === "--version" || first === "-v") {
  await Bun.write(Bun.stdout, `${version}\n`);
} else if (first === "--help" || first === "-h") {
  const { helpScreen } = await import("./argv/screen.ts");
  await Bun.write(Bun.stdout, helpScreen());
} else {
  const { run } = await import("./command/run.ts");
  const { processIo } = await import("./io/io.ts");
  process.exit(await run(process.argv.slice(2), processIo()));
}

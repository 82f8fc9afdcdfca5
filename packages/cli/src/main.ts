// The door of the program. What can be answered here is answered before anything else is loaded.
import { version } from "../../../package.json";
import { runtimeFault } from "./guard.ts";

const fault = runtimeFault({ width: typeof Bun === "undefined" ? undefined : Bun.stringWidth });
const [first] = process.argv.slice(2);
if (fault) {
  process.stderr.write(`pith: ${fault}\n`);
  process.exit(1);
} else if (first === "--version" || first === "-v") {
  await show(`${version}\n`);
} else if (first === "--help" || first === "-h") {
  const { helpScreen } = await import("./command/help/screen.ts");
  await show(helpScreen());
} else {
  if (process.env.PITH_TIMING === "full") (await import("./io/loads.ts")).watchLoads();
  const { run } = await import("./command/run.ts");
  const { processIo } = await import("./io/io.ts");
  process.exit(await run(process.argv.slice(2), processIo()));
}

async function show(text: string): Promise<void> {
  try {
    await Bun.write(Bun.stdout, text);
  } catch (error) {
    // A reader that left is no error; a full disk is one.
    if ((error as { code?: unknown }).code === "EPIPE") return;
    process.stderr.write(`pith: the output could not be written: ${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}

// Measures a stream in a pty: `bun stream.ts engine|floor [tokens] [per second] [blocks of history]` prints its figures
// as JSON.
import { until } from "../../packages/kit/src/test/index.ts";
import { drive } from "./drive.ts";
import { serveTokens } from "./tokens.ts";

const [subject, tokens = "2000", rate = "200", blocks = "5000"] = process.argv.slice(2);
const source = serveTokens(Number(tokens), Number(rate));
{
  using child = drive(subject === "floor" ? "floor.ts" : "program.ts", [source.url, blocks]);
  let before = 0;
  if (subject !== "floor") {
    await until(() => child.output().includes("ready"), "the first frame");
    await until(() => child.output().includes(`block ${Number(blocks) - 1}`), "the transcript");
    await Bun.sleep(300);
    before = child.bytes();
    child.type("\r");
  }
  await until(() => child.report().endsWith("}"), "the end", (Number(tokens) / Number(rate)) * 1000 + 20_000);
  await Bun.sleep(100);
  const { cpuMs } = JSON.parse(child.report()) as { cpuMs: number };
  process.stdout.write(`${JSON.stringify({ cpuMs, bytes: child.bytes() - before, text: source.text.length })}\n`);
}
source.stop();
process.exit(0);

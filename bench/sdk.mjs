// 51 agents of the SDK in one process, each after a turn with a command and a look: what the fifty beyond the first
// hold. Run by `work/sdk.ts`, on either runtime.
import { readFileSync } from "node:fs";
import { fauxModel, fauxStream, openCoder } from "../dist/sdk/pith.js";

const script = {
  turns: [
    {
      calls: [
        { tool: "bash", input: { command: "echo hi" } },
        { tool: "read", input: { path: "." } },
      ],
    },
    { text: "Done." },
  ],
};
const resident = () => {
  globalThis.Bun?.gc(true);
  return (Number(/VmRSS:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024) / 1e6;
};
async function agent() {
  const model = { ...fauxModel("bench", script), stream: fauxStream(script) };
  const opened = await openCoder({ model, approval: "yolo" });
  if (!opened.ok) throw new Error(opened.message);
  await opened.value.send({ text: "go" });
  if (opened.value.messageCount() !== 5) throw new Error("the turn did not run");
  return opened.value;
}
const agents = [await agent()];
const first = resident();
while (agents.length < 51) agents.push(await agent());
const each = (resident() - first) / 50;
await Promise.all(agents.map((one) => one.close()));
process.stdout.write(JSON.stringify({ first, each }));

// Played by session-lock.test.ts, several at a time: takes the session whenever it can, writes, and is killed now and
// then.
import { fileStorage, Journal } from "../../packages/agent/src/index.ts";
import { systemClock } from "../../packages/kit/src/index.ts";

const [file = "", ms = "0"] = process.argv.slice(2);
const end = performance.now() + Number(ms);
let turns = 0;
while (performance.now() < end) {
  const opened = Journal.open({
    storage: fileStorage(file),
    clock: systemClock,
    onFault: (message) => process.stderr.write(`${message}\n`),
  });
  if (opened.ok) {
    turns++;
    opened.value.journal.append({ type: "custom", customType: "turn", data: process.pid });
    if (Math.random() < 0.01) process.kill(process.pid, "SIGKILL");
    await Bun.sleep(Math.random() * 3);
    opened.value.journal.append({ type: "custom", customType: "turn", data: process.pid });
    await opened.value.journal.close();
  } else if (opened.kind !== "locked") process.stderr.write(`${opened.message}\n`);
  await Bun.sleep(Math.random() * 4);
}
process.stdout.write(`${turns}\n`);

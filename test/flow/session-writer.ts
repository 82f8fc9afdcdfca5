// Played by session-kill.test.ts: writes entries to a session, tells each one after it was written, and waits to be
// killed.
import { writeSync } from "node:fs";
import { fileBlobs, fileStorage, Journal } from "../../packages/agent/src/index.ts";
import { systemClock } from "../../packages/kit/src/index.ts";

const [file = "", blobs = ""] = process.argv.slice(2);
const parts = {
  clock: systemClock,
  blobs: fileBlobs(blobs, () => Date.now()),
  onFault: (text: string) => writeSync(2, `${text}\n`),
};
const opened = Journal.open({ ...parts, storage: fileStorage(file) });
if (!opened.ok && opened.kind !== "missing") {
  writeSync(2, `${opened.message}\n`);
  process.exit(1);
}
const journal = opened.ok
  ? opened.value.journal
  : Journal.create({ ...parts, storage: () => fileStorage(file) }, { cwd: "/project" });
for (let round = 0; ; round++) {
  const entry = journal.append({
    type: "custom_message",
    customType: "t",
    content: `${round} `.padEnd((round % 50) * 40, "x"),
    display: true,
  });
  writeSync(1, `${entry.id}\n`);
  if (round % 7 === 0) await journal.sync();
}

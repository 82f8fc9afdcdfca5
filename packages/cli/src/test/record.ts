import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { blobFolder, bucket, type EntryDraft, fileBlobs, fileName, fileStorage, Journal } from "@pith/agent";
import { runIn } from "./command.ts";
import { assistant, call, result } from "./fake.ts";

let made = 0;
let time = Date.parse("2026-03-01T00:00:00Z");
export const clock = { now: () => (time += 70_000) };

/** A home with its sessions below a folder of a test, and the command line in front of it. */
export function recordsIn(root: string) {
  const home = join(root, String(made++));
  const cwd = join(home, "project");
  mkdirSync(cwd, { recursive: true });
  const pith = (...argv: string[]) => runIn(root, argv, { home, cwd, userHome: join(home, "user"), clock });
  const record = async (drafts: EntryDraft[], where = cwd) => {
    const blobs = fileBlobs(blobFolder(home), () => time);
    const journal = Journal.create(
      {
        clock,
        blobs,
        onFault: () => {},
        storage: (header) => fileStorage(join(bucket(join(home, "sessions"), where), fileName(header))),
      },
      { cwd: where },
    );
    journal.appendAll(drafts);
    await journal.close();
    return { file: journal.file ?? "", id: journal.header.id, journal };
  };
  return { home, cwd, pith, record };
}

export const said = (text: string): EntryDraft => ({
  type: "message",
  message: { role: "user", content: text, timestamp: 0 },
});
export const picture = Buffer.alloc(1200, 9).toString("base64");
export const work: EntryDraft[] = [
  said("fix <b>it</b> & go"),
  {
    type: "message",
    message: assistant([
      { type: "text", text: "see `x` and\n```\n<script>alert(1)</script>\n```" },
      call("c1", "edit", { path: "a.ts" }),
    ]),
  },
  {
    type: "message",
    message: result("c1", "edit", "done\u001b[31m", {
      details: {
        kind: "diff",
        files: [{ path: "a.ts", change: "modified", added: 1, removed: 1, patch: "@@ -1 +1 @@\n-old\n+new" }],
      },
    }),
  },
  {
    type: "message",
    message: { role: "user", content: [{ type: "image", data: picture, mimeType: "image/png" }], timestamp: 0 },
  },
];

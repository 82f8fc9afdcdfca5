import { type Outcome, refusal, schema as s, type Tool, tool } from "@pith/agent";
import { readWhole, writeWhole } from "@pith/host";
import { formatBytes, showPath } from "@pith/kit";
import { tagHeader } from "../../snapshot/header.ts";
import type { Snapshots } from "../../snapshot/snapshot.ts";
import { fileChange } from "../change.ts";
import { type Place, resolvePath, trouble } from "../place.ts";
import about from "./write.md" with { type: "text" };

const input = s.object({ path: s.string().min(1), content: s.string().describe("The complete content of the file") });
type Input = s.Infer<typeof input>;

export function write(place: Place & { snapshots: Snapshots }): Tool<Input> {
  return tool({
    name: "write",
    about,
    input,
    effect: "write",
    paths: ({ path }) => [resolvePath(place, path)],
    async run({ path: given, content }): Promise<Outcome> {
      const path = resolvePath(place, given);
      const name = showPath(place.cwd, path);
      if (given.endsWith("/")) return refusal(`${given}: names a directory; give the path of a file`);
      const old = readWhole(path);
      const bytes = Buffer.from(content);
      const executable = content.startsWith("#!");
      const written = await writeWhole(path, bytes, executable ? { executable } : {});
      if (!written.ok) return refusal(`${trouble(place, path, written)}. Nothing was written.`);
      const { change, inPlace } = written.value;
      const how = change === "created" ? "new file" : `replaced ${old.ok ? formatBytes(old.value.bytes.length) : "it"}`;
      return {
        kind: "diff",
        data: { files: [await fileChange(name, change === "created" ? undefined : old.ok ? old.value.bytes.toString() : "", content)] },
        text: `${tagHeader(name, place.snapshots.mint(path, bytes))}\nSuccessfully wrote ${bytes.length} bytes to ${name} (${how}${executable ? ", executable" : ""})`,
        ...(inPlace && { meta: { notes: [`Written in place because of its ${inPlace}`] } }),
      };
    },
  });
}

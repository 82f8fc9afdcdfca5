import { type Outcome, refusal } from "@pith/agent";
import { writeMember } from "@pith/host";
import { showPath } from "@pith/kit";
import { type Inside, memberName } from "../container.ts";
import type { WriteParts } from "./parts.ts";

/** Replaces or adds one file of an archive. */
export async function writeArchive(parts: WriteParts, { path, rest }: Inside, content: string): Promise<Outcome> {
  const inner = rest.slice(1);
  const name = memberName(inner);
  if (name === undefined) return refusal("Archive path cannot contain '..'");
  if (name === "") return refusal("Archive write path must target a file inside the archive");
  if (inner.endsWith("/")) return refusal("Archive write path must target a file, not a directory");
  const bytes = Buffer.from(content);
  const shown = showPath(parts.cwd, path);
  const written = await writeMember(path, { name, bytes, changed: parts.clock.now() });
  if (!written.ok) return refusal(`${written.message.replace(path, shown)}. Nothing was written.`);
  return {
    kind: "page",
    data: { path: `${shown}:${name}`, bytes: bytes.length },
    text: `Successfully wrote ${bytes.length} bytes to ${shown}:${name}`,
    meta: { source: { path }, ...(written.value.change === "created" && { notes: ["The archive is new"] }) },
  };
}

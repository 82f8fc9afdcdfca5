import { emptyScene } from "@pith/agent";
import { fail, isRecord, messageOf, ok, type Result } from "@pith/kit";
import type { AttachLine, Hello } from "./attach-server.ts";

const hasId = (value: unknown) => isRecord(value) && typeof value.id === "string";

/** Checks what an interface cannot do without. The server may be another version of pith than the interface. */
const shape: Readonly<Record<Exclude<keyof Hello, "file">, (value: unknown) => boolean>> = {
  header: (value) => isRecord(value) && hasId(value) && typeof value.cwd === "string",
  held: (value) => isRecord(value) && hasId(value.model),
  entries: (value) => Array.isArray(value) && value.every(hasId),
  leaf: (value) => value === null || typeof value === "string",
  scene: (value) => isRecord(value) && Object.entries(emptyScene).every(([key, empty]) => isLike(value[key], empty)),
  commands: (value) => Array.isArray(value) && value.every((row) => isRecord(row) && typeof row.name === "string"),
  jobs: (value) => Array.isArray(value) && value.every(hasId),
};
const isLike = (value: unknown, empty: unknown) =>
  empty === undefined || (Array.isArray(empty) ? Array.isArray(value) : isRecord(value));

/** Reads the first line of the server, and tells what is wrong with it. */
export async function helloFrom(lines: AsyncIterator<AttachLine>): Promise<Result<Hello, "attach">> {
  let said: unknown;
  try {
    said = (await lines.next()).value;
  } catch (error) {
    return fail("attach", `The server does not speak as this pith does: ${messageOf(error)}`);
  }
  const hello = isRecord(said) ? said.hello : undefined;
  if (!isRecord(hello)) return fail("attach", "The server said nothing of the session.");
  const wrong = Object.entries(shape).flatMap(([name, holds]) => (holds(hello[name]) ? [] : name));
  if (wrong.length === 0) return ok(hello as unknown as Hello);
  return fail("attach", `${otherPith} (It says nothing of ${wrong.join(", ")} that counts here.)`);
}

export const otherPith =
  "The server is another pith than this one; pith serve stop ends it, pith serve begins one of this kind.";

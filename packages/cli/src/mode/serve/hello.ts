import { emptyScene } from "@pith/agent";
import { fail, isRecord, messageOf, ok, type Result } from "@pith/kit";
import type { Hello, Told } from "./remote-server.ts";

const hasId = (value: unknown) => isRecord(value) && typeof value.id === "string";

/** What a face cannot do without. A server may be another pith than the one that comes to it. */
const shape: Readonly<Record<Exclude<keyof Hello, "file">, (value: unknown) => boolean>> = {
  header: (value) => isRecord(value) && hasId(value) && typeof value.cwd === "string",
  held: (value) => isRecord(value) && hasId(value.model),
  entries: (value) => Array.isArray(value) && value.every(hasId),
  leaf: (value) => value === null || typeof value === "string",
  scene: (value) =>
    isRecord(value) && Object.keys(emptyScene).every((key) => needless.has(key) || isRecord(value[key])),
  commands: (value) => Array.isArray(value) && value.every((row) => isRecord(row) && typeof row.name === "string"),
  jobs: (value) => Array.isArray(value) && value.every(hasId),
};
const needless = new Set(["turn", "context"]);

/** The first line of a mirror, or what is wrong with it. */
export async function helloFrom(lines: AsyncIterator<Told>): Promise<Result<Hello, "mirror">> {
  let said: unknown;
  try {
    said = (await lines.next()).value;
  } catch (error) {
    return fail("mirror", `The server does not speak as this pith does: ${messageOf(error)}`);
  }
  const hello = isRecord(said) ? said.hello : undefined;
  if (!isRecord(hello)) return fail("mirror", "The server said nothing of the session.");
  const wrong = Object.entries(shape).flatMap(([name, holds]) => (holds(hello[name]) ? [] : name));
  return wrong.length === 0
    ? ok(hello as unknown as Hello)
    : fail(
        "mirror",
        `The server is another pith than this one (it says nothing of ${wrong.join(", ")} that counts here); ` +
          "pith serve stop ends it, pith serve begins one of this kind.",
      );
}

import { fail, ok } from "@pith/kit";
import type { Conflict } from "../conflicts.ts";
import type { Handler } from "../handler.ts";

/** Conflicts of a merge: a whole region, or one side. Only the write tool resolves one. */
export const conflict: Handler = {
  resolve({ host, path }, { conflicts }) {
    const known = conflicts.find(host);
    if (!known) return fail("url", unknownConflict(host, conflicts.all()));
    if (path === "") return ok({ text: known.region.text });
    const side = path === "ours" || path === "theirs" || path === "base" ? known.region[path] : undefined;
    if (side) return ok({ text: side.text });
    return fail(
      "url",
      path === "base"
        ? `Conflict ${host} has no base: the merge did not record one`
        : `conflict://${host}/${path}: the sides are ours, theirs and base`,
    );
  },
  list: ({ conflicts }) => conflicts.all().map(({ id }) => `conflict://${id}`),
};

export function unknownConflict(id: string, known: readonly Conflict[]): string {
  const ids = known.map((conflict) => conflict.id).join(", ");
  const hint = known.length > 0 ? `Known: ${ids}` : "Read a file with :conflicts first.";
  return `Conflict ${JSON.stringify(id)} not found. ${hint}`;
}

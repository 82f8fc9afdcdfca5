import type { Coder } from "@pith/coder";
import { plainText, plural, showPath } from "@pith/kit";

/** Names the files that the model is told before the first prompt; undefined when there are none. */
export function readsOf(
  { files, skills, rules }: Awaited<ReturnType<Coder["report"]["reads"]>>,
  cwd: string,
): string | undefined {
  const more = [...(skills > 0 ? [plural(skills, "skill")] : []), ...(rules > 0 ? [plural(rules, "rule")] : [])];
  const all = [...files.map((file) => plainText(showPath(cwd, file))), ...more];
  return all.length > 0 ? `reads ${all.join(", ")} (/sources)` : undefined;
}

import { type Outcome, refusal, schema as s, type Tool, tool } from "@pith/agent";
import { readWhole, writeWhole } from "@pith/host";
import { plural, showPath } from "@pith/kit";
import { fileChange } from "../change.ts";
import { type Place, resolvePath, trouble } from "../place.ts";
import about from "./edit.md" with { type: "text" };
import { applyPlan, planEdits } from "./plan.ts";

const input = s.object({
  path: s.string().min(1),
  edits: s.array(s.object({ oldText: s.string(), newText: s.string(), all: s.boolean().optional() })).min(1),
});
type Input = s.Infer<typeof input>;

export function edit(place: Place): Tool<Input> {
  return tool({
    name: "edit",
    about,
    input,
    effect: "write",
    paths: ({ path }) => [resolvePath(place, path)],
    async run({ path: given, edits }): Promise<Outcome> {
      const path = resolvePath(place, given);
      const name = showPath(place.cwd, path);
      const old = readWhole(path);
      if (!old.ok) return refusal(`${trouble(place, path, old)}.${old.kind === "missing" ? " Use write to make a new file." : ""}`);
      const { bytes: before, stat } = old.value;
      if (before.includes(0)) return refusal(`${name}: is not a text file. Nothing was changed.`);
      const plan = planEdits(before, edits);
      if (!plan.ok) return refusal(`${name}: ${plan.message} Nothing was changed.`);
      const after = applyPlan(before, plan.value);
      const written = await writeWhole(path, after, { since: stat });
      if (!written.ok) return refusal(`${trouble(place, path, written)}. Nothing was changed.`);
      const change = await fileChange(name, before.toString(), after.toString());
      const lines = plan.value.map(({ line }) => line);
      const shown = lines.slice(0, 10).join(", ") + (lines.length > 10 ? ", …" : "");
      return {
        kind: "diff",
        data: { files: [change] },
        text: `Edited ${name}: ${plural(lines.length, "replacement")} at line ${shown} (+${change.added} -${change.removed})`,
        ...(written.value.inPlace && { meta: { notes: [`Written in place because of its ${written.value.inPlace}`] } }),
      };
    },
  });
}

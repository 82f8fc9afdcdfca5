import { each } from "../look.ts";
import { context } from "../read/words.ts";
import type { Source } from "../registry.ts";

/** What a project tells every agent; it comes before what it tells one of the others. */
export const agentsMd: Source = {
  name: "agents-md",
  title: "AGENTS.md",
  priority: 85,
  finds: {
    context: (look) =>
      each(
        ["AGENTS.override.md", "AGENTS.md"].flatMap((file) => look.everywhere(file)),
        context,
      ),
  },
};

import type { Spot } from "../item.ts";
import { each, type Look } from "../look.ts";
import { skillsIn } from "../native.ts";
import { agent, context, promptTemplate, rule, system, template } from "../read/words.ts";
import type { Source } from "../registry.ts";

/** What several agents share: every `.agents` (or `.agent`) on the way up, and the user's. */
const all = (look: Look, ...names: string[]): Spot[] => [
  ...[".agents", ".agent"].flatMap((folder) => look.everywhere(folder, ...names)),
  ...[".agents", ".agent"].flatMap((folder) => look.athome(folder, ...names)),
];

export const agents: Source = {
  name: "agents",
  title: ".agents",
  priority: 70,
  finds: {
    context: (look) => each(all(look, "AGENTS.md"), context),
    system: (look) => each(all(look, "SYSTEM.md"), system),
    skill: (look) => skillsIn(look, all(look, "skills")),
    command: (look) => each(look.files(all(look, "commands"), /\.md$/), template),
    prompt: (look) => each(look.files(all(look, "prompts"), /\.md$/), promptTemplate),
    rule: (look) => each(look.files(all(look, "rules"), /\.mdc?$/), rule),
    agent: (look) => each(look.files(all(look, "agents"), /\.md$/), agent),
  },
};

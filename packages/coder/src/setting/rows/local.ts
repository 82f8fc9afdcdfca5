import { always, type Spec } from "../spec.ts";

const about = { trusted: always, applies: "turn", tab: "model", group: "Small models" } as const;

/** What makes small models finish their work. The profiles local and orchestrator have all of it on. */
export const localSettings = {
  "local.packets": {
    type: "switch",
    default: false,
    ...about,
    about: "Whether the model is told after every step where it stands; on with the profiles local and orchestrator.",
  },
  "local.completion": {
    type: "switch",
    default: false,
    ...about,
    about:
      "Whether the model has to say that it is done, and is asked to go on where it does not; on with the profiles local and orchestrator.",
  },
  "local.guards": {
    type: "switch",
    default: false,
    ...about,
    about:
      "Whether calls that repeat what was just answered, and more of them than one reply should have, are answered without being run; on with the profiles local and orchestrator.",
  },
  "local.keepAlive": {
    type: "text",
    default: undefined,
    ...about,
    about:
      "How long an Ollama server keeps the model in memory after an answer (`30m`, `-1` for ever); unset is the server's own. 30m with the profiles local and orchestrator; compat.keepAlive in models.yml wins.",
  },
  "dispatch.enabled": {
    type: "switch",
    default: false,
    ...about,
    about:
      "Whether a question to the model tells first what kind of work the input asks for; on with the profiles local and orchestrator.",
  },
  "dispatch.timeout": {
    type: "number",
    min: 1,
    max: 600,
    default: 20,
    ...about,
    about: "Seconds that this question may take; then the input counts as one that asks for several things.",
  },
  "dispatch.routes": {
    type: "switch",
    default: false,
    ...about,
    about:
      "Whether an input that only asks something is looked into by a sub-agent (deep-explore) first; on with the profile orchestrator.",
  },
  "orchestrator.review": {
    type: "switch",
    default: false,
    ...about,
    about:
      "Whether a sub-agent reviews the files that were written when the model stops, once in a turn; on with the profile orchestrator.",
  },
  "orchestrator.branch": {
    type: "switch",
    default: false,
    ...about,
    about: "Whether a new session begins on a branch of its own (`git switch -c`), judged like any command.",
  },
} as const satisfies Record<string, Spec>;

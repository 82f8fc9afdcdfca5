import type { Event } from "@pith/agent";
import { plainText } from "@pith/kit";

const broken = {
  stopped: "the answer was stopped",
  result: "the model is told with the result",
  after: "the model is told",
} as const;

/** Tells in one line of rules that were broken. */
export const remindedLine = ({ rules, how }: Extract<Event, { type: "reminded" }>): string =>
  `rule broken: ${rules.map(({ name, path }) => oneLine(`${name} (${path})`)).join(", ")}; ${broken[how]}`;

const oneLine = (text: string): string => plainText(text).replace(/\s+/g, " ").trim();

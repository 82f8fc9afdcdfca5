import { plural } from "@pith/kit";
import { unusedWhy } from "../../../capability/kind/kind.ts";
import { type HookNeeds, Hooks } from "./hooks.ts";

/** Opens the hooks of a conversation, if there are any; tells which of the project wait for a yes. */
export function openHooks(hall: HookNeeds, tell: (text: string) => void): Hooks | undefined {
  const { capabilities } = hall;
  const used = capabilities.of("hook").all.filter(({ data }) => unusedWhy("hook", data) === undefined);
  const left = used.filter(({ state }) => state === "untrusted");
  if (left.length > 0) {
    const files = [...new Set(left.map(({ file, why }) => `${capabilities.shortName(file)}: ${why}`))].join("; ");
    const what = `${plural(left.length, "hook")} of this project left out (${files})`;
    tell(`${what}; pith trust --show tells more.`);
  }
  return used.every(({ state }) => state === "untrusted" || state === "disabled") ? undefined : new Hooks(hall);
}

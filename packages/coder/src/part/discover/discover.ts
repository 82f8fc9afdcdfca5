import type { MakePart } from "../../hall/part.ts";
import { loadTools } from "./load-tools.ts";

/** Lets the model find tools that it was not told of, by what they do or by calling them by name. */
export const discover: MakePart<"tools" | "offering" | "settings"> = ({ tools, offering, settings }) => {
  const finding = {
    hidden: () => offering.hidden,
    sourceOf: (name: string) => tools.sourceOf(name),
    find: (names: readonly string[]) => offering.find(names),
  };
  const off = settings.get("tools.discoveryMode") === "off";
  return {
    name: "discover",
    tools: off ? [] : [loadTools(finding)],
    // A tool that was called is told from now on, whatever became of the call.
    step({ reply }) {
      const called = (reply?.content ?? []).flatMap((part) => (part.type === "toolCall" ? [part.name] : []));
      offering.find(called.flatMap((name) => (tools.get(name) ?? tools.meant(name))?.name ?? []));
    },
  };
};

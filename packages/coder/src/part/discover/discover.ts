import type { Hook } from "@pith/agent";
import type { MakePart } from "../../hall/part.ts";
import { searchTools } from "./search-tool-bm25.ts";

/** Tools that the model was not told of: it finds them by what they do, or calls them by name. */
export const discover: MakePart<"tools" | "offering" | "settings"> = ({ tools, offering, settings }) => {
  const hook: Hook = {
    name: "discover",
    // Whatever came of the call: who calls a tool shall know what it takes.
    step({ reply }) {
      const called = (reply?.content ?? []).flatMap((part) => (part.type === "toolCall" ? [part.name] : []));
      offering.find(called.flatMap((name) => (tools.get(name) ?? tools.meant(name))?.name ?? []));
      return { do: "go" };
    },
  };
  const finding = {
    hidden: () => offering.hidden,
    sourceOf: (name: string) => tools.sourceOf(name),
    find: (names: readonly string[]) => offering.find(names),
  };
  const off = settings.get("tools.discoveryMode") === "off";
  return { name: "discover", hooks: [hook], tools: off ? [] : [searchTools(finding)] };
};

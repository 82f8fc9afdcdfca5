import type { MakePart } from "../../hall/part.ts";
import { resultBytes } from "../../model/result-bytes.ts";
import { maxRead } from "../../tools/cut.ts";
import { find } from "./find/find.ts";
import { search } from "./search/search.ts";

/** Finding text in files, and files by their names. */
export const searchPart: MakePart<"settings" | "files" | "urls" | "snapshots" | "choice" | "env"> = (hall) => {
  const { settings, files, urls, snapshots, choice, env } = hall;
  const tools = [
    settings.get("search.enabled") &&
      search({
        files,
        urls,
        snapshots,
        display: choice.display,
        room: () => resultBytes(choice.model, maxRead),
        contextBefore: settings.get("search.contextBefore"),
        contextAfter: settings.get("search.contextAfter"),
      }),
    settings.get("find.enabled") && find({ files, urls, env, room: () => resultBytes(choice.model, maxRead) }),
  ];
  return { name: "search", tools: tools.filter((tool) => tool !== false) };
};

import type { MakePart } from "../../hall/part.ts";
import { resultBytes } from "../../model/result-bytes.ts";
import { maxRead } from "../../tools/cut.ts";
import { edit } from "./edit/edit.ts";
import { Late } from "./edit/late.ts";
import { read } from "./read/read.ts";
import { write } from "./write/write.ts";

/** Reading, writing and editing files. */
export const files: MakePart<"settings" | "files" | "urls" | "snapshots" | "choice" | "clock"> = (hall) => {
  const { settings, files, urls, snapshots, choice, clock } = hall;
  const late = new Late();
  const { display } = choice;
  const generated = settings.get("edit.generated");
  const tools = [
    settings.get("read.enabled") &&
      read({
        files,
        urls,
        snapshots,
        clock,
        display,
        room: () => ({ limit: settings.get("read.defaultLimit"), bytes: resultBytes(choice.model, maxRead) }),
        summarize: settings.get("read.summarize.enabled") ? "on" : "off",
      }),
    settings.get("write.enabled") && write({ files, urls, snapshots, clock, display, generated }),
    settings.get("edit.enabled") &&
      edit({
        files,
        urls,
        snapshots,
        mode: choice.dialect,
        apply: settings.get("edit.apply"),
        finalNewline: settings.get("edit.finalNewline"),
        generated,
        check: settings.get("edit.check"),
        late: (note) => late.add(note),
      }),
  ];
  return { name: "files", tools: tools.filter((tool) => tool !== false), hooks: [late.hook] };
};

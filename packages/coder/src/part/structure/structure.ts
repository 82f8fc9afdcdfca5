import type { MakePart } from "../../hall/part.ts";
import { resultBytes } from "../../model/result-bytes.ts";
import { maxRead } from "../../tools/cut.ts";
import { astEdit } from "./ast-edit/ast-edit.ts";
import { astGrep } from "./ast-grep/ast-grep.ts";
import { pendingReminder } from "./reminder.ts";
import { resolve } from "./resolve/resolve.ts";

/** Code found and rewritten by its structure; a rewrite is shown first and made or dropped by `resolve`. */
export const structure: MakePart<
  "settings" | "files" | "urls" | "snapshots" | "choice" | "pending" | "channel" | "env"
> = (hall) => {
  const { settings, files, urls, snapshots, choice, pending, channel, env } = hall;
  const tags = choice.dialect === "hashline" ? "shown" : "left out";
  const rewrites = settings.get("ast_edit.enabled");
  const shared = { files, urls, snapshots, tags, env } as const;
  const room = () => resultBytes(choice.model, maxRead);
  const grep = settings.get("ast_grep.enabled") ? [astGrep({ ...shared, room })] : [];
  const generated = settings.get("edit.generated");
  const edit = rewrites ? [astEdit({ ...shared, pending, generated }), resolve(pending)] : [];
  return {
    name: "structure",
    tools: [...grep, ...edit],
    keeps: { state: ["pith.pending"] },
    hooks: rewrites ? [pendingReminder(pending, (draft) => void channel.record(draft))] : [],
  };
};

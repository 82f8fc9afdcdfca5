import type { CallView, Outcome } from "@pith/agent";
import type { MakePart } from "../../hall/part.ts";
import { KeyFiles } from "../../secret/key-files.ts";
import about from "./about.md" with { type: "text" };

/** Keeps keys from the model: learns those of files that a call will look at, and says once what their names mean. */
export const secrets: MakePart<"secrets" | "files"> = ({ secrets, files }) => {
  const keys = new KeyFiles(secrets);
  let said = false;
  const look = (path: string) => {
    try {
      keys.look(path);
    } catch {
      // Whoever reads it says why it cannot be read.
    }
  };
  return {
    name: "secrets",
    start({ intent }: CallView) {
      for (const { effect, real } of intent.paths) if (effect !== "exec") look(real);
      if (intent.command !== undefined) keys.command(intent.command, intent.cwd ?? files.cwd);
    },
    result(_, outcome: Outcome) {
      for (const path of named(outcome.data)) look(files.resolve(path));
      const text = secrets.mask(outcome.text);
      if (said || !text.includes("[[secret:")) return text === outcome.text ? outcome : { ...outcome, text };
      said = true;
      return { ...outcome, text: `${text}\n\n${about.trim()}` };
    },
  };
};

/** The files that a result tells of. */
function named(data: unknown): string[] {
  const { files } = (data ?? {}) as { files?: unknown };
  if (!Array.isArray(files)) return [];
  return files.flatMap((file) => {
    const path = typeof file === "string" ? file : (file as { path?: unknown } | null)?.path;
    return typeof path === "string" ? [path] : [];
  });
}

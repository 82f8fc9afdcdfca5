import { resolve } from "node:path";
import { textOf } from "@pith/agent";
import { expandHome, fileStat } from "@pith/kit";
import type { ScreenContext } from "../context.ts";
import type { Action } from "./action.ts";

/** Entries that are searched for a path, from the newest. */
const mostEntries = 200;

interface Place {
  file: string;
  line: number | undefined;
}

/** Opens a path at its line in the person's editor: the named one, or the newest in the conversation. */
export const openAction: Action = {
  name: "app.file.open",
  about: "open a path at its line in your editor; without one, the newest that was named",
  command: "open",
  usage: "[<path>[:<line>]]",
  async run(context, words) {
    const place = words === "" ? newest(context) : placeOf(context, words);
    if (!place) return context.say("warn", words === "" ? "No file was named yet." : `There is no file ${words}.`);
    const { runEditor } = await import("../composer/external.ts");
    const code = await runEditor(context, place.file, place.line);
    if (code !== 0) context.say("warn", `The editor ended with ${code}.`);
  },
};

function placeOf({ cwd, io }: ScreenContext, word: string): Place | undefined {
  const at = (path: string) => {
    const file = resolve(cwd, expandHome(path, io.userHome));
    return fileStat(file)?.isFile() ? file : undefined;
  };
  const whole = at(word);
  if (whole !== undefined) return { file: whole, line: undefined };
  const [, path, line] = /^(.+?)(?::L?(\d+)(?:[-:]L?\d+)?|#L(\d+).*)$/.exec(word) ?? [];
  const file = path === undefined ? undefined : at(path);
  return file === undefined ? undefined : { file, line: line === undefined ? undefined : Number(line) };
}

function newest(context: ScreenContext): Place | undefined {
  let left = mostEntries;
  for (const entry of context.coder?.record.back() ?? []) {
    if (left-- === 0) return undefined;
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    const { content } = entry.message;
    const called = content.flatMap((part) =>
      part.type === "toolCall" && typeof part.arguments.path === "string" ? [part.arguments.path] : [],
    );
    for (const word of [...called, ...wordsIn(textOf(content))].toReversed().slice(0, 50)) {
      const place = placeOf(context, word);
      if (place) return place;
    }
  }
  return undefined;
}

/** Words with a dot or a slash, without the punctuation around them. */
const wordsIn = (text: string): string[] =>
  text.split(/[\s`'"()<>[\]{},;*]+/).flatMap((word) => {
    const bare = word.replace(/[.:!?]+$/, "");
    return /[./]/.test(bare) && bare.length < 400 ? [bare] : [];
  });

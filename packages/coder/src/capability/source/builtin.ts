import conflictMarker from "../builtin/conflict-marker.md" with { type: "text" };
import focusedTest from "../builtin/focused-test.md" with { type: "text" };
import leftOutCode from "../builtin/left-out-code.md" with { type: "text" };
import skippedHook from "../builtin/skipped-hook.md" with { type: "text" };
import swallowedError from "../builtin/swallowed-error.md" with { type: "text" };
import type { Candidate } from "../item.ts";
import { rule } from "../read/words.ts";
import type { ConfigSource } from "../registry.ts";

const texts: Readonly<Record<string, string>> = {
  "conflict-marker": conflictMarker,
  "focused-test": focusedTest,
  "left-out-code": leftOutCode,
  "skipped-hook": skippedHook,
  "swallowed-error": swallowedError,
};

let read: readonly Candidate<"rule">[] | undefined;

/** Rules of pith itself. A rule of the same name in a file takes their place. */
export const builtin: ConfigSource = {
  name: "builtin",
  title: "built in",
  priority: 0,
  finds: {},
  brings: {
    rule: () =>
      (read ??= Object.entries(texts).flatMap(([name, text]) =>
        rule(text, { path: `${name}.md`, level: "user", folder: "" }),
      )),
  },
};

import { refusal, schema as s, type Tool, tool } from "@pith/agent";
import { fill } from "@pith/kit";
import { readFile } from "./file.ts";
import type { ReadParts } from "./parts.ts";
import prose from "./read.md" with { type: "text" };
import { findTarget, pathsOf } from "./target.ts";

const input = s.object({ path: s.string().min(1).describe("With an optional selector") });
type Input = s.Infer<typeof input>;

export function read(parts: ReadParts): Tool<Input> {
  return tool({
    name: "read",
    about: fill(prose, { lines: parts.defaultLimit }),
    input,
    effect: "read",
    paths: ({ path }) => pathsOf(parts, path),
    async run({ path }, { signal }) {
      const target = findTarget(parts, path);
      if (!target.ok) return refusal(target.message);
      const { value } = target;
      switch (value.is) {
        case "file":
          return readFile(parts, value.file, signal);
        case "url":
          return (await import("./url.ts")).readUrl(parts, value.url, signal);
        case "archive":
          return (await import("./archive.ts")).readArchive(parts, value.archive, signal);
        case "database":
          return (await import("./database.ts")).readDatabase(parts, value.database, signal);
      }
    },
  });
}

import { type Outcome, refusal, schema as s, type Tool, tool } from "@pith/agent";
import { archiveEnding } from "@pith/host";
import { fill } from "@pith/kit";
import { statOf } from "../../files/path.ts";
import type { Inside } from "../container.ts";
import { readFile } from "./file.ts";
import { containerBySuffix, resolvedNote } from "./missing.ts";
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
      if (value.is === "url") return (await import("./url.ts")).readUrl(parts, value.url, signal);
      if (value.is === "archive") return readInside(parts, value.archive, signal);
      if (value.is === "database") return readInside(parts, value.database, signal);
      const inside = statOf(value.file.path) ? undefined : await containerBySuffix(parts, path, signal);
      if (!inside) return readFile(parts, value.file, signal);
      const shown = await readInside(parts, inside, signal);
      return { ...shown, text: `${resolvedNote(parts, inside.given, inside.path)}\n${shown.text}` };
    },
  });
}

async function readInside(parts: ReadParts, inside: Inside, signal: AbortSignal): Promise<Outcome> {
  if (archiveEnding.test(inside.path)) return (await import("./archive.ts")).readArchive(parts, inside, signal);
  return (await import("./database.ts")).readDatabase(parts, inside, signal);
}

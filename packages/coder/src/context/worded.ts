import type { ToolSpec } from "@pith/llm";
import { type Profile, profileIn } from "../setting/profile.ts";
import type { Key } from "../setting/schema.ts";
import type { SettingView } from "../setting/setting.ts";
import local from "./system.local.md" with { type: "text" };
import usual from "./system.md" with { type: "text" };
import orchestrator from "./system.orchestrator.md" with { type: "text" };

const texts: Readonly<Record<Profile["words"], string>> = { usual, local, orchestrator };
/** Settings by which lines of a prompt may depend. */
const switches: readonly Key[] = ["local.packets", "local.completion", "dispatch.enabled"];

/** Pith's own text of the system prompt. */
export interface OwnWords {
  text: string;
  /** Says whether the project is described, too. */
  project: Profile["project"];
}

export function ownWords(settings: Pick<SettingView, "get">, tools: readonly ToolSpec[]): OwnWords {
  const { words, project } = profileIn(settings);
  const on = switches.filter((key) => settings.get(key));
  return { text: worded(texts[words], new Set([...tools.map(({ name }) => name), ...on])), project };
}

/**
 * Removes lines that do not apply: one that begins with `{name, name} ` needs all of these (offered tools, settings
 * that are on), and a heading needs text below it.
 */
export function worded(text: string, there: ReadonlySet<string>): string {
  const lines = text.split("\n").flatMap((line) => {
    const [mark, names = ""] = needs.exec(line) ?? [""];
    return names.split(/,\s*/).every((name) => name === "" || there.has(name)) ? [line.slice(mark.length)] : [];
  });
  return lines
    .filter((line, at) => !line.startsWith("# ") || isSaid(lines, at))
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const needs = /^\{([\w.]+(?:, ?[\w.]+)*)\} /;

/** True when there is text between a heading and the next one. */
function isSaid(lines: readonly string[], at: number): boolean {
  const next = lines.slice(at + 1).find((line) => line.trim() !== "");
  return next !== undefined && !next.startsWith("# ");
}

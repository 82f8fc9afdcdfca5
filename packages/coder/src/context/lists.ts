import { fill } from "@pith/kit";
import { countText } from "@pith/llm";
import type { Item } from "../capability/item.ts";
import ruleProse from "../prompts/rule.md" with { type: "text" };
import rulesProse from "../prompts/rules.md" with { type: "text" };
import skillsProse from "../prompts/skills.md" with { type: "text" };
import { plain } from "./tree.ts";

/** What skills may cost, in tokens, with the words around them and what counts the rest. */
const maxSkills = 1500;
const around = 50;
const longest = 300;

/** Skills by name and description; those that do not fit are counted. A hidden one is for people to call. */
export function skillList(skills: readonly Item<"skill">[]): string {
  const told = skills.filter(({ data }) => !data.hidden);
  let left = maxSkills - around;
  const rows: string[] = [];
  for (const { name, data } of told) {
    const row = `- ${name}: ${plain(data.description, longest)}`;
    left -= countText(`${row}\n`);
    if (left < 0) break;
    rows.push(row);
  }
  if (rows.length === 0) return "";
  const more = told.length - rows.length;
  return fill(skillsProse, {
    list: [...rows, ...(more > 0 ? [`(and ${more} more: find with paths ["skill://"] lists them)`] : [])].join("\n"),
  }).trim();
}

/** Rules that always hold, whole; the others by name, to be read when they matter. */
export function ruleList(rules: readonly Item<"rule">[], said: string): string {
  // What stands in the prompt already is not said twice.
  const whole = rules.filter(({ data }) => data.always && !said.includes(data.text));
  const named = rules.filter(({ data }) => !data.always);
  const rows = named.map(({ name, data }) => {
    const files =
      data.globs.length > 0
        ? ` (for ${data.globs
            .slice(0, 5)
            .map((glob) => plain(glob))
            .join(", ")})`
        : "";
    return `- rule://${name}${files}${data.description ? `: ${plain(data.description, 160)}` : ""}`;
  });
  const blocks = [
    ...whole.map(({ name, data }) => fill(ruleProse, { name, text: data.text }).trim()),
    ...(rows.length > 0 ? [`Read these where they apply:\n${rows.slice(0, 60).join("\n")}`] : []),
  ];
  return blocks.length === 0 ? "" : fill(rulesProse, { list: blocks.join("\n") }).trim();
}

import { byteLength, fill, formatBytes, headBytes, plural } from "@pith/kit";
import { countText } from "@pith/llm";
import type { Item } from "../capability/item.ts";
import ruleProse from "./rule.md" with { type: "text" };
import rulesProse from "./rules.md" with { type: "text" };
import skillsProse from "./skills.md" with { type: "text" };
import { plain } from "./tree.ts";

/** Tokens of the list of skills, with the text around it. */
const maxSkills = 1500;
const around = 50;
const longest = 300;

/** Lists skills by name and description; those that do not fit are counted. Hidden ones are left out. */
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

const most = { each: 32 * 1024, together: 64 * 1024, names: 60 };

/**
 * Lists rules: those that always hold with their text, the others by name. Their total size is limited, because a
 * repository may have any number of them.
 */
export function ruleList(
  rules: readonly Item<"rule">[],
  said: string,
  warn: (text: string) => void = () => {},
): string {
  let free = most.together;
  const whole: string[] = [];
  const named: Item<"rule">[] = [];
  for (const rule of rules) {
    const { always, text } = rule.data;
    // Skips a rule whose text is in the prompt already.
    if (always && said.includes(text)) continue;
    const size = Math.min(byteLength(text), most.each);
    if (!always || size > free) named.push(rule);
    else {
      free -= size;
      whole.push(ruleText(rule));
    }
    if (always && byteLength(text) > most.each)
      warn(`${rule.file}: the model gets the first ${formatBytes(most.each)} of ${formatBytes(byteLength(text))}`);
  }
  const left = named.filter(({ data }) => data.always).length;
  if (left > 0)
    warn(`${plural(left, "rule")} told by name only: together they have more than ${formatBytes(most.together)}`);
  const more = named.length - most.names;
  const rows = [
    ...named.slice(0, most.names).map(rowOf),
    ...(more > 0 ? [`(and ${more} more: find with paths ["rule://"] lists them)`] : []),
  ];
  const blocks = [...whole, ...(rows.length > 0 ? [`Read these where they apply:\n${rows.join("\n")}`] : [])];
  return blocks.length === 0 ? "" : fill(rulesProse, { list: blocks.join("\n") }).trim();
}

/** Renders a rule, escaped so that it cannot end its tag, and cut at a limit. */
export function ruleText({ name, data }: Item<"rule">): string {
  const shown = headBytes(data.text, most.each);
  const cut = byteLength(data.text) - byteLength(shown);
  const text = `${shown}${cut > 0 ? `\n[cut: ${formatBytes(cut)} more in rule://${name}]` : ""}`;
  return fill(ruleProse, { name, text: text.replace(/<(?=\/rules?\b)/gi, "&lt;") }).trim();
}

function rowOf({ name, data }: Item<"rule">): string {
  const globs = data.globs.slice(0, 5).map((glob) => plain(glob));
  const files = globs.length > 0 ? ` (for ${globs.join(", ")})` : "";
  return `- rule://${name}${files}${data.description ? `: ${plain(data.description, 160)}` : ""}`;
}

import { pithPages } from "@pith/coder";
import { nearest } from "@pith/kit";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io } from "../../io/io.ts";
import { called, type Subcommand, type Subcommands, subcommand } from "../subcommand.ts";
import { helpScreen, optionLine } from "./screen.ts";
import { isTopic, type Topic, topicNames, topics } from "./topic.ts";

/** Other words for a page. */
const also: Readonly<Record<string, string>> = {
  keys: "auth",
  login: "auth",
  cost: "usage",
  permissions: "approval",
  ttsr: "rules",
  verify: "rules",
  loop: "rules",
  until: "rules",
  resume: "sessions",
  fork: "sessions",
  update: "install",
  upgrade: "install",
  windows: "install",
  tools: "tool",
  events: "json",
  env: "environment",
  variables: "environment",
  exit: "exit-codes",
  flags: "options",
  slash: "commands",
  keymap: "screen",
  format: "session-format",
  readme: "cli",
};

export const help = subcommand({
  usage: "[topic]",
  about: "show a help page",
  help: "screen",
  options: {},
  words: async () => Object.fromEntries((await helpNames()).map((name) => [name, []])),
  run: ({ words }, io, all) => showHelp(words, io, all),
});

/**
 * `pith help` is the screen of `--help`; `pith help <topic>` is a page of prose, and so is `pith help <command>`. Other
 * names are pages of the documentation, which is carried inside; `pith help docs/<page>` is always one of those, and
 * `man` is the manual.
 */
export async function showHelp(words: readonly string[], io: Io, all: Subcommands): Promise<number> {
  const [name = "help", ...more] = words;
  const text = more.length === 0 ? await find(name.toLowerCase(), all) : undefined;
  if (text !== undefined) {
    io.out.write(await drawn(text, io));
    return exit.finished;
  }
  const typed = [name, ...more].join(" ");
  const names = await helpNames();
  const meant = nearest(typed, names);
  const mentions = more.length === 0 ? await pagesMentioning(name) : [];
  const near = meant ? ` Did you mean ${meant}?` : "";
  const pages = mentions.length > 0 ? ` Pages that mention it: ${mentions.join(", ")} (pith help <page>).` : "";
  const known = near + pages === "" ? ` There are ${names.join(", ")}.` : "";
  complain(io, `there is no page "${typed}".${near}${pages}${known}`);
  if (more.length > 0) complain(io, `to send this as a prompt, put -- before it: pith -- help ${typed}`);
  return exit.usage;
}

/** The pages that mention a word most often. */
async function pagesMentioning(word: string): Promise<string[]> {
  const pattern = new RegExp(`(?<![\\w-])${word.replace(/[^\w ]/g, "\\$&")}(?![\\w-])`, "gi");
  return Object.entries(await pithPages())
    .flatMap(([page, text]) => {
      const count = page.endsWith(".md") ? [...text.matchAll(pattern)].length : 0;
      return count > 0 ? [{ page: page.replace(/\.md$/, ""), count }] : [];
    })
    .sort((a, b) => b.count - a.count)
    .slice(0, 5)
    .map(({ page }) => page.replace(/^tools\//, ""));
}

/** Names of the topics, and of the pages of the documentation. */
async function helpNames(): Promise<string[]> {
  const documents = Object.keys(await pithPages()).flatMap((page) => /([^/]+)\.md$/.exec(page)?.[1] ?? []);
  return [...new Set([...topicNames, ...documents, "man"])];
}

async function find(name: string, all: Subcommands): Promise<string | undefined> {
  if (name === "man") return (await pithPages())["pith.1"];
  const command = Object.hasOwn(all, name) ? await all[name]?.() : undefined;
  if (command?.help === "screen") return helpScreen();
  if (isTopic(name)) return pageOf(name);
  const documents = await pithPages();
  const path = name.replace(/^(?:docs\/|pith:\/\/)/, "").replace(/\.md$/, "");
  const found = [`${path}.md`, `tools/${path.replaceAll("-", "_")}.md`].find((page) => Object.hasOwn(documents, page));
  if (found) return documents[found];
  if (command) return command.help ? pageOf(command.help) : optionsOf(name, command);
  return Object.hasOwn(also, name) ? find(also[name] ?? "", all) : undefined;
}

async function pageOf(topic: Topic): Promise<string | undefined> {
  const page = topics[topic];
  return "docs" in page ? (await pithPages())[page.docs] : (await page.text()).default;
}

/** The help of a command without a page. */
function optionsOf(name: string, command: Subcommand): string {
  const rows = Object.entries(command.options).map(([option, flag]) => optionLine(option, flag));
  return `${[`${called(name, command)}: ${command.about}`, "", ...rows].join("\n").trimEnd()}\n`;
}

/** At a terminal a page with long lines is drawn for its window; a program gets the page as it is. */
async function drawn(text: string, { outIs, env }: Pick<Io, "outIs" | "env">): Promise<string> {
  if (outIs !== "device") return text;
  const columns = Number(env.COLUMNS) || process.stdout.columns || 80;
  if (text.split("\n").every((line) => line.length <= columns)) return text;
  const { drawPage } = await import("../../view/document.ts");
  return drawPage(text, columns, env);
}

import { pithPages } from "@pith/coder";
import { nearest } from "@pith/kit";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io } from "../../io/io.ts";
import type { Command } from "../command.ts";
import { pageOf } from "./page.ts";
import { helpScreen, type Topic, topics } from "./screen.ts";

const pages: Record<Topic, () => Promise<{ default: string }>> = {
  models: () => import("./models.md", { with: { type: "text" } }),
  auth: () => import("./auth.md", { with: { type: "text" } }),
  usage: () => import("./usage.md", { with: { type: "text" } }),
  approval: () => import("./approval.md", { with: { type: "text" } }),
  rules: () => import("./rules.md", { with: { type: "text" } }),
  trust: () => import("./trust.md", { with: { type: "text" } }),
  sessions: () => import("./sessions.md", { with: { type: "text" } }),
  session: () => import("./session.md", { with: { type: "text" } }),
  export: () => import("./export.md", { with: { type: "text" } }),
  faux: () => import("./faux.md", { with: { type: "text" } }),
  json: () => import("./json.md", { with: { type: "text" } }),
  acp: () => import("./acp.md", { with: { type: "text" } }),
  serve: () => import("./serve.md", { with: { type: "text" } }),
  tool: () => import("./tool.md", { with: { type: "text" } }),
  edit: () => import("./edit.md", { with: { type: "text" } }),
  undo: () => import("./undo.md", { with: { type: "text" } }),
  jobs: () => import("./jobs.md", { with: { type: "text" } }),
  config: () => import("./config.md", { with: { type: "text" } }),
  environment: () => import("./environment.md", { with: { type: "text" } }),
  "exit-codes": () => import("./exit-codes.md", { with: { type: "text" } }),
  setup: () => import("./setup.md", { with: { type: "text" } }),
  options: async () => ({ default: (await pithPages())["options.md"] ?? "" }),
  commands: async () => ({ default: (await pithPages())["commands.md"] ?? "" }),
};

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
  gallery: "tui",
  format: "session-format",
  readme: "cli",
};

/**
 * `pith help` is the screen of `--help`; `pith help <topic>` is a page of prose, and so is `pith help <command>`. What
 * has no page of one screen has one in the documentation, which is carried inside; `pith help docs/<page>` is always
 * that one, and `man` the manual.
 */
export const help: Command = async ([name = "help", ...more], io) => {
  const text = more.length === 0 ? await find(name.toLowerCase()) : undefined;
  if (text !== undefined) {
    io.out.write(await shown(text, io));
    return exit.finished;
  }
  const typed = [name, ...more].join(" ");
  const names = await helpNames();
  const meant = nearest(typed, names);
  const told = more.length === 0 ? await speakingOf(name) : [];
  const near = meant ? ` Did you mean ${meant}?` : "";
  const pages = told.length > 0 ? ` Pages that speak of it: ${told.join(", ")} (pith help <page>).` : "";
  const known = near + pages === "" ? ` There are ${names.join(", ")}.` : "";
  complain(io, `there is no page "${typed}".${near}${pages}${known}`);
  if (more.length > 0) complain(io, `to send this as a prompt, put -- before it: pith -- help ${typed}`);
  return exit.usage;
};

/** The pages that have most to say of a word. */
async function speakingOf(word: string): Promise<string[]> {
  const looked = new RegExp(`(?<![\\w-])${word.replace(/[^\w ]/g, "\\$&")}(?![\\w-])`, "gi");
  return Object.entries(await pithPages())
    .flatMap(([page, text]) => {
      const count = page.endsWith(".md") ? [...text.matchAll(looked)].length : 0;
      return count > 0 ? [{ page: page.replace(/\.md$/, ""), count }] : [];
    })
    .sort((a, b) => b.count - a.count)
    .slice(0, 5)
    .map(({ page }) => page.replace(/^tools\//, ""));
}

/** What can be asked for: the topics, and the pages of the documentation by their names. */
export async function helpNames(): Promise<string[]> {
  const documents = Object.keys(await pithPages()).flatMap((page) => /([^/]+)\.md$/.exec(page)?.[1] ?? []);
  return [...new Set([...topics, ...documents, "man"])];
}

async function find(name: string): Promise<string | undefined> {
  const command = Object.hasOwn(pageOf, name) ? pageOf[name] : undefined;
  if (name === "man") return (await pithPages())["pith.1"];
  if (command === "screen") return helpScreen();
  if (isTopic(name)) return (await pages[name]()).default;
  const documents = await pithPages();
  const path = name.replace(/^(?:docs\/|pith:\/\/)/, "").replace(/\.md$/, "");
  const found = [`${path}.md`, `tools/${path.replaceAll("-", "_")}.md`].find((page) => Object.hasOwn(documents, page));
  if (found) return documents[found];
  if (command) return (await pages[command]()).default;
  return Object.hasOwn(also, name) ? find(also[name] ?? "") : undefined;
}

const isTopic = (name: string): name is Topic => Object.hasOwn(pages, name);

/** At a terminal a page with long lines is drawn for its window; a program gets the page as it is. */
async function shown(text: string, { outIs, env }: Pick<Io, "outIs" | "env">): Promise<string> {
  if (outIs !== "device") return text;
  const columns = Number(env.COLUMNS) || process.stdout.columns || 80;
  if (text.split("\n").every((line) => line.length <= columns)) return text;
  const { drawPage } = await import("../../view/document.ts");
  return drawPage(text, columns, env);
}

import { helpScreen, type Topic, topics } from "../argv/screen.ts";
import { noSuch } from "../argv/unknown.ts";
import { exit } from "../io/interrupt.ts";
import { complain } from "../io/io.ts";
import type { Command } from "./command.ts";
import { pageOf } from "./page.ts";

const pages: Record<Topic, () => Promise<{ default: string }>> = {
  models: () => import("./help/models.md", { with: { type: "text" } }),
  auth: () => import("./help/auth.md", { with: { type: "text" } }),
  usage: () => import("./help/usage.md", { with: { type: "text" } }),
  approval: () => import("./help/approval.md", { with: { type: "text" } }),
  sessions: () => import("./help/sessions.md", { with: { type: "text" } }),
  session: () => import("./help/session.md", { with: { type: "text" } }),
  export: () => import("./help/export.md", { with: { type: "text" } }),
  faux: () => import("./help/faux.md", { with: { type: "text" } }),
  json: () => import("./help/json.md", { with: { type: "text" } }),
  tool: () => import("./help/tool.md", { with: { type: "text" } }),
  edit: () => import("./help/edit.md", { with: { type: "text" } }),
  undo: () => import("./help/undo.md", { with: { type: "text" } }),
  jobs: () => import("./help/jobs.md", { with: { type: "text" } }),
  config: () => import("./help/config.md", { with: { type: "text" } }),
  environment: () => import("./help/environment.md", { with: { type: "text" } }),
  "exit-codes": () => import("./help/exit-codes.md", { with: { type: "text" } }),
};

/** `pith help` is the screen of `--help`; `pith help <topic>` is a page of prose, and so is `pith help <command>`. */
export const help: Command = async ([name = "help", ...more], io) => {
  const page = isTopic(name) ? name : Object.hasOwn(pageOf, name) ? pageOf[name] : undefined;
  if (more.length === 0 && page) {
    io.out.write(page === "screen" ? helpScreen() : (await pages[page]()).default);
    return exit.finished;
  }
  complain(io, noSuch("help topic", [name, ...more].join(" "), topics));
  if (more.length > 0)
    complain(io, `to send this as a prompt, put -- before it: pith -- help ${[name, ...more].join(" ")}`);
  return exit.usage;
};

const isTopic = (name: string): name is Topic => Object.hasOwn(pages, name);

import type { Topic } from "../argv/screen.ts";

/** The page of help that tells of a command; the screen is that of `--help`. */
export const pageOf: Readonly<Record<string, Topic | "screen">> = {
  launch: "screen",
  help: "screen",
  version: "screen",
  doctor: "setup",
  completion: "setup",
  tool: "tool",
  "apply-patch": "edit",
  undo: "undo",
  redo: "undo",
  changes: "undo",
  config: "config",
  policy: "approval",
  prompt: "config",
  trust: "trust",
  sessions: "sessions",
  session: "session",
  gc: "session",
  export: "export",
  import: "export",
  replay: "export",
  jobs: "jobs",
  models: "models",
  auth: "auth",
  stats: "usage",
};

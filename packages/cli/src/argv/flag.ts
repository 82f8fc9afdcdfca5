import type { Flags, FlagTable } from "./parse.ts";

/** The options of a conversation, in the order of the help screen. */
export const launchFlags = {
  print: { short: "p", takes: "nothing", about: "answer one prompt on stdout and exit" },
  next: { takes: "texts", as: "message", about: "with -p: say this after the answer; may be repeated", rare: true },
  mode: { takes: "choice", as: "format", of: ["text", "json"], about: "what -p prints: text, or json events" },
  model: { takes: "text", as: "name", about: "vendor/id, or faux/tour for a scripted one" },
  thinking: {
    takes: "choice",
    as: "level",
    of: ["off", "minimal", "low", "medium", "high", "xhigh"],
    about: "off, minimal, low, medium, high, xhigh",
  },
  smol: { takes: "text", as: "name", about: "the model for small work", rare: true },
  slow: { takes: "text", as: "name", about: "the model for hard work", rare: true },
  plan: { takes: "text", as: "name", about: "the model for planning", rare: true },
  continue: { short: "c", takes: "nothing", about: "go on with the last session of this directory" },
  resume: {
    short: "r",
    takes: "text",
    as: "session",
    about: "go on with a session: its file or id (help sessions)",
    bare: true,
  },
  fork: { takes: "text", as: "session", about: "go on in a copy of a session", rare: true },
  "session-dir": { takes: "text", as: "dir", about: "keep and look for sessions there", rare: true },
  "no-session": { takes: "nothing", about: "record nothing", rare: true },
  approval: {
    takes: "choice",
    as: "mode",
    of: ["ask", "write", "auto", "yolo", "plan"],
    about: "what runs unasked: ask, write, auto, yolo, plan",
  },
  yolo: { takes: "nothing", about: "short for --approval yolo: everything runs unasked" },
  "max-time": { takes: "duration", as: "time", about: "with -p: stop after 30 (seconds), 10m, 1h" },
  "max-turns": { takes: "count", as: "n", about: "stop after n requests to the model" },
  "max-cost": { takes: "amount", as: "dollars", about: "stop when this much is spent", rare: true },
  "max-tokens": { takes: "count", as: "n", about: "stop when this many tokens are used", rare: true },
  line: { takes: "nothing", about: "the line prompt in place of the full screen", rare: true },
  "screen-reader": {
    takes: "nothing",
    about: "every row once, in order, as plain lines; also PITH_SCREEN_READER=1",
    rare: true,
  },
  "no-pty": { takes: "nothing", about: "no terminal for programs of the model; also PITH_NO_PTY=1", rare: true },
  trust: { takes: "nothing", about: "trust this project's settings for this run (help trust)", rare: true },
  tools: { takes: "text", as: "names", about: "only these tools, for example read,search,find" },
  config: { takes: "texts", as: "file", about: "settings for this run; may be repeated", rare: true },
  cwd: { takes: "text", as: "dir", about: "work in this directory" },
  "add-dir": { takes: "texts", as: "dir", about: "another folder of the project; may be repeated", rare: true },
  help: { short: "h", takes: "nothing", about: "the first screen of help", rare: true },
  version: { short: "v", takes: "nothing", about: "the version", rare: true },
} as const satisfies FlagTable;

export type LaunchFlags = Flags<typeof launchFlags>;

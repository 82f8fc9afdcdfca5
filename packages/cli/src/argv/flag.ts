import type { Flags, FlagTable } from "./parse.ts";

const nothing = (about: string) => ({ takes: "nothing", about }) as const;
const text = (as: string, about: string) => ({ takes: "text", as, about }) as const;
const choice = <const V extends readonly string[]>(as: string, of: V, about: string) =>
  ({ takes: "choice", as, of, about }) as const;
/** An option that is left out of the first screen of help. */
const rare = <F extends object>(flag: F) => ({ ...flag, rare: true }) as const;

/** The options of a conversation, in the order of the help screen. */
export const launchFlags = {
  print: { short: "p", takes: "nothing", about: "answer one prompt on stdout and exit" },
  "system-prompt": rare(text("text|file", "replace pith's system prompt")),
  "append-system-prompt": rare(text("text|file", "add to the system prompt")),
  next: { takes: "texts", as: "message", about: "with -p: send this after the answer; may be repeated", rare: true },
  mode: choice("format", ["text", "json", "rpc"], "what -p prints: text, or json; rpc for programs"),
  model: text("name", "vendor/id, or faux/tour for a scripted one"),
  thinking: choice(
    "level",
    ["off", "minimal", "low", "medium", "high", "xhigh"],
    "off, minimal, low, medium, high, xhigh",
  ),
  smol: rare(text("name", "the model for small work")),
  slow: rare(text("name", "the model for hard work")),
  plan: rare(text("name", "the model for planning")),
  explore: rare(text("name", "the model of sub-agents")),
  continue: { short: "c", takes: "nothing", about: "resume the last session of this directory" },
  resume: {
    short: "r",
    takes: "text",
    as: "session",
    about: "resume a session: its file or id (help sessions)",
    bare: true,
  },
  fork: rare(text("session", "resume a copy of a session")),
  "session-dir": rare(text("dir", "use another folder of sessions")),
  "no-session": rare(nothing("record nothing")),
  approval: choice("mode", ["ask", "write", "auto", "yolo", "plan"], "what runs unasked: ask, write, auto, yolo, plan"),
  yolo: nothing("short for --approval yolo: only critical calls ask"),
  sandbox: rare(
    choice("mode", ["off", "workspace", "read-only"], "what commands may write: off (all), workspace, read-only"),
  ),
  "max-time": { takes: "duration", as: "time", about: "with -p: stop after 30 (seconds), 10m, 1h" },
  "max-turns": { takes: "count", as: "n", about: "stop after n requests to the model" },
  "max-cost": { takes: "amount", as: "dollars", about: "stop when this much is spent", rare: true },
  "max-tokens": { takes: "count", as: "n", about: "stop when this many tokens are used", rare: true },
  until: rare(text("command", "with -p: continue until this command exits 0, at most 20 rounds")),
  line: rare(nothing("scroll from the cursor instead of using the full screen")),
  "screen-reader": rare(nothing("plain lines in order for screen readers; also PITH_SCREEN_READER=1")),
  "no-pty": rare(nothing("no terminal for the model's commands; also PITH_NO_PTY=1")),
  ci: rare(nothing("for CI: -p, approval auto, sandbox workspace, no network (help ci)")),
  "output-schema": rare(text("file", "with -p: the answer is JSON that fits this schema")),
  receipt: rare(text("file", "with -p: write what was done, refused and spent to a file")),
  "no-questions": rare(nothing("with --mode rpc: refuse what would ask")),
  record: rare(text("file", "record the model's traffic, for --model cassette/<file>")),
  chaos: { takes: "count", as: "seed", about: "disturb the connection to the model, for testing", rare: true },
  trust: rare(nothing("trust this project's settings for this run (help trust)")),
  tools: text("names", "only these tools, for example read,search,find"),
  config: { takes: "texts", as: "file", about: "settings for this run; may be repeated", rare: true },
  cwd: text("dir", "work in this directory"),
  "add-dir": { takes: "texts", as: "dir", about: "another folder of the project; may be repeated", rare: true },
  help: { short: "h", takes: "nothing", about: "print this help", rare: true },
  version: { short: "v", takes: "nothing", about: "print the version", rare: true },
} as const satisfies FlagTable;

export type LaunchFlags = Flags<typeof launchFlags>;

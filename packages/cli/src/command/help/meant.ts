import { nearest } from "@pith/kit";
import { launchFlags } from "../../argv/flag.ts";
import { parseArguments } from "../../argv/parse.ts";

/** Hints, with the words of other agents for which they are given. */
const instead: readonly (readonly [string, string])[] = [
  ["pith auth add <vendor> stores a key (pith help auth)", "login setup-token apikey api-key signin"],
  ["pith auth remove <number> forgets a key (pith help auth)", "logout signout"],
  ["pith auth lists the stored keys", "key keys whoami credentials account"],
  ["pith doctor says what is missing, pith help models how to connect a model", "setup onboard configure"],
  [
    "pith needs no set-up; pith doctor says what is missing, and /init in a conversation writes an AGENTS.md",
    "init project",
  ],
  ["pith does not update itself; pith help install tells how, pith version which one this is", "update upgrade"],
  ["pith help install tells of installing, updating and leaving", "install migrate-installer"],
  ["pith help install tells how to remove pith, and what it has written where", "uninstall"],
  ["pith finds MCP servers, and does nothing with them yet (pith help sources)", "mcp mcp-server"],
  [
    "pith finds what plugins and extensions bring, and runs nothing of them (pith help sources)",
    "plugin plugins extension extensions marketplace",
  ],
  ["pith doctor shows the skills that were found, /skill:<name> calls one (pith help sources)", "skill skills"],
  ["pith finds hooks of other programs, and runs none of them (pith help sources)", "hook hooks"],
  ["AGENTS.md is what a project tells the model, memory what a session has come to know (pith help sources)", "memory"],
  ["pith has sub-agents of its own (pith help sub-agents), and finds those of others", "agent agents"],
  ["pith serve holds sessions that live on (pith help serve)", "server app-server exec-server daemon"],
  ["pith serve --web has a page in a browser, pith export writes a session as one", "web ui browser"],
  ["pith --mode rpc is for programs (pith help rpc)", "rpc"],
  ['pith -p --mode json "…" prints every event as JSON (pith help json)', "json"],
  ["pith export writes a session as a page that can be given to others", "share"],
  ["pith config shows and changes settings", "setting settings preferences"],
  ["pith config set <key> <value> changes a setting", "config-set"],
  [
    "pith config set approval.mode <mode> says what runs without asking (pith help approval)",
    "permissions approvals auto-mode",
  ],
  ["pith models lists vendors, and what each of them needs", "provider providers vendor vendors update-providers"],
  ["pith sessions lists sessions, pith models models", "list ls threads"],
  ["pith sessions finds anything that was said", "history"],
  ["pith -c goes on with the last session, pith -r <id> with another", "resume continue"],
  ["pith --fork <session> goes on in a copy of it, /fork from inside one", "fork branch"],
  ["every pith begins a new session; pith -c goes on with the last one", "clear new"],
  ["pith alone begins a conversation", "chat tui term"],
  ["/compact in a conversation makes it shorter (pith help long-sessions)", "compact"],
  ["pith undo undoes what the last turn changed, pith -r <id>#<entry> goes on from an earlier place", "rewind"],
  ["pith undo undoes what the last turn changed, pith changes shows it", "checkpoint"],
  ["pith changes shows what was changed", "review diff"],
  ["pith apply-patch applies a patch that it is given", "apply"],
  ['pith -p "…" answers one prompt and exits', "run exec ask"],
  ["pith stats tells what was used and what it cost", "usage cost"],
  ["pith doctor looks at all that pith needs, and /debug in a conversation reports", "debug info"],
  ["pith doctor names the home; logs/pith.log in it tells what went wrong", "log logs"],
  ["pith sandbox -- <command> runs one in the sandbox", "shell"],
  ["pith help <topic> has a page on everything", "docs"],
  ["pith help man prints the manual", "man"],
  ["pith completion bash|zsh|fish completes what is typed", "completions"],
  ["a conversation is left with /exit or Ctrl+D", "exit quit"],
];
const others: ReadonlyMap<string, string> = new Map(
  instead.flatMap(([hint, words]) => words.split(" ").map((word) => [word, hint] as const)),
);
/** Words with which nobody begins a prompt. */
const never: ReadonlySet<string> = new Set(["login", "logout", "mcp", "whoami", "setup-token", "apikey"]);

/** Verbs behind the name of a thing. */
const verbs: ReadonlySet<string> = new Set(
  "list ls show add remove rm set unset get delete new edit status info search export import help".split(" "),
);

/**
 * Says what words were most likely meant for that are no command: a bare word, with or without options, that is nearly
 * a command or one of another agent, perhaps with a verb behind it. Returns undefined for words for the model.
 */
export function meantFor(argv: readonly string[], commands: readonly string[]): string | undefined {
  const said = saidIn(argv);
  const [word = "", ...more] = said?.words ?? [];
  if (!said || !/^[a-z][a-z-]+$/i.test(word)) return undefined;
  const alone = more.length === 0;
  const verb = !alone && more.length <= 3 && verbs.has(more[0] ?? "");
  if (!alone && !verb && !never.has(word)) return undefined;
  const send = `To send it as a prompt: pith ${said.options === "some" ? "… " : ""}-- ${said.words.join(" ")}`;
  if ((alone || verb) && commands.includes(word))
    return `${word} is a command, and stands before its options: pith ${word} (pith ${word} --help). ${send}`;
  const other = others.get(word.toLowerCase());
  // Every word is near one of two or three letters.
  const long = commands.filter((name) => name.length > 3 && name !== "launch");
  const begun = word.length > 3 ? long.filter((name) => name.startsWith(word.toLowerCase())) : [];
  const near = nearest(word, long) ?? (begun.length === 1 ? begun[0] : undefined);
  const hint =
    (said.session === "new" && (alone || never.has(word)) && other) || (near && `did you mean pith ${near}?`);
  return hint && `there is no command "${word}": ${hint}. ${send}`.replace("?.", "?");
}

interface Said {
  words: readonly string[];
  options: "none" | "some";
  /** In a session that goes on, "continue" and "review" are things to say. */
  session: "new" | "old";
}

/** The words as a conversation would take them; undefined where they are plainly meant for it. */
function saidIn(argv: readonly string[]): Said | undefined {
  const [first = "", second] = argv;
  const parsed = parseArguments(launchFlags, argv);
  // An option that a conversation does not have may belong to a command.
  if (!parsed.ok) return second?.startsWith("-") ? { words: [first], options: "some", session: "new" } : undefined;
  const { flags, words, plain } = parsed.value;
  if (flags.print || flags.mode || plain.length > 0) return undefined;
  const old = flags.continue ?? flags.resume ?? flags.fork;
  return {
    words,
    options: words.length === argv.length ? "none" : "some",
    session: old === undefined ? "new" : "old",
  };
}
